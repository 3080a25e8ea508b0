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
package io.phoenixpruning.perf.bench;

import io.phoenixpruning.perf.cluster.ClusterProcesses;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What servers compress with. */
enum Codec {
  NONE("none", null),
  SNAPPY("xerial", "aircompressor"),
  LZ4("lz4-java", "aircompressor"),
  GZ("Java", null),
  ZSTD("zstd-jni", "aircompressor"),
  LZMA("hadoop-xz", null);

  /** Which classes a server compresses with; it has one for each algorithm. */
  enum Classes {
    /** With libraries in C, where there are any. */
    NATIVE(Map.of()),
    /** In Java. */
    AIRCOMPRESSOR(
        Map.of(
            ClusterProcesses.DEFAULT_RESOURCE, "io/phoenixpruning/perf/cluster/aircompressor.xml"));

    @SuppressWarnings("ImmutableEnumChecker") // Map.of()
    private final Map<String, String> settings;

    Classes(Map<String, String> settings) {
      this.settings = settings;
    }

    /** Of a region server. */
    Map<String, String> settings() {
      return settings;
    }

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final String natively;
  private final String inJava;

  Codec(String natively, String inJava) {
    this.natively = natively;
    this.inJava = inJava;
  }

  /** Those of {@code codecs} that are there in these classes. */
  static List<Codec> of(Classes classes, List<Codec> codecs) {
    return codecs.stream().filter(codec -> codec.implementation(classes).isPresent()).toList();
  }

  private Optional<String> implementation(Classes classes) {
    return Optional.ofNullable(classes == Classes.NATIVE ? natively : inJava);
  }

  /**
   * Its name, with what implements it.
   *
   * @throws IllegalArgumentException if nothing does
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
