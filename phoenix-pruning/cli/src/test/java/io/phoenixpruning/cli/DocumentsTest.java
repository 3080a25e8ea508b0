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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Tests the sentences and the links of all documents. Checkstyle tests those of the code. */
@RunWith(Parameterized.class)
public class DocumentsTest {

  private static final Path ROOT = Path.of("..", "..");

  private static final int MAX_WORDS = 30;

  private static final Pattern END_OF_SENTENCE = Pattern.compile("(?<=[.!?:;])\\s+");

  /** The phrases that config/checkstyle.xml does not allow in comments. */
  private static final Pattern PRIVATE_WORDS =
      Pattern.compile(
          "(?i)\\b(?:mends?|mended|hears of|so many|in the place of|is there none|the one of an?"
              + "|what came|in vain|left behind|behavior\\w*|neighbor\\w*|recognis\\w*)\\b");

  @Parameter public Path document;

  /** Returns the Markdown files of the top folder and of docs. */
  @Parameters(name = "{0}")
  public static List<Path> documents() throws IOException {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(top, docs)
          .filter(path -> path.toString().endsWith(".md"))
          .map(ROOT::relativize)
          .sorted()
          .toList();
    }
  }

  @Test
  public void hasNoLongSentence() throws IOException {
    assertThat(texts().stream().flatMap(END_OF_SENTENCE::splitAsStream))
        .allSatisfy(
            sentence ->
                assertThat(sentence.split("\\s+").length)
                    .as("words of: %s", sentence)
                    .isLessThanOrEqualTo(MAX_WORDS));
  }

  @Test
  public void hasNoPrivateWords() throws IOException {
    assertThat(texts()).noneMatch(text -> PRIVATE_WORDS.matcher(text).find());
  }

  @Test
  public void linksToFilesAndHeadingsThatExist() throws IOException {
    for (String link : links()) {
      String[] parts = link.split("#", 2);
      Path file = ROOT.resolve(document).resolveSibling(parts[0]).normalize();
      Path target = parts[0].isEmpty() ? ROOT.resolve(document) : file;

      assertThat(target).as(link).exists();
      if (parts.length == 2) {
        assertThat(anchors(target)).as(link).contains(parts[1]);
      }
    }
  }

  /** Returns the text of each paragraph, list item, heading and table cell, without code. */
  private List<String> texts() throws IOException {
    List<String> texts = new ArrayList<>();
    parse(ROOT.resolve(document))
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(Paragraph paragraph) {
                texts.add(text(paragraph, "code"));
              }

              @Override
              public void visit(Heading heading) {
                texts.add(text(heading, "code"));
              }

              @Override
              public void visit(CustomNode node) {
                if (node instanceof TableCell) {
                  texts.add(text(node, "code"));
                } else {
                  visitChildren(node);
                }
              }
            });
    return texts;
  }

  /** Returns the links to files of the project, such as {@code ../README.md#build}. */
  private List<String> links() throws IOException {
    List<String> links = new ArrayList<>();
    parse(ROOT.resolve(document))
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(Link link) {
                add(link.getDestination());
              }

              @Override
              public void visit(Image image) {
                add(image.getDestination());
              }

              private void add(String destination) {
                if (!destination.matches("(?:https?|mailto):.*")) {
                  links.add(destination);
                }
              }
            });
    return links;
  }

  /** Returns the anchors of the headings of a document. */
  private static Set<String> anchors(Path file) throws IOException {
    Set<String> anchors = new HashSet<>();
    IdGenerator ids = IdGenerator.builder().build();
    parse(file)
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(Heading heading) {
                anchors.add(ids.generateId(text(heading, null)));
              }
            });
    return anchors;
  }

  /**
   * Returns the text of a block without the descriptions of images.
   *
   * @param code text that replaces each piece of code; null if it stays as it is
   */
  private static String text(Node block, String code) {
    StringBuilder text = new StringBuilder();
    block.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text literal) {
            text.append(literal.getLiteral());
          }

          @Override
          public void visit(Code literal) {
            text.append(code == null ? literal.getLiteral() : code);
          }

          @Override
          public void visit(SoftLineBreak lineBreak) {
            text.append(' ');
          }

          @Override
          public void visit(Image image) {}
        });
    return text.toString();
  }

  private static Node parse(Path file) throws IOException {
    return Parser.builder()
        .extensions(List.of(TablesExtension.create()))
        .build()
        .parse(Files.readString(file));
  }
}
