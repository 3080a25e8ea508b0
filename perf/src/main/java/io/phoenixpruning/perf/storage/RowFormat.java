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
package io.phoenixpruning.perf.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

/**
 * Format in which a table stores fields. Fields alternate between DOUBLE and BOOLEAN. The first
 * column after the row key is an integer {@code v}, followed by the columns of the format.
 */
abstract class RowFormat {

  /** Number of random values of a field. */
  private static final int VALUES = 1_000_000;

  private final String title;
  private final int fields;

  private RowFormat(String title, int fields) {
    this.title = title;
    this.fields = fields;
  }

  /** Returns all formats for {@code fields} fields. */
  static List<RowFormat> all(int fields) {
    return List.of(
        new Columns("columns", "ONE_CELL_PER_COLUMN", fields),
        new Columns("packed", "SINGLE_CELL_ARRAY_WITH_OFFSETS", fields),
        new Avro(fields),
        new Json(fields));
  }

  final String title() {
    return title;
  }

  final int fields() {
    return fields;
  }

  static String name(int field) {
    return "f" + field;
  }

  /** Returns the value of a field of a row, a Double or a Boolean. */
  final Object value(int row, int field) {
    int random = new SplittableRandom((long) row * fields + field).nextInt(VALUES);
    if (field % 2 == 0) {
      return (double) random / VALUES;
    }
    return random % 2 == 0;
  }

  /** Returns the columns with their types. */
  abstract String columns();

  abstract String options();

  /** Returns the number of columns after v. */
  abstract int count();

  /** Returns the select list for all fields. */
  abstract String selectAll();

  /** Returns the select list for one field. */
  abstract String selectOne(int field);

  /** Sets the parameters for the fields of a row, starting at {@code first}. */
  abstract void bind(PreparedStatement upsert, int first, int row) throws SQLException, IOException;

  /** Reads the fields of a row selected by {@link #selectAll}, in their order. */
  abstract Object[] readAll(ResultSet result) throws SQLException, IOException;

  /** Reads the field of a row selected by {@link #selectOne}. */
  abstract Object readOne(ResultSet result, int field) throws SQLException, IOException;

  @Override
  public String toString() {
    return title + " of " + fields + " fields";
  }

  /** A column for each field. Each column has a separate cell, or all columns share one cell. */
  private static final class Columns extends RowFormat {

    private final String scheme;

    Columns(String title, String scheme, int fields) {
      super(title, fields);
      this.scheme = scheme;
    }

    @Override
    String columns() {
      return IntStream.range(0, fields())
          .mapToObj(i -> name(i) + (i % 2 == 0 ? " DOUBLE" : " BOOLEAN"))
          .collect(Collectors.joining(", "));
    }

    @Override
    String options() {
      return "IMMUTABLE_STORAGE_SCHEME = " + scheme;
    }

    @Override
    int count() {
      return fields();
    }

    @Override
    String selectAll() {
      return IntStream.range(0, fields())
          .mapToObj(RowFormat::name)
          .collect(Collectors.joining(", "));
    }

    @Override
    String selectOne(int field) {
      return name(field);
    }

    @Override
    void bind(PreparedStatement upsert, int first, int row) throws SQLException {
      for (int i = 0; i < fields(); i++) {
        upsert.setObject(first + i, value(row, i));
      }
    }

    @Override
    Object[] readAll(ResultSet result) throws SQLException {
      Object[] values = new Object[fields()];
      for (int i = 0; i < values.length; i++) {
        values[i] = result.getObject(i + 1);
      }
      return values;
    }

    @Override
    Object readOne(ResultSet result, int field) throws SQLException {
      return result.getObject(1);
    }
  }

  /** A single column with all fields, which the client decodes. */
  private abstract static class Document extends RowFormat {

    private final String type;

    Document(String title, String type, int fields) {
      super(title, fields);
      this.type = type;
    }

    @Override
    String columns() {
      return "doc " + type;
    }

    @Override
    String options() {
      return "IMMUTABLE_STORAGE_SCHEME = ONE_CELL_PER_COLUMN";
    }

    @Override
    int count() {
      return 1;
    }

    @Override
    String selectAll() {
      return "doc";
    }

    @Override
    String selectOne(int field) {
      return "doc";
    }
  }

  /** Avro's binary encoding. A single field is read with a schema that has only this field. */
  private static final class Avro extends Document {

    private final Schema schema;
    private final List<Schema> ofFields;

    Avro(int fields) {
      super("Avro", "VARBINARY", fields);
      schema = schema(IntStream.range(0, fields));
      ofFields = IntStream.range(0, fields).mapToObj(i -> schema(IntStream.of(i))).toList();
    }

    private static Schema schema(IntStream fields) {
      SchemaBuilder.FieldAssembler<Schema> all = SchemaBuilder.record("r").fields();
      fields.forEach(
          i -> {
            if (i % 2 == 0) {
              all.requiredDouble(name(i));
            } else {
              all.requiredBoolean(name(i));
            }
          });
      return all.endRecord();
    }

    @Override
    void bind(PreparedStatement upsert, int first, int row) throws SQLException, IOException {
      GenericRecord written = new GenericData.Record(schema);
      for (int i = 0; i < fields(); i++) {
        written.put(i, value(row, i));
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
      new GenericDatumWriter<GenericRecord>(schema).write(written, encoder);
      encoder.flush();
      upsert.setBytes(first, bytes.toByteArray());
    }

    private GenericRecord read(ResultSet result, Schema as) throws SQLException, IOException {
      return new GenericDatumReader<GenericRecord>(schema, as)
          .read(null, DecoderFactory.get().binaryDecoder(result.getBytes(1), null));
    }

    @Override
    Object[] readAll(ResultSet result) throws SQLException, IOException {
      GenericRecord read = read(result, schema);
      Object[] values = new Object[fields()];
      for (int i = 0; i < values.length; i++) {
        values[i] = read.get(i);
      }
      return values;
    }

    @Override
    Object readOne(ResultSet result, int field) throws SQLException, IOException {
      return read(result, ofFields.get(field)).get(0);
    }
  }

  /** JSON as text. */
  private static final class Json extends Document {

    private final ObjectMapper mapper = new ObjectMapper();

    Json(int fields) {
      super("JSON", "VARCHAR", fields);
    }

    @Override
    void bind(PreparedStatement upsert, int first, int row) throws SQLException, IOException {
      ObjectNode json = mapper.createObjectNode();
      for (int i = 0; i < fields(); i++) {
        json.putPOJO(name(i), value(row, i));
      }
      upsert.setString(first, mapper.writeValueAsString(json));
    }

    private static Object value(JsonNode value) {
      return value.isBoolean() ? (Object) value.booleanValue() : (Object) value.doubleValue();
    }

    @Override
    Object[] readAll(ResultSet result) throws SQLException, IOException {
      JsonNode json = mapper.readTree(result.getString(1));
      Object[] values = new Object[fields()];
      for (int i = 0; i < values.length; i++) {
        values[i] = value(json.get(name(i)));
      }
      return values;
    }

    @Override
    Object readOne(ResultSet result, int field) throws SQLException, IOException {
      return value(mapper.readTree(result.getString(1)).get(name(field)));
    }
  }
}
