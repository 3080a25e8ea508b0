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
package io.phoenixpruning.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.cli.tpch.TpchData;
import java.util.List;
import org.junit.Test;

public class DemoQueriesTest {

  private final List<DemoQuery> queries = new DemoQueries(new TpchData(0.0001), 10).all();

  @Test
  public void everyQueryCanAnswerThroughAnIndexAndFromTheTable() {
    assertThat(queries)
        .isNotEmpty()
        .allSatisfy(
            query ->
                assertThat(query.indexSql())
                    .startsWith("SELECT /*+ INDEX(LINEITEM " + query.index())
                    .endsWith(query.fromClause()))
        .extracting(DemoQuery::dataTableSql)
        .allMatch(sql -> sql.startsWith("SELECT /*+ NO_INDEX */ "));
  }

  @Test
  public void theConditionsArePartOfTheQuery() {
    assertThat(queries)
        .allSatisfy(
            query -> {
              assertThat(query.fromClause()).contains("WHERE " + query.conditions());
              assertThat(query.conditions()).matches("\\(?L_.*").doesNotContain("ORDER BY");
            })
        .extracting(DemoQuery::title)
        .doesNotHaveDuplicates();
  }
}
