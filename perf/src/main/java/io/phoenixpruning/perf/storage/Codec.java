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
package io.phoenixpruning.perf.storage;

import io.phoenixpruning.perf.harness.cluster.ClusterProcesses;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compression algorithm of column families, with the names of its implementations. */
enum Codec {
  NONE("none", null),
  SNAPPY("xerial", "aircompressor"),
  LZ4("lz4-java", "aircompressor"),
  GZ("Java", null),
  ZSTD("zstd-jni", "aircompressor"),
  LZMA("hadoop-xz", null);

  /** Kind of implementation. A server has one implementation of each algorithm. */
  enum Classes {
    /** Implementations with native libraries, where available. */
    NATIVE(Map.of()),
    /** Implementations in Java. */
    AIRCOMPRESSOR(
        Map.of(
            ClusterProcesses.DEFAULT_RESOURCE,
            "io/phoenixpruning/perf/harness/cluster/aircompressor.xml"));

    @SuppressWarnings("ImmutableEnumChecker") // Map.of()
    private final Map<String, String> settings;

    Classes(Map<String, String> settings) {
      this.settings = settings;
    }

    /** Returns the settings of a region server. */
    Map<String, String> settings() {
      return settings;
    }

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final String natively;

  /** Name of the implementation in Java, or null if there is none. */
  private final @Nullable String inJava;

  Codec(String natively, @Nullable String inJava) {
    this.natively = natively;
    this.inJava = inJava;
  }

  /** Returns the elements of {@code codecs} that {@code classes} implement. */
  static List<Codec> of(Classes classes, List<Codec> codecs) {
    return codecs.stream().filter(codec -> codec.implementation(classes).isPresent()).toList();
  }

  private Optional<String> implementation(Classes classes) {
    return Optional.ofNullable(classes == Classes.NATIVE ? natively : inJava);
  }

  /**
   * Returns the name of the algorithm and of its implementation.
   *
   * @throws IllegalArgumentException if {@code classes} do not implement the algorithm
   */
  String title(Classes classes) {
    String implementation =
        implementation(classes)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        this + " is not in " + classes + ", but " + Arrays.toString(values())));
    return this == NONE ? name() : name() + " (" + implementation + ")";
  }
}
