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
package io.phoenixpruning.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.cli.explain.DdlDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Tests that an existing index is described by the statement that created it. */
public class ExistingIndexesTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  @Test
  public void anIndexHasTheDefinitionThatCreatedIt() throws Exception {
    List<String> definitions =
        List.of(
            "CREATE LOCAL INDEX I1 ON S.T (V)",
            "CREATE LOCAL INDEX I2 ON S.T (K1, V DESC) INCLUDE (W, A.X)",
            "CREATE LOCAL INDEX I3 ON S.T (A.X, V, K2)",
            "CREATE LOCAL INDEX I4 ON S.T (K2)",
            "CREATE LOCAL INDEX I5 ON S.T (UPPER(W), K1, K3)",
            "CREATE LOCAL INDEX \"i6\" ON S.T (K1, K2, \"w\")");
    Path file =
        Files.writeString(
            temporary.getRoot().toPath().resolve("schema.sql"),
            """
            CREATE TABLE S.T (K1 INTEGER NOT NULL, K2 VARCHAR NOT NULL, K3 INTEGER NOT NULL,
              V INTEGER, W VARCHAR, "w" VARCHAR, A.X DECIMAL
              CONSTRAINT PK PRIMARY KEY (K1, K2 DESC, K3)) SALT_BUCKETS = 4;%s"""
                .formatted(String.join(";", definitions)));
    try (DdlDatabase database = DdlDatabase.read(file)) {
      assertThat(ExistingIndexes.of(database.connection(), database.connection().getTable("S.T")))
          .extracting(IndexDefinition::create)
          .containsExactlyInAnyOrderElementsOf(definitions);
    }
  }
}
