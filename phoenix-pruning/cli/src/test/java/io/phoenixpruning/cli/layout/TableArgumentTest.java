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
package io.phoenixpruning.cli.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phoenixpruning.cli.console.RefusedException;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests the names of tables on a command line. */
@RunWith(JUnitParamsRunner.class)
public class TableArgumentTest {

  @Test
  public void namesAreThoseOfSql() {
    assertThat(TableArgument.parse("t").name()).isEqualTo("T");
    assertThat(TableArgument.parse("\"t\"").name()).isEqualTo("t");
    assertThat(TableArgument.parse("s.t_1").name()).isEqualTo("S.T_1");
    assertThat(TableArgument.parse("\"s\".T").name()).isEqualTo("s.T");
    assertThat(TableArgument.parse("S.\"my-table\"").name()).isEqualTo("S.my-table");
  }

  private static List<String> invalidNames() {
    return List.of("", " ", "a.b.c", "t;", "\"t", "t u", ".t", "s.", "\"\"", "t--", "'t'");
  }

  @Test
  @Parameters(method = "invalidNames")
  public void aNameThatIsNotATableNameIsRefused(String name) {
    assertThatThrownBy(() -> TableArgument.parse(name))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("TABLE '" + name + "' is not the name of a table. Expected T, ");
  }
}
