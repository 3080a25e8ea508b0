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
import org.jspecify.annotations.Nullable;

/**
 * The columns of a row key, in key order. A complete key is the sequence of their tokens, without
 * trailing nulls and without the separator of the last ascending column.
 *
 * <p>A layout is <em>open</em> if keys may continue after its last column. For example, a view may
 * have further key columns, or a caller may not support some columns. Only a layout from {@link
 * #salted} is closed, because the salt is computed from all bytes of the key.
 */
public final class RowKeyLayout {

  /** Computes the salt byte of a row key. */
  public interface Salt {

    /**
     * Returns the salt of {@code length} bytes of {@code key}, starting at {@code offset}. The
     * bytes do not include the salt.
     */
    byte compute(byte[] key, int offset, int length);
  }

  private static final String SALT_COLUMN = "_SALT";

  private final List<KeyColumn> columns;

  /** Computes the salt of a key; null if the layout is open. */
  private final @Nullable Salt salt;

  private final int buckets;

  private RowKeyLayout(List<KeyColumn> columns, @Nullable Salt salt, int buckets) {
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
   * Returns a layout whose first byte is the salt of the rest.
   *
   * @param columns all columns of the key, except the salt
   * @param buckets the number of salts, which are 0 to {@code buckets - 1}
   */
  public static RowKeyLayout salted(List<KeyColumn> columns, int buckets, Salt salt) {
    return new RowKeyLayout(withSaltColumn(columns), salt, buckets);
  }

  /**
   * Returns a salted layout for columns that are not the complete key, so the salts cannot be
   * computed.
   */
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

  /** Returns the number of salts, or 0 if keys are not salted. */
  int buckets() {
    return buckets;
  }

  /** Returns the position of the first column after the salt, which callers count as column 0. */
  int firstColumn() {
    return buckets > 0 ? 1 : 0;
  }

  /** Returns whether rows can have more key columns than are known. */
  public boolean isOpen() {
    return salt == null;
  }

  /** Returns whether values of the last column may contain zero bytes. */
  boolean endsInZeros() {
    return columns.get(columns.size() - 1).isLast();
  }

  /**
   * Returns whether the first byte of {@code key}, a complete key, is the salt of the rest. Returns
   * true if the layout is open.
   */
  boolean hasValidSalt(byte[] key) {
    return salt == null || salt.compute(key, 1, key.length - 1) == key[0];
  }

  @Override
  public String toString() {
    return columns.toString();
  }
}
