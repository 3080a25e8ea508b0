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
package io.phoenixpruning.it;

import io.phoenixpruning.testing.ResultRows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.db.DBWritable;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.phoenix.mapreduce.PhoenixInputFormat;
import org.apache.phoenix.mapreduce.PhoenixInputSplit;
import org.apache.phoenix.mapreduce.util.PhoenixMapReduceUtil;

/**
 * Plans a query as the driver of a MapReduce job does, and reads its splits as the tasks do. Each
 * step has its own configuration and compiles the query again, as in separate processes.
 */
final class MapReduceInput {

  /** A row of any query, normalized as {@link ResultRows} are. */
  public static final class Row implements DBWritable {

    private List<Object> values;

    List<Object> values() {
      return values;
    }

    @Override
    public void readFields(ResultSet result) throws SQLException {
      values = ResultRows.currentRow(result);
    }

    @Override
    public void write(PreparedStatement statement) {
      throw new UnsupportedOperationException("these rows are only read");
    }
  }

  /** Sets the input of a job. */
  private interface Input {
    void set(Job job) throws IOException;
  }

  private final Configuration cluster;
  private final Map<String, String> settings;
  private final Input input;

  private MapReduceInput(Configuration cluster, Map<String, String> settings, Input input) {
    this.cluster = cluster;
    this.settings = settings;
    this.input = input;
  }

  /** Returns an input that reads {@code query} from the table {@code table}. */
  static MapReduceInput of(
      Configuration cluster, Map<String, String> settings, String table, String query) {
    return new MapReduceInput(
        cluster, settings, job -> PhoenixMapReduceUtil.setInput(job, Row.class, table, query));
  }

  /** Returns an input that reads {@code query} from a snapshot. */
  static MapReduceInput ofSnapshot(
      Configuration cluster,
      Map<String, String> settings,
      String snapshot,
      String table,
      Path folder,
      String query) {
    return new MapReduceInput(
        cluster,
        settings,
        job -> PhoenixMapReduceUtil.setInput(job, Row.class, snapshot, table, folder, query));
  }

  /** Returns the same input with an additional setting. */
  MapReduceInput with(String name, String value) {
    Map<String, String> all = new HashMap<>(settings);
    all.put(name, value);
    return new MapReduceInput(cluster, all, input);
  }

  Configuration configuration() throws Exception {
    Job job = Job.getInstance(cluster);
    settings.forEach(job.getConfiguration()::set);
    input.set(job);
    return job.getConfiguration();
  }

  /** Plans the query, and returns its splits as the tasks receive them. */
  List<PhoenixInputSplit> splits() throws Exception {
    List<PhoenixInputSplit> splits = new ArrayList<>();
    for (InputSplit split :
        new PhoenixInputFormat<Row>().getSplits(Job.getInstance(configuration()))) {
      splits.add(sent((PhoenixInputSplit) split));
    }
    return splits;
  }

  /** Returns {@code split} as a task receives it. */
  static PhoenixInputSplit sent(PhoenixInputSplit split) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    split.write(new DataOutputStream(bytes));
    PhoenixInputSplit sent = new PhoenixInputSplit();
    sent.readFields(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    return sent;
  }

  /** Returns a reader that has not been initialized. */
  RecordReader<NullWritable, Row> reader(PhoenixInputSplit split) throws Exception {
    return new PhoenixInputFormat<Row>().createRecordReader(split, task());
  }

  TaskAttemptContext task() throws Exception {
    return new TaskAttemptContextImpl(configuration(), new TaskAttemptID());
  }

  /** Reads all rows of {@code splits}. */
  List<List<Object>> rows(List<PhoenixInputSplit> splits) throws Exception {
    List<List<Object>> rows = new ArrayList<>();
    for (PhoenixInputSplit split : splits) {
      rows.addAll(rows(split));
    }
    rows.sort(Comparator.comparing(List::toString));
    return rows;
  }

  /** Reads all rows of {@code split} in their order. */
  List<List<Object>> rows(PhoenixInputSplit split) throws Exception {
    TaskAttemptContext task = task();
    try (RecordReader<NullWritable, Row> reader =
        new PhoenixInputFormat<Row>().createRecordReader(split, task)) {
      reader.initialize(split, task);
      return remainingRows(reader);
    }
  }

  /** Reads the rows that an initialized reader has left. */
  static List<List<Object>> remainingRows(RecordReader<NullWritable, Row> reader) throws Exception {
    List<List<Object>> rows = new ArrayList<>();
    while (reader.nextKeyValue()) {
      rows.add(reader.getCurrentValue().values());
    }
    return rows;
  }
}
