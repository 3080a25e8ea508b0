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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phoenixpruning.cli.console.RefusedException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Tests written pages by reading them back as XML. */
public class AdviceHtmlTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private String text;

  private Document page(Advice advice) throws Exception {
    Path file = temporary.getRoot().toPath().resolve("report.html");
    new AdviceHtml(file).write(advice);
    assertThat(temporary.getRoot().list()).containsExactly("report.html");
    text = Files.readString(file);
    return DocumentBuilderFactory.newDefaultNSInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(text)));
  }

  private static List<Element> all(Document page, String name) {
    NodeList nodes = page.getElementsByTagNameNS("*", name);
    return IntStream.range(0, nodes.getLength()).mapToObj(i -> (Element) nodes.item(i)).toList();
  }

  private static List<Attr> attributes(Document page) {
    List<Attr> all = new ArrayList<>();
    for (Element element : all(page, "*")) {
      NamedNodeMap attributes = element.getAttributes();
      for (int i = 0; i < attributes.getLength(); i++) {
        all.add((Attr) attributes.item(i));
      }
    }
    return all;
  }

  private static List<String> texts(Element parent, String name) {
    NodeList nodes = parent.getElementsByTagNameNS("*", name);
    return IntStream.range(0, nodes.getLength())
        .mapToObj(i -> nodes.item(i).getTextContent())
        .toList();
  }

  private static Element chart(Document page, int number) {
    return all(page, "svg").get(number);
  }

  @Test
  public void thePageHasATitleAndALanguage() throws Exception {
    Document page = page(Samples.changes());
    assertThat(text).startsWith("<!DOCTYPE html>\n<html ");
    assertThat(page.getDocumentElement().getAttribute("lang")).isEqualTo("en");
    assertThat(texts(all(page, "head").get(0), "title")).containsExactly("Advice on local indexes");
  }

  @Test
  public void chartsHaveTitlesAndTextThatCanBeSearched() throws Exception {
    Document page = page(Samples.changes());
    assertThat(all(page, "svg"))
        .hasSize(3)
        .allSatisfy(
            svg -> {
              assertThat(svg.getAttribute("role")).isEqualTo("img");
              Element title = (Element) svg.getElementsByTagNameNS("*", "title").item(0);
              assertThat(title.getAttribute("id")).isEqualTo(svg.getAttribute("aria-labelledby"));
              assertThat(title.getTextContent()).isNotBlank();
            });
    assertThat(texts(chart(page, 0), "text"))
        .contains("\"t<v>\"", "T_K1_V", "T_W", "create", "keep", "drop");
    assertThat(texts(chart(page, 1), "text"))
        .containsExactlyInAnyOrder("1", "10", "100", "1", "2", "before", "after");
    assertThat(texts(chart(page, 2), "text"))
        .containsExactlyInAnyOrder(
            "0.01", "0.1", "1", "10", "100", "1,000", "1", "2", "before", "after");
    // Letters as outlines would have curves.
    assertThat(all(page, "path")).noneMatch(path -> path.getAttribute("d").matches(".*[QC].*"));
    assertThat(text).hasSizeLessThan(100_000);
  }

  @Test
  public void theTablesHaveTheFiguresOfTheCharts() throws Exception {
    Document page = page(Samples.changes());
    assertThat(texts(page.getDocumentElement(), "tr"))
        .contains(
            "scan RPCs1,21113.5-98.9 %",
            "bytes4.5 GiB15.9 KiB-99.9 %",
            "createT_K1_Vrearranged[K1], V, WA.X1, 2measured: an UPSERT takes 1.35 times"
                + " as long (1.20 to 1.51 in 7 rounds of 2,000 rows); estimated: 96 bytes a row"
                + "one region instead of 20 is read",
            "1" + Samples.SCRIPT + "q.sql:2:13before204004,000,0001.5 GiBS.T",
            "after11403.8 KiBT_K1_V of S.T",
            "L#0DATA_BLOCK_ENCODINGNONEFAST_DIFFkeys that follow each other begin alike");
    assertThat(texts(page.getDocumentElement(), "li")).hasSize(3);
    assertThat(texts(page.getDocumentElement(), "pre"))
        .startsWith(String.join(";\n", Samples.changes().ddl()) + ";");
  }

  @Test
  public void textOfUsersIsEscaped() throws Exception {
    Document page = page(Samples.changes());
    assertThat(all(page, "script")).isEmpty();
    assertThat(text).doesNotContain("<script").contains("&lt;script&gt;alert(1)&lt;/script&gt;");
    assertThat(texts(page.getDocumentElement(), "code")).contains(Samples.SCRIPT);
  }

  @Test
  public void charactersThatXmlDoesNotAllowAreReplaced() throws Exception {
    QueryCost cost = new QueryCost(1, 1, 1, 1, 1, List.of("T"));
    Document page =
        page(
            new Advice(
                List.of(),
                List.of(new QueryAdvice(1, "a\u0000\u001b\uD800b\uD83D\uDE00", "", 1, cost, cost)),
                List.of(),
                List.of()));
    assertThat(texts(page.getDocumentElement(), "code"))
        .containsExactly("a\uFFFD\uFFFD\uFFFDb\uD83D\uDE00");
  }

  @Test
  public void refusedStatementsAndDropsAreSetApart() throws Exception {
    Document page = page(Samples.changes());
    assertThat(texts(page.getDocumentElement(), "li"))
        .contains("q.sql:9:1: ERROR 504 (42703): Undefined column. columnName=T.<Y>");
    assertThat(texts(page.getDocumentElement(), "pre"))
        .hasSize(2)
        .last()
        .isEqualTo("-- DROP INDEX \"t<v>\" ON S.T;");
  }

  @Test
  public void thePageLoadsNothing() throws Exception {
    Document page = page(Samples.changes());
    assertThat(all(page, "*"))
        .extracting(Element::getLocalName)
        .doesNotContain("link", "img", "image", "use", "object", "iframe", "a");
    assertThat(attributes(page))
        .isNotEmpty()
        .extracting(Attr::getName)
        .doesNotContain("href", "xlink:href", "src", "srcset");
    assertThat(attributes(page))
        .filteredOn(attribute -> !attribute.getName().equals("xmlns"))
        .extracting(Attr::getValue)
        .noneMatch(value -> value.contains("//"));
    assertThat(texts(page.getDocumentElement(), "style"))
        .noneMatch(css -> css.contains("url(") || css.contains("@import"));
  }

  @Test
  public void idsAreUniqueAndAreUsed() throws Exception {
    Document page = page(Samples.changes());
    List<String> ids =
        all(page, "*").stream().map(e -> e.getAttribute("id")).filter(i -> !i.isEmpty()).toList();
    assertThat(ids).doesNotHaveDuplicates().contains("rpcs-clip0", "bytes-clip0", "writes-clip0");
    assertThat(all(page, "g").stream().map(g -> g.getAttribute("clip-path")))
        .filteredOn(clip -> !clip.isEmpty())
        .isNotEmpty()
        .allMatch(clip -> ids.contains(clip.replaceAll("url\\(#(.*)\\)", "$1")));
  }

  @Test
  public void aPageIsTheSameEachTime() throws Exception {
    page(Samples.changes());
    String first = text;
    page(Samples.changes());
    assertThat(text).isEqualTo(first);
  }

  @Test
  public void noChangeAndNoCost() throws Exception {
    Document page = page(Samples.noChange());
    assertThat(texts(page.getDocumentElement(), "p"))
        .contains("No change is proposed, and nothing was changed.");
    assertThat(all(page, "pre")).isEmpty();
    assertThat(all(page, "svg")).hasSize(2);
    page = page(new Advice(List.of(), List.of(), List.of(), List.of()));
    assertThat(all(page, "svg")).isEmpty();
  }

  @Test
  public void aLogarithmicScaleWithoutBars() throws Exception {
    QueryCost nothing = new QueryCost(0, 0, 0, 0, 0, List.of());
    List<QueryAdvice> queries = new ArrayList<>();
    for (int rpcs : List.of(1, 5_000)) {
      QueryCost before = new QueryCost(rpcs, rpcs, rpcs, rpcs, rpcs, List.of("T"));
      queries.add(new QueryAdvice(queries.size() + 1, "SELECT", "", 1, before, nothing));
    }
    Document page = page(new Advice(List.of(), queries, List.of(), List.of()));
    assertThat(texts(page.getDocumentElement(), "figcaption"))
        .first()
        .asString()
        .endsWith("The scale is logarithmic; a value of 0 has no bar.");
  }

  @Test
  public void onlyTheMostExpensiveQueriesAreCharted() throws Exception {
    List<QueryAdvice> queries = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      QueryCost cost = new QueryCost(i, i, i, i, i, List.of("T"));
      queries.add(new QueryAdvice(i, "SELECT " + i, "q.sql", 1, cost, cost));
    }
    Collections.shuffle(queries, new java.util.Random(1));
    Document page = page(new Advice(List.of(), queries, List.of(), List.of()));
    assertThat(texts(page.getDocumentElement(), "figcaption"))
        .first()
        .asString()
        .contains("The 40 highest of 100.");
    assertThat(texts(chart(page, 0), "text")).contains("100", "61").doesNotContain("60.5", "59");
    assertThat(texts(page.getDocumentElement(), "code")).hasSize(100);
  }

  @Test
  public void indexesWithTheSameNameAreDistinguishedByTheirTables() throws Exception {
    List<TableAdvice> tables = new ArrayList<>();
    for (String table : List.of("A.T", "B.T")) {
      IndexDefinition index = new IndexDefinition(table, "I", List.of(), List.of("V"), List.of());
      WriteCost write = WriteCost.estimated(10);
      tables.add(
          new TableAdvice(
              table,
              1,
              1,
              List.of(new IndexAdvice(IndexAdvice.Action.KEEP, index, write, List.of(), "it is")),
              List.of()));
    }
    Document page = page(new Advice(tables, List.of(), List.of(), List.of()));
    assertThat(texts(chart(page, 0), "text")).contains("I", "I of B.T");
  }

  @Test
  public void anExistingFileIsReplaced() throws Exception {
    Path file = Files.writeString(temporary.getRoot().toPath().resolve("report.html"), "old");
    new AdviceHtml(file).write(Samples.noChange());
    assertThat(Files.readString(file)).startsWith("<!DOCTYPE html>");
  }

  @Test
  public void filesThatCannotBeWrittenAreRefused() throws IOException {
    Path folder = temporary.getRoot().toPath();
    assertThatThrownBy(() -> new AdviceHtml(folder))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "'"
                + folder
                + "' is a folder. Expected a file for the report. Name a file in the folder");
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> new AdviceHtml(missing.resolve("report.html")))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "the report cannot be written to '"
                + missing.resolve("report.html")
                + "', because its folder does not exist. Create '"
                + missing
                + "', or name another file");
    // The temporary file in the same folder would need a longer name, which is not possible.
    Path tooLong = folder.resolve("r".repeat(250) + ".html");
    assertThatThrownBy(() -> new AdviceHtml(tooLong).write(Samples.noChange()))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("the report cannot be written to '" + tooLong + "' (")
        .hasMessageEndingWith("or name another file");
    assertThat(temporary.getRoot().list()).isEmpty();
  }
}
