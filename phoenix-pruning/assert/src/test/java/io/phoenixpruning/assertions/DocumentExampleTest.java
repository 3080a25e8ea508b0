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
package io.phoenixpruning.assertions;

import static io.phoenixpruning.assertions.PlanAssertions.assertThatPlan;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.apache.phoenix.pruning.prune.PruningRule;
import org.junit.Test;

/** Checks that the example in docs/explain.md compiles and passes. */
public class DocumentExampleTest {

  private static String page() throws IOException {
    return Files.readString(Path.of("..", "..", "docs", "explain.md"));
  }

  private static String between(String text, String start, String end) {
    int from = text.indexOf(start);
    assertThat(from).as(start).isNotNegative();
    return text.substring(from + start.length(), text.indexOf(end, from + start.length()));
  }

  @Test
  public void theAssertionsOfTheExamplePass() throws IOException, SQLException {
    Properties properties = new Properties();
    properties.setProperty("phoenix.index.population.wait.time", "0");
    try (Connection connection = DriverManager.getConnection("jdbc:phoenix:none", properties);
        Statement statement = connection.createStatement()) {
      for (String ddl : between(page(), "-- schema.sql\n", "```").strip().split(";")) {
        statement.execute(ddl);
      }
      // BEGIN
      assertThatPlan(
              connection, "SELECT ID FROM ORDERS WHERE STATUS = ? AND CUSTOMER = 250", "open")
          .usesIndex("ORDERS_STATUS")
          .plansRegions(1)
          .prunesBy(PruningRule.PRIMARY_KEY);
      // END
    }
  }

  @Test
  public void theExampleIsThisTest() throws IOException {
    String source =
        Files.readString(
            Path.of(
                "src/test/java", DocumentExampleTest.class.getName().replace('.', '/') + ".java"));
    assertThat(between(source, "// BEGIN\n", "// END"))
        .isEqualToIgnoringWhitespace(between(page(), "```java\n", "```"));
  }
}
