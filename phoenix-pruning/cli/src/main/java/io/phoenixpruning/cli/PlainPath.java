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
package io.phoenixpruning.cli;

import io.phoenixpruning.cli.console.RefusedException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/**
 * Checks for folders whose path differs in a URI, such as a path with a blank or an umlaut. HBase
 * treats paths as URIs in some places but not in others, so it does not start in such a folder.
 */
public final class PlainPath {

  private PlainPath() {}

  /** Returns true if HBase can keep its files in {@code folder}. */
  static boolean isPlain(Path folder) {
    URI uri = folder.toUri();
    return uri.getRawPath().equals(uri.getPath());
  }

  /**
   * Checks the folder for temporary files before a cluster keeps its files there.
   *
   * @throws RefusedException if HBase does not accept the folder
   * @throws IOException if the folder does not exist
   */
  public static void requireTemporary() throws IOException {
    // HBase gets the path without symbolic links.
    Path folder = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
    if (!isPlain(folder)) {
      throw new RefusedException(
          "TMPDIR is "
              + folder
              + ", which has a character that HBase does not accept, such as a blank. Expected"
              + " ASCII letters, digits and signs. Set TMPDIR to another folder");
    }
  }
}
