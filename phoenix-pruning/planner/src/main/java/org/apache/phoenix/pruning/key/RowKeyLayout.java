/*
 * Copyright the Phoenix Pruning authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express
 * or implied. See the License for the specific language governing permissions and limitations under
 * the License.
 */
package org.apache.phoenix.pruning.key;

import java.util.Arrays;
import java.util.List;

/**
 * The columns of a row key, in key order, and how a whole key is made of them: tokens one after the
 * other, without trailing nulls and without the separator of the last ascending column.
 *
 * <p>A layout is <em>open</em>: keys may go on after its last column, as the rows of a view with
 * further key columns do, or the columns that a caller does not understand. Only a salted layout is
 * closed, as the salt is computed from all the bytes of the key.
 */
public final class RowKeyLayout {

  /** Computes the salt byte of a row key. */
  public interface Salt {

    /**
     * The salt of {@code length} bytes of {@code key} from {@code offset} on, without salt byte.
     */
    byte of(byte[] key, int offset, int length);
  }

  private static final String SALT_COLUMN = "_SALT";

  private final List<KeyColumn> columns;
  private final Salt salt;
  private final int buckets;

  private RowKeyLayout(List<KeyColumn> columns, Salt salt, int buckets) {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("a row key has at least one column");
    }
    for (KeyColumn column : columns.subList(0, columns.size() - 1)) {
      if (column.isTrailing()) {
        throw new IllegalArgumentException(column.name() + " can only be the last of " + columns);
      }
    }
    this.columns = columns;
    this.salt = salt;
    this.buckets = buckets;
  }

  public static RowKeyLayout of(KeyColumn... columns) {
    return of(Arrays.asList(columns));
  }

  public static RowKeyLayout of(List<KeyColumn> columns) {
    return new RowKeyLayout(columns, null, 0);
  }

  /**
   * A layout whose first byte is the salt of the rest.
   *
   * @param columns all columns of the key, without one for the salt
   * @param buckets the number of salts: 0 to {@code buckets - 1}
   */
  public static RowKeyLayout salted(List<KeyColumn> columns, int buckets, Salt salt) {
    return new RowKeyLayout(withSaltColumn(columns), salt, buckets);
  }

  /** As {@link #salted}, for columns that are not all of the key, so that salts cannot be known. */
  public static RowKeyLayout saltedPrefix(List<KeyColumn> columns, int buckets) {
    return new RowKeyLayout(withSaltColumn(columns), null, buckets);
  }

  private static List<KeyColumn> withSaltColumn(List<KeyColumn> columns) {
    KeyColumn[] all = new KeyColumn[columns.size() + 1];
    all[0] = KeyColumn.fixed(SALT_COLUMN, 1, false);
    for (int i = 0; i < columns.size(); i++) {
      all[i + 1] = columns.get(i);
    }
    return Arrays.asList(all);
  }

  int size() {
    return columns.size();
  }

  KeyColumn column(int index) {
    return columns.get(index);
  }

  /** How many salts there are; 0 if keys are not salted. */
  int buckets() {
    return buckets;
  }

  /** Where the column of index 0, as the caller counts without the salt, stands. */
  int firstColumn() {
    return buckets > 0 ? 1 : 0;
  }

  /** Returns whether rows can have more key columns than are known. */
  public boolean isOpen() {
    return salt == null;
  }

  /** Whether values of the last column may hold zero bytes. */
  boolean endsInZeros() {
    return columns.get(columns.size() - 1).isLast();
  }

  /** Whether the first byte of {@code key}, a whole key, is the salt of the rest. */
  boolean hasRightSalt(byte[] key) {
    return salt == null || salt.of(key, 1, key.length - 1) == key[0];
  }

  @Override
  public String toString() {
    return columns.toString();
  }
}
