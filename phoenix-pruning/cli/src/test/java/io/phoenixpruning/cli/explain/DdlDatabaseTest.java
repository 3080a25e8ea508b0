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
package io.phoenixpruning.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.phoenix.pruning.explain.PlanSummary;
import org.apache.phoenix.schema.TableNotFoundException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class DdlDatabaseTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Path write(String name, String definitions) throws IOException {
    return Files.writeString(temporary.getRoot().toPath().resolve(name), definitions);
  }

  @Test
  public void aFileHasNoTablesOfAnother() throws Exception {
    Path one =
        write(
            "one", "CREATE TABLE T (K INTEGER PRIMARY KEY); CREATE TABLE ONE (K DATE PRIMARY KEY)");
    Path other = write("other", "CREATE TABLE T (K INTEGER PRIMARY KEY) SPLIT ON (1, 2)");
    try (DdlDatabase first = DdlDatabase.read(one);
        DdlDatabase second = DdlDatabase.read(other)) {
      String query = "SELECT * FROM T";
      assertThat(PlanSummary.of(first.connection(), query).regionsPlanned()).hasValue(1);
      assertThat(PlanSummary.of(second.connection(), query).regionsPlanned()).hasValue(3);
      assertThatThrownBy(() -> PlanSummary.of(second.connection(), "SELECT * FROM ONE"))
          .isInstanceOf(TableNotFoundException.class);
    }
  }
}
