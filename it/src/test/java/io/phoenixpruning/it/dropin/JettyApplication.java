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

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/** Serves one page with Jetty, and prints the response. */
final class JettyApplication {

  private JettyApplication() {}

  public static void main(String[] arguments) throws Exception {
    Server server = new Server(0);
    ServletContextHandler pages = new ServletContextHandler();
    pages.addServlet(new ServletHolder(new Greeting()), "/");
    server.setHandler(pages);
    server.start();
    try {
      int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
      System.out.print(
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/")).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body());
    } finally {
      server.stop();
    }
  }

  static final class Greeting extends HttpServlet {

    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().print("Jetty serves.");
    }
  }
}
