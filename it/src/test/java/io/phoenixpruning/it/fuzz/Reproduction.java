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
package io.phoenixpruning.it.fuzz;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.commons.text.StringEscapeUtils;

/** Writes a failing query as a JUnit test that does not need the generators of this package. */
final class Reproduction {

  private static final String PREFIX = "R";

  private Reproduction() {}

  /** Returns the source of a test class named {@code name} for the package of {@link FuzzIT}. */
  static String test(String name, RandomTable table, RandomQuery query, Disagreement why) {
    List<String> lines = new ArrayList<>();
    lines.add("package io.phoenixpruning.it.fuzz;");
    lines.add("");
    lines.add("import static org.assertj.core.api.Assertions.assertThat;");
    lines.add("");
    lines.add("import io.phoenixpruning.it.ClusterTest;");
    lines.add("import java.math.BigDecimal;");
    lines.add("import java.util.Arrays;");
    lines.add("import java.util.List;");
    lines.add("import org.apache.calcite.avatica.util.ByteString;");
    lines.add("import org.junit.Test;");
    lines.add("");
    lines.add("/*");
    why.toString().lines().forEach(line -> lines.add(" * " + line.replace("*/", "* /")));
    lines.add(" */");
    lines.add("public class " + name + " extends ClusterTest {");
    lines.add("");
    lines.add("  @Test");
    lines.add("  public void agrees() throws Exception {");
    lines.add("    RandomTable table =");
    lines.add("        new RandomTable(");
    lines.add("            " + columns(table.columns()) + ",");
    lines.add("            " + string(table.properties()) + ",");
    lines.add("            " + table.saltBuckets() + ",");
    lines.add("            " + strings(table.indexes()) + ",");
    lines.add("            " + table.view() + ",");
    lines.add("            " + table.tenant() + ",");
    lines.add("            " + list(table.splits()) + ",");
    lines.add("            " + table.statistics() + ",");
    lines.add("            " + table.verified() + ",");
    lines.add("            " + rows(table.rows()) + ",");
    lines.add("            " + columns(table.partnerColumns()) + ",");
    lines.add("            " + rows(table.partners()) + ");");
    lines.add("    // " + RandomTable.name(table.createTable(), PREFIX));
    lines.add(
        "    // "
            + RandomTable.name(query.sql().phoenix().replace("%hint", query.hinted()), PREFIX));
    lines.add("    Sql where =");
    lines.add("        new Sql(");
    lines.add("            " + string(query.where().sql().phoenix()) + ",");
    lines.add("            " + string(query.where().sql().calcite()) + ",");
    lines.add("            " + list(query.where().sql().binds()) + ");");
    lines.add("    RandomQuery query =");
    lines.add("        new RandomQuery(");
    lines.add("            RandomQuery.Form." + query.form() + ",");
    lines.add("            " + string(query.relation()) + ",");
    lines.add("            " + query.ofTenant() + ",");
    lines.add("            " + string(query.index()) + ",");
    lines.add("            " + string(query.options()) + ",");
    lines.add("            " + string(query.text()) + ",");
    lines.add("            new Condition.Leaf(" + string(kind(query)) + ", where));");
    lines.add(
        "    assertThat(FuzzCase.check(getUrl(), getUtility().getAdmin(), table, query)).isEmpty();");
    lines.add("  }");
    lines.add("}");
    return String.join("\n", lines) + "\n";
  }

  private static String kind(RandomQuery query) {
    return String.join(" ", query.where().kinds());
  }

  private static String columns(List<Column> columns) {
    return columns.stream()
        .map(
            column ->
                String.format(
                    "new Column(%s, ValueType.%s, %s, %s, %s, %s)",
                    string(column.name()),
                    column.type(),
                    column.key(),
                    column.nullable(),
                    column.descending(),
                    column.family() == null ? "null" : string(column.family())))
        .collect(Collectors.joining(",\n                ", "List.of(\n                ", ")"));
  }

  private static String rows(List<List<Object>> rows) {
    return rows.stream()
        .map(Reproduction::list)
        .collect(Collectors.joining(",\n                ", "List.of(\n                ", ")"));
  }

  private static String strings(List<String> strings) {
    return strings.stream()
        .map(Reproduction::string)
        .collect(Collectors.joining(", ", "List.of(", ")"));
  }

  private static String list(List<?> values) {
    return values.stream()
        .map(Reproduction::value)
        .collect(Collectors.joining(", ", "Arrays.asList(", ")"));
  }

  private static String value(Object value) {
    if (value instanceof BigDecimal number) {
      return "new BigDecimal(\"" + number + "\")";
    }
    if (value instanceof String text) {
      return string(text);
    }
    if (value instanceof ByteString bytes) {
      return "ByteString.of(\"" + bytes.toString(16) + "\", 16)";
    }
    if (value instanceof byte[] bytes) {
      return value(new ByteString(bytes)) + ".getBytes()";
    }
    if (value instanceof java.util.Date time) {
      return "new " + time.getClass().getName() + "(" + time.getTime() + "L)";
    }
    if (value instanceof Byte || value instanceof Short) {
      return "(" + (value instanceof Byte ? "byte" : "short") + ") " + value;
    }
    return value instanceof Long ? value + "L" : value instanceof Float ? value + "f" : "" + value;
  }

  private static String string(String text) {
    return "\"" + StringEscapeUtils.escapeJava(text) + "\"";
  }
}
