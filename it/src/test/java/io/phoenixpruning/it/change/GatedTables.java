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
package io.phoenixpruning.it.change;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.hbase.client.AbstractClientScanner;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.HTableFactory;
import org.apache.phoenix.util.InstanceResolver;
import org.apache.phoenix.util.PhoenixRuntime;
import org.apache.phoenix.util.ScanUtil;

/**
 * Creates tables for Phoenix's client whose scans of a local index pass the {@link Gate} of their
 * statement. Phoenix looks up this factory when it opens its first table. The factory identifies
 * the statement by an annotation of the connection, which Phoenix adds to each scan.
 */
final class GatedTables implements HTableFactory {

  private static final String ANNOTATION = "gate";

  /** Connection property that determines which gate the scans of the connection pass. */
  static final String PROPERTY = PhoenixRuntime.ANNOTATION_ATTRIB_PREFIX + ANNOTATION;

  private final HTableFactory factory = new HTableFactoryImpl();
  private final Map<String, Gate> gates = new ConcurrentHashMap<>();

  private GatedTables() {}

  /** Makes Phoenix use this factory. Must be called before the cluster starts. */
  static GatedTables install() {
    InstanceResolver.clearSingletons();
    return (GatedTables) InstanceResolver.getSingleton(HTableFactory.class, new GatedTables());
  }

  /** Makes Phoenix use its own factory again. */
  static void uninstall() {
    InstanceResolver.clearSingletons();
  }

  /** Sets the gate that the scans of connections with this property pass. */
  void set(String property, Gate gate) {
    gates.put(property, gate);
  }

  void remove(String property) {
    gates.remove(property);
  }

  @Override
  public Table getTable(byte[] tableName, Connection connection, ExecutorService pool)
      throws IOException {
    Table table = factory.getTable(tableName, connection, pool);
    return (Table)
        Proxy.newProxyInstance(
            Table.class.getClassLoader(),
            new Class<?>[] {Table.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getScanner")
                  && arguments.length == 1
                  && arguments[0] instanceof Scan scan) {
                return getScanner(table, scan);
              }
              try {
                return method.invoke(table, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private ResultScanner getScanner(Table table, Scan scan) throws IOException {
    Gate gate = gateOf(scan);
    if (gate == null) {
      return table.getScanner(scan);
    }
    gate.pass(Gate.Place.OPENING);
    return new GatedScanner((AbstractClientScanner) table.getScanner(scan), gate);
  }

  private Gate gateOf(Scan scan) {
    byte[] annotations = ScanUtil.getCustomAnnotations(scan);
    if (annotations == null || !ScanUtil.isLocalIndex(scan)) {
      return null;
    }
    // The text is the result of Map.toString().
    String text = Bytes.toString(annotations);
    return gates.get(text.substring(("{" + ANNOTATION + "=").length(), text.length() - 1));
  }

  private static final class GatedScanner extends AbstractClientScanner {

    private final AbstractClientScanner scanner;
    private final Gate gate;

    GatedScanner(AbstractClientScanner scanner, Gate gate) {
      this.scanner = scanner;
      this.gate = gate;
    }

    @Override
    public Result next() throws IOException {
      gate.read();
      Result row = scanner.next();
      if (row != null) {
        gate.pass(Gate.Place.ROW);
      }
      return row;
    }

    @Override
    public void close() {
      scanner.close();
    }

    @Override
    public boolean renewLease() {
      return scanner.renewLease();
    }

    @Override
    public ScanMetrics getScanMetrics() {
      return scanner.getScanMetrics();
    }
  }
}
