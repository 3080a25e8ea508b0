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
package io.phoenixpruning.report.html;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Embeds charts in a page. The charts need no other file, and screen readers can read their titles.
 */
public final class Figure {

  private static final String SVG = "http://www.w3.org/2000/svg";
  private static final String XMLNS = "http://www.w3.org/2000/xmlns/";
  private static final String EXTERNAL_DTD =
      "http://apache.org/xml/features/nonvalidating/load-external-dtd";

  private final String id;
  private final Element svg;

  private Figure(String id, byte[] document) throws IOException {
    this.id = id;
    this.svg = parse(document).getDocumentElement();
  }

  /**
   * Adds a chart.
   *
   * @param id id of the chart; no other id of the page may begin with it
   * @param title description of the chart; screen readers read the title instead of the chart
   * @param caption how to read the chart
   */
  public static void add(Markup parent, String id, String title, String caption, Chart chart)
      throws IOException {
    Figure figure = new Figure(id, chart.svg());
    figure.nameParts();
    figure.title(title);
    Markup placed = parent.child("figure");
    placed.child("figcaption").add("b", title).text(". " + caption);
    placed.addCopy(figure.svg);
  }

  private static Document parse(byte[] svg) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
      factory.setFeature(EXTERNAL_DTD, false);
      DocumentBuilder builder = factory.newDocumentBuilder();
      return builder.parse(new ByteArrayInputStream(svg));
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException("The chart is not XML", e);
    }
  }

  /**
   * Renames the parts of the chart. Different charts may use the same names, but a name has to be
   * unique on a page.
   */
  private void nameParts() {
    svg.removeAttributeNS(XMLNS, "xlink");
    Map<String, String> names = new HashMap<>();
    NodeList paths = svg.getElementsByTagNameNS(SVG, "clipPath");
    for (int i = 0; i < paths.getLength(); i++) {
      Element path = (Element) paths.item(i);
      String name = id + "-clip" + i;
      names.put("url(#" + path.getAttribute("id") + ")", "url(#" + name + ")");
      path.setAttribute("id", name);
    }
    NodeList groups = svg.getElementsByTagNameNS(SVG, "g");
    for (int i = 0; i < groups.getLength(); i++) {
      Element group = (Element) groups.item(i);
      String clip = group.getAttribute("clip-path");
      if (!clip.isEmpty()) {
        group.setAttribute("clip-path", names.get(clip));
      }
    }
  }

  private void title(String text) {
    Element title = svg.getOwnerDocument().createElementNS(SVG, "title");
    title.setAttribute("id", id + "-title");
    title.setTextContent(text);
    svg.insertBefore(title, svg.getFirstChild());
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-labelledby", id + "-title");
  }
}
