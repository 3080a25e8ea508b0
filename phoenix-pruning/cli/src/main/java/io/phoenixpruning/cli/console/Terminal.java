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
package io.phoenixpruning.cli.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;

/**
 * The original standard streams of this process, even if {@link System#out} and {@link System#err}
 * were replaced.
 */
public final class Terminal {

  public static final PrintStream OUT = stream(FileDescriptor.out);
  public static final PrintStream ERR = stream(FileDescriptor.err);

  private Terminal() {}

  /** Returns true if standard input and standard output are a terminal. */
  public static boolean isInteractive() {
    return System.console() != null;
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, Charset.defaultCharset());
  }
}
