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

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.DOMImplementation;
import org.w3c.dom.Element;

/**
 * An element of an HTML page that is also XML. All texts are escaped, so their content is never
 * markup.
 */
public final class Markup {

  private static final String HTML = "http://www.w3.org/1999/xhtml";

  private final Element element;

  private Markup(Element element) {
    this.element = element;
  }

  /**
   * Creates a page in English that needs no other file, and returns its body.
   *
   * @param title title in the browser, and first heading
   */
  public static Markup page(String title) throws IOException {
    Markup root;
    try {
      DOMImplementation dom =
          DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().getDOMImplementation();
      root = new Markup(dom.createDocument(HTML, "html", null).getDocumentElement());
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("Java's own XML parser cannot be used", e);
    }
    Markup head = root.with("lang", "en").child("head");
    head.child("meta").with("charset", "UTF-8");
    head.child("meta")
        .with("name", "viewport")
        .with("content", "width=device-width, initial-scale=1");
    head.add("title", title);
    try (InputStream css = Markup.class.getResourceAsStream("page.css")) {
      head.add("style", new String(css.readAllBytes(), StandardCharsets.UTF_8));
    }
    return root.child("body").add("h1", title);
  }

  /** Adds a child element and returns the child. */
  public Markup child(String name) {
    return new Markup(
        (Element) element.appendChild(element.getOwnerDocument().createElementNS(HTML, name)));
  }

  /** Adds a child element with a text, and returns this element. */
  public Markup add(String name, String text) {
    child(name).text(text);
    return this;
  }

  /** Adds text, and returns this element. */
  public Markup text(String text) {
    // An element without content has no form that is both XML and HTML.
    String shown = text.isEmpty() ? "\u00A0" : xml(text);
    element.appendChild(element.getOwnerDocument().createTextNode(shown));
    return this;
  }

  /** Sets an attribute, and returns this element. */
  public Markup with(String name, String value) {
    element.setAttribute(name, xml(value));
    return this;
  }

  /** Adds a table and returns its body, to which rows can be added. */
  public Markup table(Iterable<String> columns) {
    Markup table = child("div").with("class", "wide").child("table");
    Markup header = table.child("thead").child("tr");
    for (String column : columns) {
      header.child("th").with("scope", "col").text(column);
    }
    return table.child("tbody");
  }

  /** Adds a cell with a number to this table row, and returns the cell. */
  public Markup number(String text) {
    return child("td").with("class", "number").text(text);
  }

  /** Adds a copy of an element of another document. */
  void addCopy(Element other) {
    element.appendChild(element.getOwnerDocument().importNode(other, true));
  }

  /** Returns the text of the whole page that contains this element. */
  public String written() {
    try {
      Transformer transformer = TransformerFactory.newDefaultInstance().newTransformer();
      transformer.setOutputProperty(OutputKeys.METHOD, "xml");
      transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
      StringWriter text = new StringWriter();
      text.append("<!DOCTYPE html>\n");
      transformer.transform(
          new DOMSource(element.getOwnerDocument().getDocumentElement()), new StreamResult(text));
      return text.append('\n').toString();
    } catch (TransformerException e) {
      throw new IllegalStateException("The page cannot be written as XML", e);
    }
  }

  /**
   * Replaces characters that XML does not allow even if escaped, such as most control characters.
   */
  private static String xml(String text) {
    return text.codePoints()
        .map(c -> isXml(c) ? c : 0xFFFD)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static boolean isXml(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (c >= 0x20 && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || c >= 0x10000;
  }
}
