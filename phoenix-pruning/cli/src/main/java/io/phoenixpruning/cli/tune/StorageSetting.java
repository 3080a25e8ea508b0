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
package io.phoenixpruning.cli.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.QueryConstants;

/**
 * A setting of a column family of a table with local indexes, with its recommended value. {@code
 * docs/tuning.md} has the measurements.
 *
 * @param family name of the column family in HBase
 * @param isIndex whether the family holds the rows of local indexes
 * @param name name of the setting in HBase and SQL, such as {@code DATA_BLOCK_ENCODING}
 * @param now current value
 * @param recommended recommended value; equals {@code now} if no change is needed
 * @param reason reason for the recommendation, as a sentence without its full stop
 * @param possible value that would be better if all servers supported it, or empty if there is none
 */
public record StorageSetting(
    String family,
    boolean isIndex,
    String name,
    String now,
    String recommended,
    String reason,
    Optional<String> possible) {

  /** Settings that are checked. */
  private enum Kind {
    DATA_BLOCK_ENCODING(family -> family.getDataBlockEncoding().name()) {
      @Override
      String best(boolean isIndex, String now) {
        if (!isIndex) {
          return DataBlockEncoding.ROW_INDEX_V1.name();
        }
        return now.equals(DataBlockEncoding.DIFF.name()) ? now : DataBlockEncoding.FAST_DIFF.name();
      }

      @Override
      String reason(boolean isIndex) {
        return isIndex
            ? "neighbouring keys of an index are alike, so its files become smaller; lookups along"
                + " it take the same time"
            : "rows that an index does not cover are looked up by key; with another encoding, each"
                + " lookup decodes its block from the start";
      }
    },

    COMPRESSION(family -> family.getCompressionType().name()) {
      @Override
      String best(boolean isIndex, String now) {
        return now.equals(Compression.Algorithm.NONE.name())
                || now.equals(Compression.Algorithm.GZ.name())
            ? Compression.Algorithm.ZSTD.name()
            : now;
      }

      @Override
      String reason(boolean isIndex) {
        return "files become much smaller, and blocks in the block cache are not compressed";
      }
    },

    BLOCKCACHE(family -> Boolean.toString(family.isBlockCacheEnabled())) {
      @Override
      String best(boolean isIndex, String now) {
        return Boolean.toString(true);
      }

      @Override
      String reason(boolean isIndex) {
        return "without the block cache, each lookup reads its blocks from files";
      }
    };

    @SuppressWarnings("ImmutableEnumChecker") // A method reference
    private final Function<ColumnFamilyDescriptor, String> value;

    Kind(Function<ColumnFamilyDescriptor, String> value) {
      this.value = value;
    }

    abstract String best(boolean isIndex, String now);

    abstract String reason(boolean isIndex);
  }

  /**
   * Returns the settings of all families of a table, family by family.
   *
   * @param codecs compression codecs that the servers are known to have; no other codec is
   *     recommended
   */
  public static List<StorageSetting> of(
      ColumnFamilyDescriptor[] families, Set<Compression.Algorithm> codecs) {
    List<StorageSetting> settings = new ArrayList<>();
    for (ColumnFamilyDescriptor family : families) {
      for (Kind kind : Kind.values()) {
        settings.add(of(family, kind, codecs));
      }
    }
    return settings;
  }

  private static StorageSetting of(
      ColumnFamilyDescriptor family, Kind kind, Set<Compression.Algorithm> codecs) {
    String name = Bytes.toString(family.getName());
    boolean isIndex = name.startsWith(QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX);
    String now = kind.value.apply(family);
    String best = kind.best(isIndex, now);
    boolean isMissing =
        kind == Kind.COMPRESSION
            && !best.equals(now)
            && !codecs.contains(Compression.Algorithm.valueOf(best));
    return new StorageSetting(
        name,
        isIndex,
        kind.name(),
        now,
        isMissing ? now : best,
        kind.reason(isIndex),
        isMissing ? Optional.of(best) : Optional.empty());
  }

  /** Returns true if the setting has the recommended value. */
  public boolean isGood() {
    return now.equals(recommended);
  }
}
