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

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;

/** Output and exit code of a command that ran in this process. */
record CommandRun(int exitCode, String out, String err) {

  static CommandRun of(String command, Object... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Pruning.execute(
            new PrintWriter(out),
            new PrintWriter(err),
            Stream.concat(Stream.of(command), Stream.of(args).map(Object::toString))
                .toArray(String[]::new));
    return new CommandRun(exitCode, out.toString(), err.toString());
  }
}
