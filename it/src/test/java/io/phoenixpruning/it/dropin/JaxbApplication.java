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
package io.phoenixpruning.it.dropin;

import java.io.StringWriter;
import javax.xml.bind.JAXBContext;
import javax.xml.bind.Marshaller;
import javax.xml.bind.annotation.XmlRootElement;

/** Writes an object as XML with JAXB, and prints it. */
final class JaxbApplication {

  private JaxbApplication() {}

  public static void main(String[] arguments) throws Exception {
    Marshaller marshaller = JAXBContext.newInstance(Greeting.class).createMarshaller();
    marshaller.setProperty(Marshaller.JAXB_FRAGMENT, true);
    StringWriter xml = new StringWriter();
    marshaller.marshal(new Greeting(), xml);
    System.out.print(xml);
  }

  @XmlRootElement
  static class Greeting {
    public String text = "JAXB writes.";
  }
}
