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
package org.apache.phoenix.pruning.patch.configuration;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.StorageUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.phoenix.util.PropertiesUtil;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Calls each public method of Hadoop's {@link Configuration} on a {@link SharedConfiguration} and
 * on a copy that Phoenix makes. Both calls must return the same result, and both configurations
 * must have the same state afterwards.
 */
@RunWith(JUnitParamsRunner.class)
public class SharedConfigurationMethodsTest {

  /** Calls a method and returns the result to compare. */
  private interface Call {
    Object on(Configuration configuration) throws Exception;
  }

  private static Call call(Consumer<Configuration> call) {
    return configuration -> {
      call.accept(configuration);
      return null;
    };
  }

  private static InputStream resource() {
    return new ByteArrayInputStream(
        ("<configuration>"
                + "<property><name>of.resource</name><value>${java.io.tmpdir}</value></property>"
                + "<property><name>io.file.buffer.size</name><value>12</value>"
                + "<final>true</final><tag>PERFORMANCE</tag></property>"
                + "</configuration>")
            .getBytes(StandardCharsets.UTF_8));
  }

  private static URL url() {
    return Configuration.class.getClassLoader().getResource("later-defaults.xml");
  }

  private static Configuration other() {
    Configuration other = new Configuration(false);
    other.set("of.other", "${of.number}");
    return other;
  }

  /** Calls by the signature of the method. */
  private static final Map<String, Call> CALLS =
      Map.ofEntries(
          entry("addResource(String)", call(c -> c.addResource("later-defaults.xml"))),
          entry(
              "addResource(String,boolean)", call(c -> c.addResource("later-defaults.xml", true))),
          entry("addResource(URL)", call(c -> c.addResource(url()))),
          entry("addResource(URL,boolean)", call(c -> c.addResource(url(), true))),
          entry("addResource(Path)", call(c -> c.addResource(new Path(url().getPath())))),
          entry(
              "addResource(Path,boolean)",
              call(c -> c.addResource(new Path(url().getPath()), true))),
          entry("addResource(InputStream)", closed(InputStreams.PLAIN)),
          entry("addResource(InputStream,boolean)", closed(InputStreams.RESTRICTED)),
          entry("addResource(InputStream,String)", closed(InputStreams.NAMED)),
          entry("addResource(InputStream,String,boolean)", closed(InputStreams.NAMED_RESTRICTED)),
          entry("addResource(Configuration)", call(c -> c.addResource(other()))),
          entry("addTags(Properties)", call(c -> c.addTags(new Properties()))),
          entry("clear()", call(Configuration::clear)),
          entry("get(String)", c -> c.get("of.number")),
          entry("get(String,String)", c -> c.get("of.nobody", "${of.number}")),
          entry("getAllPropertiesByTag(String)", c -> c.getAllPropertiesByTag("PERFORMANCE")),
          entry(
              "getAllPropertiesByTags(List)",
              c -> c.getAllPropertiesByTags(List.of("PERFORMANCE", "REQUIRED"))),
          entry("getBoolean(String,boolean)", c -> c.getBoolean("of.flag", false)),
          entry("getClass(String,Class)", c -> c.getClass("of.class", null)),
          entry("getClass(String,Class,Class)", c -> c.getClass("of.class", null, Map.class)),
          entry("getClassByName(String)", c -> c.getClassByName("java.util.HashMap")),
          entry("getClassByNameOrNull(String)", c -> c.getClassByNameOrNull("of.Nobody")),
          entry("getClassLoader()", Configuration::getClassLoader),
          entry("getClasses(String,Class[])", c -> c.getClasses("of.class", Object.class)),
          entry(
              "getConfResourceAsInputStream(String)",
              c -> text(c.getConfResourceAsInputStream("later-defaults.xml"))),
          entry(
              "getConfResourceAsReader(String)",
              c -> text(c.getConfResourceAsReader("later-defaults.xml"))),
          entry("getDouble(String,double)", c -> c.getDouble("of.number", 0)),
          entry("getEnum(String,Enum)", c -> c.getEnum("of.unit", TimeUnit.DAYS)),
          entry("getFile(String,String)", c -> c.getFile("of.folder", "x")),
          entry("getFinalParameters()", Configuration::getFinalParameters),
          entry("getFloat(String,float)", c -> c.getFloat("of.number", 0)),
          entry("getInstances(String,Class)", c -> c.getInstances("of.class", Map.class)),
          entry("getInt(String,int)", c -> c.getInt("of.number", 0)),
          entry("getInts(String)", c -> c.getInts("of.number")),
          entry("getLocalPath(String,String)", c -> c.getLocalPath("of.folder", "x")),
          entry("getLong(String,long)", c -> c.getLong("of.number", 0)),
          entry("getLongBytes(String,long)", c -> c.getLongBytes("of.bytes", 0)),
          entry("getPassword(String)", c -> c.getPassword("of.number")),
          entry(
              "getPasswordFromCredentialProviders(String)",
              c -> c.getPasswordFromCredentialProviders("of.number")),
          entry("getPattern(String,Pattern)", c -> c.getPattern("of.number", null)),
          entry("getPropertySources(String)", c -> c.getPropertySources("of.number")),
          entry("getPropsWithPrefix(String)", c -> c.getPropsWithPrefix("of.")),
          entry("getRange(String,String)", c -> c.getRange("of.range", "1-2")),
          entry("getRaw(String)", c -> c.getRaw("of.reference")),
          entry("getResource(String)", c -> c.getResource("later-defaults.xml")),
          entry(
              "getSocketAddr(String,String,int)",
              c -> c.getSocketAddr("of.address", "127.0.0.1:2", 3)),
          entry(
              "getSocketAddr(String,String,String,int)",
              c -> c.getSocketAddr("of.host", "of.address", "127.0.0.1:2", 3)),
          entry(
              "getStorageSize(String,String,StorageUnit)",
              c -> c.getStorageSize("of.bytes", "1b", StorageUnit.KB)),
          entry(
              "getStorageSize(String,double,StorageUnit)",
              c -> c.getStorageSize("of.bytes", 1.0, StorageUnit.KB)),
          entry("getStringCollection(String)", c -> c.getStringCollection("of.list")),
          entry("getStrings(String)", c -> c.getStrings("of.list")),
          entry("getStrings(String,String[])", c -> c.getStrings("of.nobody", "a", "b")),
          entry(
              "getTimeDuration(String,long,TimeUnit)",
              c -> c.getTimeDuration("of.time", 1, TimeUnit.SECONDS)),
          entry(
              "getTimeDuration(String,String,TimeUnit)",
              c -> c.getTimeDuration("of.time", "1s", TimeUnit.SECONDS)),
          entry(
              "getTimeDuration(String,long,TimeUnit,TimeUnit)",
              c -> c.getTimeDuration("of.number", 1, TimeUnit.SECONDS, TimeUnit.MILLISECONDS)),
          entry(
              "getTimeDuration(String,String,TimeUnit,TimeUnit)",
              c -> c.getTimeDuration("of.number", "1", TimeUnit.SECONDS, TimeUnit.MILLISECONDS)),
          entry(
              "getTimeDurationHelper(String,String,TimeUnit)",
              c -> c.getTimeDurationHelper("of.time", "7m", TimeUnit.SECONDS)),
          entry(
              "getTimeDurations(String,TimeUnit)",
              c -> c.getTimeDurations("of.time", TimeUnit.SECONDS)),
          entry("getTrimmed(String)", c -> c.getTrimmed("of.list")),
          entry("getTrimmed(String,String)", c -> c.getTrimmed("of.nobody", "x")),
          entry("getTrimmedStringCollection(String)", c -> c.getTrimmedStringCollection("of.list")),
          entry("getTrimmedStrings(String)", c -> c.getTrimmedStrings("of.list")),
          entry("getTrimmedStrings(String,String[])", c -> c.getTrimmedStrings("of.nobody", "a")),
          entry("getValByRegex(String)", c -> new TreeMap<>(c.getValByRegex("^of\\..*"))),
          entry("isPropertyTag(String)", c -> c.isPropertyTag("PERFORMANCE")),
          entry("iterator()", c -> entries(c)),
          entry("onlyKeyExists(String)", c -> c.onlyKeyExists("of.number")),
          entry("readFields(DataInput)", SharedConfigurationMethodsTest::readOther),
          entry("reloadConfiguration()", call(Configuration::reloadConfiguration)),
          entry("set(String,String)", call(c -> c.set("of.number", "8"))),
          entry("set(String,String,String)", call(c -> c.set("of.number", "8", "a source"))),
          entry("setAllowNullValueProperties(boolean)", SharedConfigurationMethodsTest::allowNull),
          entry("setBoolean(String,boolean)", call(c -> c.setBoolean("of.flag", false))),
          entry(
              "setBooleanIfUnset(String,boolean)",
              call(c -> c.setBooleanIfUnset("of.nobody", true))),
          entry(
              "setClass(String,Class,Class)",
              call(c -> c.setClass("of.class", TreeMap.class, Map.class))),
          entry("setClassLoader(ClassLoader)", SharedConfigurationMethodsTest::withoutLoader),
          entry("setDeprecatedProperties()", call(Configuration::setDeprecatedProperties)),
          entry("setDouble(String,double)", call(c -> c.setDouble("of.number", 0.5))),
          entry("setEnum(String,Enum)", call(c -> c.setEnum("of.unit", TimeUnit.HOURS))),
          entry("setFloat(String,float)", call(c -> c.setFloat("of.number", 0.5f))),
          entry("setIfUnset(String,String)", call(c -> c.setIfUnset("of.number", "9"))),
          entry("setInt(String,int)", call(c -> c.setInt("fs.default.name", 9))),
          entry("setLong(String,long)", call(c -> c.setLong("of.number", 9))),
          entry(
              "setPattern(String,Pattern)",
              call(c -> c.setPattern("of.list", Pattern.compile("a")))),
          entry("setQuietMode(boolean)", call(c -> c.setQuietMode(false))),
          entry(
              "setRestrictSystemProperties(boolean)",
              call(c -> c.setRestrictSystemProperties(true))),
          entry("setRestrictSystemProps(boolean)", call(c -> c.setRestrictSystemProps(true))),
          entry(
              "setSocketAddr(String,InetSocketAddress)",
              call(c -> c.setSocketAddr("of.address", new InetSocketAddress("127.0.0.1", 5)))),
          entry(
              "setStorageSize(String,double,StorageUnit)",
              call(c -> c.setStorageSize("of.bytes", 2, StorageUnit.MB))),
          entry("setStrings(String,String[])", call(c -> c.setStrings("of.list", "c", "d"))),
          entry(
              "setTimeDuration(String,long,TimeUnit)",
              call(c -> c.setTimeDuration("of.time", 3, TimeUnit.HOURS))),
          entry("size()", Configuration::size),
          entry("toString()", c -> c.toString().replaceAll(".*Configuration: ", "")),
          entry("unset(String)", call(c -> c.unset("of.number"))),
          entry(
              "updateConnectAddr(String,InetSocketAddress)",
              c -> c.updateConnectAddr("of.address", new InetSocketAddress("127.0.0.1", 5))),
          entry(
              "updateConnectAddr(String,String,String,InetSocketAddress)",
              c ->
                  c.updateConnectAddr(
                      "of.host",
                      "of.address",
                      "127.0.0.1:2",
                      new InetSocketAddress("127.0.0.1", 5))),
          entry("write(DataOutput)", SharedConfigurationMethodsTest::written),
          entry("writeXml(OutputStream)", SharedConfigurationMethodsTest::xmlBytes),
          entry("writeXml(Writer)", c -> xml(c, null)),
          entry("writeXml(String,Writer)", c -> xml(c, "of.number")),
          entry("forEach(Consumer)", c -> entries(c)),
          entry("spliterator()", c -> entries(c)));

  /** Methods of Hadoop's Configuration that do not concern a copy, with the reason. */
  private static final Map<String, String> NOT_COMPARED =
      Map.of(
          "equals(Object)", "two configurations are equal if they are the same object",
          "hashCode()", "belongs to equals");

  private enum InputStreams {
    PLAIN,
    RESTRICTED,
    NAMED,
    NAMED_RESTRICTED
  }

  /** Adds a stream as a resource and closes the stream at once, as its owner may. */
  private static Call closed(InputStreams kind) {
    return c -> {
      boolean[] isClosed = new boolean[1];
      InputStream in =
          new InputStream() {
            private final InputStream resource = resource();

            @Override
            public int read() throws IOException {
              if (isClosed[0]) {
                throw new IOException("closed");
              }
              return resource.read();
            }

            @Override
            public String toString() {
              return "a stream";
            }
          };
      switch (kind) {
        case PLAIN -> c.addResource(in);
        case RESTRICTED -> c.addResource(in, true);
        case NAMED -> c.addResource(in, "a name");
        default -> c.addResource(in, "a name", true);
      }
      isClosed[0] = true;
      return c.get("of.resource");
    };
  }

  private static Object allowNull(Configuration c) {
    c.setAllowNullValueProperties(true);
    c.addResource(
        new ByteArrayInputStream(
            "<configuration><property><name>of.null</name></property></configuration>"
                .getBytes(StandardCharsets.UTF_8)),
        "a name");
    return c.onlyKeyExists("of.null");
  }

  private static Object withoutLoader(Configuration c) {
    ClassLoader before = c.getClassLoader();
    c.setClassLoader(ClassLoader.getPlatformClassLoader());
    Object found = c.getClassByNameOrNull(SharedConfigurationMethodsTest.class.getName());
    c.setClassLoader(before);
    return found;
  }

  private static Object readOther(Configuration c) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    other().write(new DataOutputStream(out));
    c.readFields(new DataInputStream(new ByteArrayInputStream(out.toByteArray())));
    return null;
  }

  private static Object written(Configuration c) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    c.write(new DataOutputStream(out));
    Configuration read = new Configuration(false);
    read.readFields(new DataInputStream(new ByteArrayInputStream(out.toByteArray())));
    return state(read);
  }

  private static Object xmlBytes(Configuration c) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    c.writeXml(out);
    return sortedProperties(out.toString(StandardCharsets.UTF_8));
  }

  private static Object xml(Configuration c, String name) throws IOException {
    StringWriter out = new StringWriter();
    if (name == null) {
      c.writeXml(out);
    } else {
      c.writeXml(name, out);
    }
    return sortedProperties(out.toString());
  }

  private static Object sortedProperties(String xml) {
    return Arrays.stream(xml.split("(?=<property>)")).sorted().collect(Collectors.toList());
  }

  private static String text(InputStream in) throws IOException {
    try (InputStream all = in) {
      return new String(all.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String text(Reader in) throws IOException {
    try (Reader all = in;
        StringWriter out = new StringWriter()) {
      all.transferTo(out);
      return out.toString();
    }
  }

  private static Map<String, String> entries(Configuration configuration) {
    Map<String, String> entries = new TreeMap<>();
    configuration.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    return entries;
  }

  private static Object state(Configuration configuration) {
    Map<String, Object> state = new TreeMap<>();
    Map<String, String> entries = entries(configuration);
    state.put("entries", entries);
    Map<String, Object> evaluated = new TreeMap<>();
    Map<String, Object> sources = new TreeMap<>();
    for (String name : entries.keySet()) {
      evaluated.put(name, configuration.get(name));
      sources.put(name, comparable(configuration.getPropertySources(name)));
    }
    state.put("evaluated", evaluated);
    state.put("sources", sources);
    state.put("final", new TreeSet<>(configuration.getFinalParameters()));
    state.put("tagged", new TreeMap<>(configuration.getAllPropertiesByTag("PERFORMANCE")));
    return state;
  }

  private static Object comparable(Object value) {
    if (value instanceof Object[] array) {
      return Arrays.asList(array);
    }
    if (value instanceof int[] ints) {
      return Arrays.toString(ints);
    }
    if (value instanceof long[] longs) {
      return Arrays.toString(longs);
    }
    if (value instanceof char[] chars) {
      return new String(chars);
    }
    return value instanceof Pattern || value instanceof Configuration.IntegerRanges
        ? value.toString()
        : value;
  }

  private static Object result(Call call, Configuration configuration) {
    try {
      return comparable(call.on(configuration));
    } catch (Exception e) {
      return e.toString();
    }
  }

  private static final Configuration SERVER = server();

  private static Configuration server() {
    Configuration server = HBaseConfiguration.create();
    server.set("of.number", "7");
    server.set("of.reference", "${of.number}");
    server.set("of.system", "${java.io.tmpdir}");
    server.set("of.flag", "true");
    server.set("of.list", " a, b ");
    server.set("of.class", HashMap.class.getName());
    server.set("of.unit", "HOURS");
    server.set("of.folder", System.getProperty("java.io.tmpdir"));
    server.set("of.bytes", "5k");
    server.set("of.time", "7m");
    server.set("of.range", "4-6");
    server.set("of.address", "127.0.0.1:4");
    server.set("of.host", "127.0.0.1");
    return server;
  }

  private static String signature(Method method) {
    return method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(",", "(", ")"));
  }

  @Test
  public void coversAllMethods() {
    Set<String> methods =
        Arrays.stream(Configuration.class.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .filter(method -> method.getDeclaringClass() != Object.class)
            .map(SharedConfigurationMethodsTest::signature)
            .collect(Collectors.toCollection(TreeSet::new));
    methods.removeAll(NOT_COMPARED.keySet());
    assertThat(new TreeSet<>(CALLS.keySet())).isEqualTo(methods);
  }

  /**
   * Some methods load classes that add default resources and deprecated names. On a server, these
   * classes are loaded long before a region opens.
   */
  @BeforeClass
  public static void loadClasses() {
    CALLS.values().forEach(call -> result(call, PropertiesUtil.cloneConfig(SERVER)));
  }

  private static Set<String> methods() {
    return new TreeSet<>(CALLS.keySet());
  }

  @Test
  @Parameters(method = "methods")
  public void behavesLikePhoenixsCopy(String method) {
    assertBehavesTheSame(
        method, PropertiesUtil.cloneConfig(SERVER), SharedConfiguration.copyOf(SERVER));
  }

  @Test
  @Parameters(method = "methods")
  public void behavesLikePhoenixsCopyAfterSet(String method) {
    Configuration expected = PropertiesUtil.cloneConfig(SERVER);
    expected.set("of.list", "set before", "a source");
    SharedConfiguration copy = SharedConfiguration.copyOf(SERVER);
    copy.set("of.list", "set before", "a source");
    assertBehavesTheSame(method, expected, copy);
  }

  private static void assertBehavesTheSame(
      String method, Configuration expected, SharedConfiguration copy) {
    Call call = CALLS.get(method);
    assertThat(result(call, copy)).isEqualTo(result(call, expected));
    assertThat(state(copy)).isEqualTo(state(expected));
    assertThat(state(SharedConfiguration.copyOf(SERVER)))
        .as("another copy")
        .isEqualTo(state(PropertiesUtil.cloneConfig(SERVER)));
  }
}
