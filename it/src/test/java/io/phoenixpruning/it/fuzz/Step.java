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
package io.phoenixpruning.it.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.calcite.avatica.util.ByteString;

/** A step of a random life of a table. */
sealed interface Step {

  /** Returns the kinds of statements, for the report. */
  List<String> kinds();

  /**
   * Returns whether the step makes sense for the table, and its result is defined. Otherwise it is
   * left out.
   */
  boolean isAllowed(ModelTable table);

  /** Changes the table in memory. */
  void apply(ModelTable table);

  /** Runs the step on a cluster. */
  void run(WrittenTable table) throws Exception;

  /** Returns the step as lines of SQL, or as a comment if it is not a statement. */
  List<String> lines();

  /** A commit. With autocommit, each execution of a statement is a commit of its own. */
  record Commit(boolean autoCommit, List<Write> writes) implements Step {

    @Override
    public List<String> kinds() {
      return writes.stream()
          .map(write -> write.kind() + (autoCommit ? ", autocommit" : ""))
          .toList();
    }

    @Override
    public boolean isAllowed(ModelTable table) {
      return writes.stream().allMatch(write -> write.isDefined(table)) && applied(table.copy());
    }

    @Override
    public void apply(ModelTable table) {
      applied(table);
    }

    private boolean applied(ModelTable table) {
      PendingCommit commit = new PendingCommit(table);
      boolean allowed = true;
      for (Write write : writes) {
        for (int i = 0; i < write.executions().size(); i++) {
          write.apply(commit, i);
          if (autoCommit) {
            allowed &= commit.isAllowed();
            commit.complete();
            commit = new PendingCommit(table);
          }
        }
      }
      commit.complete();
      return allowed && commit.isAllowed();
    }

    @Override
    public void run(WrittenTable table) throws Exception {
      table.commit(this);
    }

    @Override
    public List<String> lines() {
      List<String> lines = new ArrayList<>();
      if (!autoCommit) {
        lines.add("autocommit off");
      }
      writes.forEach(write -> write.literal().forEach(sql -> lines.add(sql + ";")));
      if (!autoCommit) {
        lines.add("commit");
        lines.add("autocommit on");
      }
      return lines;
    }
  }

  /** A step that is one statement. */
  sealed interface Definition extends Step {

    String sql();

    /** Returns the name of the class in words, such as CREATE VIEW. */
    @Override
    default List<String> kinds() {
      return List.of(
          getClass()
              .getSimpleName()
              .replaceAll("(?<=.)(?=\\p{Upper})", " ")
              .toUpperCase(Locale.ROOT));
    }

    @Override
    default void run(WrittenTable table) throws Exception {
      table.execute(sql());
    }

    @Override
    default List<String> lines() {
      return List.of(sql() + ";");
    }
  }

  /** CREATE VIEW. */
  record CreateView(ModelView view) implements Definition {

    @Override
    public boolean isAllowed(ModelTable table) {
      return !table.hasRelation(view.name())
          && table.hasRelation(view.parent())
          && (view.fixed() == null
              || (table.columns(view.parent()).contains(view.fixed())
                  && !table.fixed(view.parent()).containsKey(view.fixed().name())));
    }

    @Override
    public void apply(ModelTable table) {
      table.add(view);
    }

    @Override
    public String sql() {
      return view.ddl();
    }
  }

  /** CREATE LOCAL INDEX. */
  record CreateIndex(ModelIndex index) implements Definition {

    @Override
    public boolean isAllowed(ModelTable table) {
      return table.index(index.name()) == null
          && table.hasRelation(index.relation())
          && table.columns(index.relation()).stream()
              .map(Column::name)
              .collect(Collectors.toSet())
              .containsAll(index.indexed())
          && table.columns(index.relation()).stream()
              .map(Column::name)
              .collect(Collectors.toSet())
              .containsAll(index.included());
    }

    @Override
    public void apply(ModelTable table) {
      table.add(index);
    }

    @Override
    public String sql() {
      return index.ddl();
    }
  }

  /** DROP INDEX. */
  record DropIndex(ModelIndex index) implements Definition {

    @Override
    public boolean isAllowed(ModelTable table) {
      return table.index(index.name()) != null;
    }

    @Override
    public void apply(ModelTable table) {
      table.drop(index);
    }

    @Override
    public String sql() {
      return "DROP INDEX " + index.name() + " ON " + index.relation();
    }
  }

  /** ALTER INDEX ... REBUILD. */
  record RebuildIndex(ModelIndex index) implements Definition {

    @Override
    public boolean isAllowed(ModelTable table) {
      return table.index(index.name()) != null;
    }

    @Override
    public void apply(ModelTable table) {
      // A rebuild changes no row.
    }

    @Override
    public String sql() {
      return "ALTER INDEX " + index.name() + " ON " + index.relation() + " REBUILD";
    }
  }

  /** ALTER TABLE ... ADD, or ALTER VIEW ... ADD. */
  record AddColumn(String relation, Column column) implements Definition {

    @Override
    public boolean isAllowed(ModelTable table) {
      return table.hasRelation(relation);
    }

    @Override
    public void apply(ModelTable table) {
      table.add(relation, column);
    }

    @Override
    public String sql() {
      return "ALTER "
          + (relation.equals(ModelTable.TABLE) ? "TABLE " : "VIEW ")
          + relation
          + " ADD "
          + column.ddl();
    }
  }

  /** ALTER TABLE ... DROP COLUMN. */
  record DropColumn(String column) implements Definition {

    @Override
    public boolean isAllowed(ModelTable table) {
      return !table.isFixedByAView(column)
          && table.columns(ModelTable.TABLE).stream()
              .anyMatch(each -> each.name().equals(column) && !each.key());
    }

    @Override
    public void apply(ModelTable table) {
      table.dropColumn(column);
    }

    @Override
    public String sql() {
      return "ALTER TABLE " + ModelTable.TABLE + " DROP COLUMN " + column;
    }
  }

  /** A change of files or regions, which must not change rows. */
  record Storage(Change change, ByteString boundary) implements Step {

    enum Change {
      FLUSH,
      COMPACT,
      SPLIT,
      MERGE
    }

    @Override
    public List<String> kinds() {
      return List.of(change.name());
    }

    @Override
    public boolean isAllowed(ModelTable table) {
      return true;
    }

    @Override
    public void apply(ModelTable table) {}

    @Override
    public void run(WrittenTable table) throws Exception {
      switch (change) {
        case FLUSH -> table.regions().flush();
        case COMPACT -> table.regions().compact();
        case SPLIT -> table.regions().split(boundary.getBytes());
        case MERGE -> table.regions().merge(boundary.getBytes());
      }
    }

    @Override
    public List<String> lines() {
      return List.of(
          "-- " + change + (boundary == null ? "" : " at X'" + boundary.toString(16) + "'"));
    }
  }
}
