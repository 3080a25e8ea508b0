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
package org.apache.phoenix.pruning.patch;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fixes of defects in Phoenix that are woven into Phoenix's classes. No patch prunes regions: if
 * {@code phoenix.pruning.patches} switches a patch off, pruning continues.
 *
 * <p>Each patch can be left out alone. The patches that need it are then also off ({@link #needs}).
 */
public enum Patch {
  /**
   * Follows the JVM, because the aggregates are arranged in a static method without a connection.
   */
  ABSENT_AGGREGATE(
      defect(
              "If FIRST_VALUE or a related function has no value in a group, the client reads"
                  + " the bytes of another aggregate.")
          .shownBy(
              "SELECT /*+ INDEX(T I) */ A, FIRST_VALUE(V) WITHIN GROUP (ORDER BY K ASC), SUM(W)"
                  + " FROM T GROUP BY A")
          .on(Side.CLIENT, "any table")
          .ofJvm()),

  ANTI_JOIN(
      defect(
              "In a hash join, Phoenix ignores NOT IN and NOT EXISTS on a column of a table other"
                  + " than the scanned one.")
          .shownBy(
              "SELECT /*+ INDEX(T I) */ T.K, D.Y FROM T JOIN D ON T.V = D.ID WHERE D.Y NOT IN"
                  + " (SELECT X FROM E)")
          .on(Side.SERVER, "any table")),

  /** Follows the JVM, since expressions are evaluated without a connection or a scan. */
  APPROXIMATE_COUNT(
      defect("APPROX_COUNT_DISTINCT with GROUP BY also counts the values of earlier groups.")
          .shownBy("SELECT A, APPROX_COUNT_DISTINCT(K) FROM T GROUP BY A")
          .on(Side.BOTH, "any table")
          .ofJvm()),

  ARRAY_COMPARISON(
      defect(
              "A comparison with ANY or ALL of an array mistakes null for false, and false for"
                  + " null.")
          .shownBy("SELECT /*+ NO_INDEX */ K FROM T WHERE NOT (S >= ALL (ARRAY['b', 'bz']))")
          .on(Side.BOTH, "any table")
          .ofJvm()),

  ARRAY_ELEMENT(
      defect(
              "The server replaces an array by its element before it sorts, skips or joins rows."
                  + " The element, or another column, is then wrong.")
          .shownBy("SELECT /*+ INDEX(T I) */ ARR[1] FROM T WHERE V = 1 ORDER BY W")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  ARRAY_PARAMETERS(
      defect("A parameter that is an element of an ARRAY fails with a NullPointerException.")
          .shownBy("SELECT K FROM T WHERE V = ANY (ARRAY[?, ?])")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  /** Several defects share this id, because comparing such a column with TRUE corrects them all. */
  BOOLEAN_CONDITION(
      defect(
              "In joins, and next to a subquery or a condition on the key, Phoenix ignores a BOOLEAN"
                  + " column that is used as a condition.")
          .shownBy("SELECT K FROM T WHERE P AND K < 5")
          .on(Side.CLIENT, "tables with a BOOLEAN column")
          .notRequested()),

  BUILT_ROW(
      defect(
              "CREATE LOCAL INDEX gives an index row the timestamp of one cell of its data row, so"
                  + " the index row can expire first.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, V FROM T")
          .on(
              Side.SERVER,
              "tables with a TTL, and with several column families or COLUMN_ENCODED_BYTES = NONE")
          .ofJvm()
          .ofWrites()),

  CANCELLED_SCAN(
      defect(
              "A scan that is cancelled while its statement runs is left out, and its rows are"
                  + " missing.")
          .shownBy("SELECT COUNT(*) FROM HELD")
          .on(Side.CLIENT, "any table")),

  /** Follows the JVM, since expressions are evaluated without a connection or a scan. */
  CASE_RESET(
      defect(
              "AND and OR within a CASE, GROUP BY or ORDER BY keep a null of the previous row when"
                  + " they evaluate the next row.")
          .shownBy("SELECT K1 FROM T WHERE CASE WHEN K2 = 'a' AND K1 > 0 THEN 1 ELSE 0 END = 1")
          .on(Side.BOTH, "any table")
          .ofJvm()),

  CAST_RANGE(
      defect(
              "A condition on the CAST of a key or index column gets a wrong key range. Rows are"
                  + " lost or do not match, or the statement fails.")
          .shownBy("SELECT /*+ INDEX(T I) */ K FROM T WHERE CAST(V AS DECIMAL) = 2")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  /** Follows the JVM, because the connections of a client share the cached metadata of a view. */
  CHILD_VIEW_INDEX(
      defect(
              "A query of a view of a view along an index of the table ignores the condition of the"
                  + " parent view.")
          .shownBy("SELECT /*+ INDEX(C C#A#I) */ K1, K2 FROM C")
          .on(Side.CLIENT, "views of a view that fixes a column")
          .ofJvm()),

  /** Follows the JVM, because a region closes independently of connections and scans. */
  CLOSING_REGION(
      defect(
              "An aggregate without GROUP BY fails while its region cannot close yet, because a"
                  + " statement still writes to the region.")
          .shownBy("SELECT COUNT(*) FROM T WHERE V > 0")
          .on(Side.SERVER, "any table")
          .ofJvm()
          .notForLocalIndexes()),

  COERCED_KEY_PART(
      defect(
              "A function of a column that an index stores as another type gets a key range in the"
                  + " bytes of the wrong type.")
          .shownBy("SELECT /*+ INDEX(T I) */ K FROM T WHERE SUBSTR(C, 1, 1) = 'b'")
          .on(Side.CLIENT, "tables with an index, or with a TIMESTAMP in the key")),

  COMPARISON_RANGE(
      defect(
              "A comparison with the least or the greatest value of a type gets a key range that"
                  + " misses rows, or covers all rows.")
          .shownBy("SELECT COUNT(*) FROM T WHERE K > 127")
          .on(Side.CLIENT, "any table")),

  /** Two defects share this id, because both come from the two scans of one build. */
  CONCURRENT_BUILD(
      defect(
              "CREATE LOCAL INDEX and REBUILD lose changes of commits that began before the"
                  + " build, and keep index rows of old values.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, V FROM T")
          .on(Side.CLIENT, "tables that are written while a local index is created or rebuilt")
          .reportedAs("PHOENIX-4092", Facts.OPEN)
          .notRequested()
          .ofWrites()),

  /**
   * Several defects share this id, because the same functions have them. Follows the JVM, since
   * aggregates are evaluated without a connection.
   */
  CONSTANT_AGGREGATE(
      defect("SUM, AVG and COUNT of NULL, or of a column that a view fixes, are wrong or fail.")
          .shownBy("SELECT SUM(K1) FROM W")
          .on(Side.CLIENT, "any table")
          .ofJvm()),

  /** Follows the JVM, since a CASE is made without a connection. */
  CONSTANT_CASE(
      defect("A constant CASE without ELSE fails if no condition is true.")
          .shownBy("SELECT CASE WHEN K1 = 5 THEN 1 END, K2 FROM W WHERE V = 10")
          .on(Side.CLIENT, "any table")
          .ofJvm()),

  /**
   * Two defects share this id, because a GROUP BY of a column that a view fixes needs both
   * corrections.
   */
  CONSTANT_GROUPS(
      defect("DISTINCT and GROUP BY of constants fail, or return a row although no row matches.")
          .shownBy("SELECT /*+ INDEX(W I) */ DISTINCT K1 FROM W WHERE V > 1")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  CONSTANT_HAVING(
      defect("A HAVING that is never true is ignored, and all groups are returned.")
          .shownBy("SELECT SIGN(K) FROM T GROUP BY SIGN(K) HAVING SIGN(K) IS NULL")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  CONSTANT_JOIN(
      defect(
              "Along an index, a join on a column that a view fixes compares only one side. An"
                  + " outer join loses rows, and an inner join may fail with ERROR 217.")
          .shownBy("SELECT /*+ INDEX(W W#I) */ W.K2, D.X FROM W RIGHT JOIN D ON W.K1 = D.K")
          .on(Side.CLIENT, "views with an index")
          .notRequested()),

  CONSTANT_ORDER(
      defect(
              "ORDER BY a column that a view fixes to an integer sorts by the column at this"
                  + " position, or fails.")
          .shownBy("SELECT /*+ INDEX(W W#I) */ K2, V FROM W WHERE V > 0 ORDER BY K1, K2")
          .on(Side.CLIENT, "views with an index")
          .notRequested()),

  CONSTRUCTED_ARRAY(
      defect(
              "ARRAY takes the bytes of its elements as they are, also if they are descending or"
                  + " have different types. It fails for CHAR columns.")
          .shownBy("SELECT ARRAY_TO_STRING(ARRAY[D, V], ' ') FROM T")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  /**
   * Several defects share this id, because they are in the steps of one cursor: DECLARE CURSOR,
   * FETCH, and reading the rows of a FETCH.
   */
  CURSOR_FETCH(
      defect(
              "Each FETCH from a cursor over several tables returns all rows. Cursors over groups"
                  + " return aggregates of the next group.")
          .shownBy("DECLARE C CURSOR FOR SELECT T.K, D.X FROM T JOIN D ON T.K = D.K")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  /** Several defects share this id, because the requests of clients name it for all. */
  DATA_ROW_LOOKUP(
      defect(
              "If an index lacks a column, the server reads columns from memory that it has"
                  + " released, and fails if a row has none of the columns that the index lacks.")
          .shownBy("SELECT /*+ INDEX(T I) */ DISTINCT C, W FROM T WHERE V = 1 ORDER BY C, W")
          .on(
              Side.SERVER,
              "tables with a local or a covered global index that lacks a column of the query")) {
    @Override
    public Optional<Patch> needs() {
      return Optional.of(INDEX_ROW_CONDITION);
    }
  },

  /**
   * Follows the JVM of the client, which compiles casts in a static method without a connection.
   */
  DECIMAL_TIMES(
      defect("A cast of a DECIMAL to a DATE or a TIME rounds to a unit that is not given.")
          .shownBy(
              "SELECT /*+ INDEX(A I) USE_SORT_MERGE_JOIN */ A.K, B.ID FROM T A JOIN U B ON A.D ="
                  + " B.D")
          .on(Side.CLIENT, "tables with an index on a nullable DATE or TIME")
          .ofJvm()),

  DEFAULT_COLUMN(
      defect("A column with a DEFAULT is null along an index that lacks the column.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, W FROM T WHERE V = 5")
          .on(Side.CLIENT, "tables with an index, and with a column that has a DEFAULT")
          .notRequested()),

  /** Follows the JVM, because a condition is compiled in a static method without a connection. */
  DEFAULT_NULL(
      defect("IS NULL of a column with a DEFAULT is never true, and IS NOT NULL is always true.")
          .shownBy("SELECT K FROM T WHERE W IS NULL")
          .on(Side.CLIENT, "tables with a DEFAULT")
          .ofJvm()),

  DELETE_THEN_UPSERT(
      defect(
              "If a commit deletes a row and then upserts it, the DELETE is lost. Columns that the"
                  + " UPSERT does not name keep their old values.")
          .shownBy("SELECT K, V, W FROM T")
          .on(Side.CLIENT, "any table")
          .notRequested()
          .ofWrites()),

  DERIVED_DISTINCT(
      defect(
              "DISTINCT in a derived table is applied to the columns of the outer statement, so"
                  + " rows are missing.")
          .shownBy("SELECT X FROM (SELECT DISTINCT A X, K Y FROM T)")
          .on(Side.CLIENT, "any table")
          .notRequested()) {
    @Override
    public Optional<Patch> needs() {
      return Optional.of(JOINED_SUBQUERY);
    }
  },

  DERIVED_GROUPS(
      defect(
              "Phoenix assumes that the groups of a derived table are sorted by a later column of"
                  + " their key. Grouping them again then returns a group in parts.")
          .shownBy(
              "SELECT X, COUNT(*) FROM (SELECT A X, V Y FROM T WHERE V > 2 GROUP BY A, V) GROUP BY"
                  + " X")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  DERIVED_ORDER(
      defect(
              "Positions in the ORDER BY of a derived table are treated as positions in the outer"
                  + " SELECT. With a LIMIT, the rows are wrong.")
          .shownBy("SELECT Y, X FROM (SELECT K X, 10 - K Y FROM T ORDER BY 1 LIMIT 2)")
          .on(Side.CLIENT, "any table")
          .notRequested()) {
    @Override
    public Optional<Patch> needs() {
      return Optional.of(JOINED_SUBQUERY);
    }
  },

  /** Follows the JVM, since the client aggregates without a connection at hand. */
  DESCENDING_AGGREGATE(
      defect(
              "COUNT(DISTINCT) of a descending column is negative if the client sorts or merges"
                  + " groups.")
          .shownBy(
              "SELECT /*+ INDEX(T I) */ A, COUNT(DISTINCT S) FROM T GROUP BY A ORDER BY"
                  + " COUNT(DISTINCT S) DESC")
          .on(Side.CLIENT, "tables and indexes with a descending column")
          .ofJvm()),

  DESCENDING_ARGUMENT(
      defect(
              "MD5, DECODE, CONVERT_TZ and TIMEZONE_OFFSET misread the bytes of a descending"
                  + " argument.")
          .shownBy("SELECT K FROM T WHERE MD5(D) = MD5(S)")
          .on(Side.CLIENT, "tables and indexes with a descending column in the key")
          .notRequested()),

  /** Follows the JVM, since expressions are evaluated without a connection or a scan. */
  DESCENDING_BOOLEAN(
      defect("A descending BOOLEAN is always read as FALSE.")
          .shownBy("SELECT K FROM T WHERE NOT B")
          .on(Side.BOTH, "tables and indexes with a descending BOOLEAN in the key")
          .ofJvm()),

  DESCENDING_CASE(
      defect("CASE with a descending column as a result returns the inverted bytes of the value.")
          .shownBy("SELECT K, CASE WHEN K > 0 THEN D ELSE 0 END FROM T")
          .on(Side.CLIENT, "tables and indexes with a descending column in the key")
          .notRequested()),

  DESCENDING_COALESCE(
      defect("COALESCE of a descending column returns the inverted bytes of the value.")
          .shownBy("SELECT K, COALESCE(D, 0) FROM T")
          .on(Side.CLIENT, "tables and indexes with a descending column in the key")
          .notRequested()),

  /** Follows the JVM, since servers compare values without a scan at hand. */
  DESCENDING_COMPARISON(
      defect("A comparison of a number with a descending DECIMAL fails, or is wrong.")
          .shownBy("SELECT /*+ INDEX(T I) */ K FROM T WHERE L = M")
          .on(Side.BOTH, "tables and indexes with a descending DECIMAL in the key")
          .ofJvm()),

  /** Follows the JVM, because the constants are added in a static method without a connection. */
  DESCENDING_CONSTANT(
      defect(
              "An UPSERT SELECT into a view that fixes a descending column stores another value in"
                  + " the column, or fails.")
          .shownBy("UPSERT INTO W (K1, K3) SELECT K1, 7 FROM W")
          .on(Side.CLIENT, "views that fix a descending column")
          .ofJvm()
          .ofWrites()
          .notForLocalIndexes()),

  /**
   * Changes the bytes that are stored, so clients with and without the patch write two keys for one
   * row. Follows the JVM, since literals are created without a connection.
   */
  DESCENDING_DECIMAL_BYTES(
      defect(
              "A literal for a descending DECIMAL key column with a scale is stored with different"
                  + " bytes than a parameter with the same value.")
          .shownBy("UPSERT INTO T VALUES (-1.83, 1, 5)")
          .on(Side.BOTH, "tables with a descending DECIMAL(p, s) in the key")
          .ofJvm()
          .notForLocalIndexes()
          .ofWrites()
          .optIn()),

  DESCENDING_GROUPS(
      defect(
              "Groups of a descending column of variable length are merged or sorted in the wrong"
                  + " order.")
          .shownBy("SELECT /*+ INDEX(T I) */ S, COUNT(*) FROM T GROUP BY S")
          .on(Side.CLIENT, "tables and indexes with a descending column of variable length")),

  /** PHOENIX-7766 corrects a part of the defect in 5.3.1, so it is still open. */
  DESCENDING_NULL(
      defect(
              "IS NULL of a descending column gets a key range that excludes the keys that end"
                  + " before this column.")
          .shownBy("SELECT K FROM T WHERE K = 'a' AND L IS NULL")
          .on(Side.CLIENT, "tables and indexes with a nullable descending column in the key")
          .reportedAs("PHOENIX-7766", Facts.OPEN)
          .notRequested()),

  DESCENDING_ORDER(
      defect(
              "ORDER BY returns a descending value of variable length and its prefix, such as bz"
                  + " and b, in the wrong order.")
          .shownBy("SELECT /*+ INDEX(T I) */ S, K FROM T ORDER BY S DESC NULLS LAST, K")
          .on(Side.CLIENT, "tables and indexes with a descending column of variable length")),

  /** Follows the JVM, since servers build the hash tables of joins without a scan at hand. */
  DESCENDING_TIMESTAMP(
      defect(
              "A hash join on a descending TIMESTAMP finds no rows. A descending DATE gets wrong"
                  + " nanoseconds when it becomes a TIMESTAMP.")
          .shownBy("SELECT T.K, D.ID FROM T JOIN D ON T.S = D.X")
          .on(Side.BOTH, "tables and indexes with a descending date or time in the key")
          .ofJvm()),

  /** PHOENIX-7758 corrects a part of the defect in 5.3.1, so it is still open. */
  DISTINCT_PREFIX(
      defect(
              "DISTINCT and GROUP BY along a local index skip rows before the WHERE has been"
                  + " tested.")
          .shownBy("SELECT /*+ INDEX(T I) */ DISTINCT V FROM T WHERE K3 = 17")
          .on(Side.CLIENT, "tables with a local index")
          .reportedAs("PHOENIX-7758", Facts.OPEN)),

  DOTTED_NAME(
      defect(
              "CREATE LOCAL INDEX fails for a table with a dot in its name. After that, all queries of"
                  + " the table fail.")
          .shownBy("SELECT K FROM \"t.x\" WHERE V = 1")
          .on(Side.CLIENT, "tables without a schema, with a dot in their name")
          .notRequested()),

  DROPPED_COLUMN(
      defect(
              "ALTER TABLE DROP COLUMN leaves the values in the rows of local indexes that include"
                  + " the column, and adds rows that belong to no index.")
          .shownBy("ALTER TABLE T DROP COLUMN W")
          .on(Side.SERVER, "tables with several regions and a local index")
          .ofJvm()
          .ofWrites()),

  /** Two defects share this id, because both are in the scan that deletes index rows. */
  DROPPED_INDEX(
      defect(
              "DROP INDEX, REBUILD and DROP COLUMN of a local index delete data rows whose keys"
                  + " begin like index rows. DROP COLUMN also leaves rows of the index.")
          .shownBy("ALTER TABLE T DROP COLUMN V")
          .on(Side.CLIENT, "tables with a local index")
          .notRequested()
          .ofWrites()),

  /**
   * Loose index scans are off without this patch, because a seek drops rows. The server always
   * applies it to a scan of a part of a merged region, because the filter of such a scan drops
   * rows.
   */
  EMPTY_BATCH(
      defect(
              "A scan of a local index ends at the first empty batch, although HBase has more"
                  + " rows.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, W FROM T WHERE A BETWEEN 0 AND 63 AND V = 5")
          .on(Side.SERVER, "tables with a local or an uncovered global index")),

  EMPTY_SUBQUERY(
      defect(
              "A comparison with COUNT, or with ALL or ANY, in a subquery loses outer rows for which"
                  + " the subquery has no rows.")
          .shownBy("SELECT ID FROM T WHERE N < (SELECT COUNT(*) FROM D WHERE D.ID = T.ID)")
          .on(Side.CLIENT, "any table")
          .notRequested()) {
    @Override
    public Optional<Patch> needs() {
      return Optional.of(JOIN_LIMIT);
    }
  },

  /** Follows the JVM, since expressions are evaluated without a connection or a scan. */
  ENDLESS_PADDING(
      defect(
              "LPAD that fills with the text of a column never ends, or adds other bytes after the"
                  + " text.")
          .shownBy("SELECT LPAD(A, 10, B) FROM T")
          .on(Side.BOTH, "any table")
          .ofJvm()),

  EXPIRED_VALUES(
      defect(
              "The server uses expired values when it maintains local indexes, and when it looks up"
                  + " columns that they lack.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, V, W FROM T")
          .on(Side.SERVER, "tables with a TTL and a local index")
          .ofJvm()
          .ofWrites()),

  FAMILY_DELETE(
      defect(
              "After a DELETE, an UPSERT of some columns of a row with several column families writes"
                  + " deleted values or nulls into local indexes.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, V FROM T WHERE W = 8")
          .on(Side.SERVER, "tables with several column families and a local index")
          .ofJvm()
          .ofWrites()),

  FIRST_FAMILY(
      defect(
              "After ALTER TABLE DROP COLUMN of a column of the first family, COUNT(*) is 0, and rows"
                  + " without values are missing.")
          .shownBy("SELECT COUNT(*) FROM T")
          .on(Side.CLIENT, "tables with several column families")
          .notRequested()
          .ofWrites()),

  /**
   * Several defects share this id, because one change of the request to the servers corrects them.
   * Follows the JVM, because aggregates are serialized in a static method without a connection.
   */
  FIRST_VALUE(
      defect(
              "FIRST_VALUE and related functions mistake a null of an index for a value, or"
                  + " fail, and sort descending VARCHAR and DECIMAL values wrongly.")
          .shownBy("SELECT /*+ INDEX(T I) */ FIRST_VALUE(S) WITHIN GROUP (ORDER BY K ASC) FROM T")
          .on(Side.CLIENT, "any table")
          .ofJvm()) {
    @Override
    public Optional<Patch> needs() {
      return Optional.of(ABSENT_AGGREGATE);
    }
  },

  FOREIGN_ROWS(
      defect(
              "A local index on a clone of a snapshot also returns rows of the index that the"
                  + " snapshot has.")
          .shownBy("SELECT /*+ INDEX(C J) */ COUNT(*) FROM C WHERE V > 0")
          .on(Side.CLIENT, "tables that already have index rows when their first index is created")
          .notRequested()),

  GROUP_LENGTH(
      defect("GROUP BY and DISTINCT fail for a CHAR or BINARY expression without a length.")
          .shownBy("SELECT CAST(S AS CHAR(5)), COUNT(*) FROM T GROUP BY CAST(S AS CHAR(5))")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  GROUP_LIMIT(
      defect("The servers apply the LIMIT of a DISTINCT or GROUP BY before the client sorts.")
          .shownBy("SELECT /*+ INDEX(T I) */ DISTINCT V FROM T ORDER BY V DESC LIMIT 2")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  /**
   * Several defects share this id, because one scanner takes the place of Phoenix's. Follows the
   * JVM, because compactions also read the files, and a compaction has no connection.
   */
  HALF_FILE(
      defect(
              "Between a split or merge and the next compaction, queries along local indexes fail,"
                  + " lose rows or do not end. The compaction drops rows of views' indexes.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, V FROM T WHERE V = 5")
          .on(Side.SERVER, "tables with a local index whose regions split or merge")
          .ofJvm()),

  HAVING_COLUMNS(
      defect(
              "HAVING reads the wrong columns of a group if Phoenix reorders the columns of GROUP"
                  + " BY.")
          .shownBy("SELECT V, S FROM T GROUP BY V, S HAVING S IS NULL")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  HAVING_NULL(
      defect("Groups are returned although their HAVING condition is null.")
          .shownBy("SELECT S FROM T GROUP BY S HAVING MAX(V) > 3")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  HAVING_SUBQUERY(
      defect("A subquery in HAVING is never run, and all groups are returned.")
          .shownBy("SELECT A FROM T GROUP BY A HAVING COUNT(*) > (SELECT MAX(K) FROM D)")
          .on(Side.CLIENT, "any table")
          .notRequested()) {
    @Override
    public Optional<Patch> needs() {
      return Optional.of(JOINED_SUBQUERY);
    }
  },

  HINTED_INDEX(
      defect(
              "A join fails with \"Undefined column\" if a hint names a global index that lacks a"
                  + " column of the query.")
          .shownBy("SELECT /*+ INDEX(T I) */ T.K, D.X FROM T JOIN D ON T.V = D.K WHERE W > 1")
          .on(Side.CLIENT, "tables with a global index")),

  IMMUTABLE_DELETE(
      defect(
              "A DELETE along an index of an immutable table does not delete the rows of the other"
                  + " global indexes.")
          .shownBy("DELETE FROM T WHERE V = 5")
          .on(Side.CLIENT, "tables with IMMUTABLE_ROWS, a global index, and another index")
          .notRequested()
          .ofWrites()),

  INDEX_CAST(
      defect(
              "A CAST of a DECIMAL or TIMESTAMP to a type without fractions does not round along an"
                  + " index: it fails, or matches other rows.")
          .shownBy("SELECT /*+ INDEX(T I) */ K FROM T WHERE CAST(V AS BIGINT) = 2")
          .on(Side.CLIENT, "tables with an index")
          .notRequested()) {
    @Override
    public Optional<Patch> needs() {
      return Optional.of(CAST_RANGE);
    }
  },

  INDEX_COLUMNS(
      defect(
              "SELECT * along a local index fails, or returns other columns, labels or types than"
                  + " the table.")
          .shownBy("SELECT /*+ INDEX(T I) */ * FROM T WHERE V = 1 AND K = (SELECT MAX(K) FROM T)")
          .on(Side.CLIENT, "tables and views with a local index")
          .notRequested()),

  /**
   * Changes the keys of index rows. Follows the JVM, since the server that writes them sees no
   * connection.
   */
  INDEX_EXPRESSION_NULL(
      defect(
              "An index on an expression stores another value for a row in which the expression is"
                  + " null.")
          .shownBy("SELECT /*+ INDEX(T I) */ K FROM T WHERE SUBSTR(V, 3) = 'ab'")
          .on(Side.BOTH, "tables with an index on SUBSTR or LPAD")
          .ofJvm()
          .notForLocalIndexes()
          .ofWrites()
          .optIn()),

  INDEX_KEY_DELETE(
      defect(
              "A DELETE along an index deletes only the rows of the index if its condition gives all"
                  + " columns of the index key.")
          .shownBy("DELETE /*+ INDEX(T I) */ FROM T WHERE K = 1 AND V = 5")
          .on(Side.CLIENT, "tables with an index")
          .notRequested()
          .ofWrites()),

  INDEX_ROW_CONDITION(
      defect(
              "The WHERE of a local index scan keeps nulls and values of the previous row when it"
                  + " evaluates the next row.")
          .shownBy("SELECT /*+ INDEX(T I) */ K1 FROM T WHERE V = 1 AND C BETWEEN 2 AND 8")
          .on(Side.SERVER, "tables with a local or an uncovered global index")),

  INDEXED_FAMILY(
      defect(
              "Queries along an uncovered global index on F.V fail if another family has a column"
                  + " V.")
          .shownBy("SELECT /*+ INDEX(T I) */ K FROM T WHERE F.V = 5")
          .on(Side.CLIENT, "tables with an uncovered global index")
          .notRequested()
          .notForLocalIndexes()),

  INEXACT_CONSTANT(
      defect(
              "A whole number is compared wrongly with a constant that its type cannot represent,"
                  + " such as a fraction.")
          .shownBy("SELECT K FROM T WHERE K > -2.5")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  INHERITED_INDEX(
      defect(
              "A view's query along a local index of its table cannot look up columns in the data"
                  + " table.")
          .shownBy("SELECT /*+ INDEX(A A#I) */ K3, U, W FROM A WHERE V = 1 AND U > 2 ORDER BY K3")
          .on(Side.CLIENT, "views of a table with a local index")),

  /** Follows the JVM, because older servers do not know its name in a scan. */
  INJECTED_FILTER(
      defect(
              "If HBase checks visibility labels or rights to cells, skip scans along a local index"
                  + " and DISTINCT lose rows.")
          .shownBy("SELECT /*+ INDEX(T I) */ K1 FROM T WHERE V = 3 AND K1 IN (5, 25)")
          .on(Side.SERVER, "any table")
          .ofJvm()),

  JOIN_COLUMNS(
      defect(
              "A join that compares two key columns and another column can fail with an"
                  + " IndexOutOfBoundsException, depending on their order.")
          .shownBy(
              "SELECT /*+ INDEX(T I) */ T.K FROM T JOIN D ON T.N = D.Y AND T.A = D.X AND T.K ="
                  + " D.ID")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  JOIN_LIMIT(
      defect(
              "An outer join with a LIMIT loses rows, because Phoenix applies the LIMIT before a"
                  + " condition on the table whose rows can be missing.")
          .shownBy(
              "SELECT /*+ INDEX(T I) */ T.K FROM T LEFT JOIN D ON T.V = D.ID WHERE D.ID IS NULL"
                  + " LIMIT 2")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  JOINED_AGGREGATE(
      defect(
              "An aggregate over a hash join along a local index projects each row twice and finds"
                  + " nulls.")
          .shownBy(
              "SELECT /*+ INDEX(T I) */ COUNT(*), SUM(K3) FROM T WHERE V = 1 AND C IN (SELECT X"
                  + " FROM D)")
          .on(Side.SERVER, "tables with a local or an uncovered global index")),

  /**
   * Several defects share this id, because the patch turns hash joins into sort-merge joins, which
   * need the correction of conditions on the client.
   */
  JOINED_SUBQUERY(
      defect(
              "A subquery in a condition on joined rows is null, or the condition is ignored. Such a"
                  + " condition on the rows of a derived table fails.")
          .shownBy(
              "SELECT T.ID, D.K FROM T LEFT JOIN D ON T.ID = D.ID WHERE D.A = (SELECT MAX(A) FROM"
                  + " D)")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  JOINED_TYPES(
      defect(
              "A join, or a query with a subquery, returns an index's DECIMAL for a BOOLEAN or a"
                  + " DATE.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, D FROM T WHERE K IN (SELECT K FROM T WHERE K > 1)")
          .on(Side.CLIENT, "tables with an index on a nullable column of fixed width")),

  /**
   * Applies to tables with a local index, for which pruning can choose another plan than Phoenix.
   */
  KEY_ORDER(
      defect(
              "Phoenix assumes a row order that functions of key columns, such as TRUNC, do not"
                  + " preserve. Groups are returned in parts, and rows are not sorted.")
          .shownBy(
              "SELECT /*+ INDEX(M A) */ HOST, TRUNC(TS, 'HOUR'), MAX(VAL) FROM M WHERE METRIC ="
                  + " 'mem' GROUP BY HOST, TRUNC(TS, 'HOUR')")
          .on(Side.CLIENT, "tables with a local index")),

  /** Follows the JVM on both sides, because older servers do not know its name in a scan. */
  LOCAL_INDEX_REBUILD(
      defect("A rebuild of a local index removes the rows that the index had.")
          .shownBy("SELECT /*+ INDEX(T I) */ COUNT(*) FROM T WHERE V > 0")
          .on(Side.BOTH, "tables and views with a local index")
          .ofJvm()
          .ofWrites()),

  /** Follows the JVM, because a condition is compiled in a static method without a connection. */
  LONG_CONSTANT(
      defect(
              "A comparison with a text that is longer than the column is true or false, even for a"
                  + " null.")
          .shownBy("SELECT K FROM T WHERE V <> 'abc'")
          .on(Side.CLIENT, "tables with a column of limited length")
          .ofJvm()),

  /** Follows the JVM, since a type converts bytes without a connection or a scan. */
  LONG_DECIMAL(
      defect(
              "A DECIMAL with many digits is truncated when it is read as UNSIGNED_LONG, DATE or"
                  + " UNSIGNED_DATE.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, L FROM T")
          .on(Side.BOTH, "tables with an index on a nullable UNSIGNED_LONG, DATE or UNSIGNED_DATE")
          .ofJvm()),

  LONG_PATTERN(
      defect("LIKE with a prefix that is longer than the column is false, even if negated or null.")
          .shownBy("SELECT K FROM T WHERE V NOT LIKE 'zzz%'")
          .on(Side.CLIENT, "tables with a column of limited length")
          .notRequested()),

  /** Follows the JVM, because the scan cannot be read. */
  MALFORMED_SCAN(
      defect("A scan with an attribute that Phoenix cannot read stops the region server.")
          .shownBy("SELECT K FROM T WHERE V = 5")
          .on(Side.SERVER, "any table")
          .ofJvm()
          .notForLocalIndexes()),

  /**
   * Two defects share this id, because both are in the class that merges such values. Follows the
   * JVM, because aggregates are merged without a connection.
   */
  MERGED_VALUES(
      defect(
              "FIRST_VALUES and LAST_VALUES return too many values if there are several regions."
                  + " They and NTH_VALUE are null if the client sorts groups.")
          .shownBy("SELECT FIRST_VALUES(V, 2) WITHIN GROUP (ORDER BY K ASC) FROM T")
          .on(Side.CLIENT, "any table")
          .ofJvm()),

  MISPLACED_SUBQUERY(
      defect("A subquery in SELECT, GROUP BY or ORDER BY never runs, and counts as null.")
          .shownBy("SELECT CASE WHEN EXISTS (SELECT 1 FROM D) THEN 1 ELSE 0 END FROM T")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  /** Follows the JVM, since a type compares bytes without a connection or a scan. */
  MIXED_ORDER(
      defect("Phoenix compares the bytes of a descending and an ascending value as signed numbers.")
          .shownBy("SELECT A, B FROM T WHERE A <= B")
          .on(Side.BOTH, "tables and indexes with a descending column")
          .ofJvm()),

  /** Follows the JVM, because compactions also read the values, and have no connection. */
  MOB_INDEX(
      defect(
              "After a split or merge, large values of a local index in MOB files cannot be read, are"
                  + " null, or are those of another row.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, W FROM T WHERE V = 5")
          .on(Side.SERVER, "tables with IS_MOB in a family of a local index")
          .ofJvm()) {
    @Override
    public Optional<Patch> needs() {
      return Optional.of(HALF_FILE);
    }
  },

  /** Follows the JVM, since expressions are evaluated without a connection or a scan. */
  NEGATED_NULL(
      defect(
              "A condition in which IS NOT NULL can be false does not find the rows without the"
                  + " column.")
          .shownBy("SELECT K FROM T WHERE NOT (V IS NOT NULL)")
          .on(Side.BOTH, "any table")
          .ofJvm()),

  /** Opt-in, because tests of Phoenix expect that nulls match. */
  NULL_JOIN_KEY(
      defect(
              "Joins, IN and EXISTS with a subquery, and correlated subqueries match a null with a null.")
          .shownBy("SELECT /*+ INDEX(T I) */ T.K, D.ID FROM T LEFT JOIN D ON T.V = D.X")
          .on(Side.CLIENT, "any table")
          .notRequested()
          .notForLocalIndexes()
          .optIn()),

  NULL_OR_VALUE(
      defect("An OR whose ranges cover all values of a column also finds the nulls of the column.")
          .shownBy("SELECT K, L FROM T WHERE K = 'a' AND (L < 'b' OR L > 'a') ORDER BY K, L")
          .on(
              Side.CLIENT,
              "tables and indexes with a nullable column of variable length in the key")
          .notRequested()),

  /** Follows the JVM, because rows are written without a connection. */
  NULL_PADDING(
      defect(
              "A null CHAR or BINARY is stored as blanks or zero bytes by ON DUPLICATE KEY, and in a"
                  + " table with STORE_NULLS.")
          .shownBy("SELECT K FROM T WHERE C IS NULL")
          .on(Side.BOTH, "tables with a CHAR or BINARY column")
          .reportedAs("PHOENIX-6583", Facts.OPEN)
          .ofJvm()
          .ofWrites()),

  /** Follows the JVM, since expressions are evaluated without a connection or a scan. */
  NULL_PATTERN(
      defect("LIKE and NOT LIKE of a null are true or false instead of null.")
          .shownBy("SELECT /*+ INDEX(T I) */ K FROM T WHERE S NOT LIKE 'z%'")
          .on(Side.BOTH, "tables and indexes with a nullable column in the key")
          .ofJvm()),

  /** The start of a scan and the skip scan share this id, because both read the same ranges. */
  NULL_RANGES(
      defect(
              "Ranges without a lower bound lose or gain the nulls of a column of variable length."
                  + " Ranges of row values lose the least values of their first column.")
          .shownBy("SELECT /*+ INDEX(T I) */ K FROM T WHERE A = 1 AND (B IS NULL OR B < 5)")
          .on(
              Side.CLIENT,
              "tables and indexes with a nullable or a last column of variable length in the key")),

  /** Follows the JVM, because the server updates rows without a connection. */
  NULL_UPDATE(
      defect("ON DUPLICATE KEY UPDATE stores the bytes of an operand if its expression is null.")
          .shownBy("SELECT /*+ NO_INDEX */ K, B FROM T WHERE S IS NULL")
          .on(Side.SERVER, "any table")
          .ofJvm()
          .ofWrites()),

  /** Follows the JVM, because the server writes rows without a connection. */
  NULL_UPSERT(
      defect(
              "An UPSERT SELECT that runs on the server keeps the old value of a column if a"
                  + " selected function is null.")
          .shownBy("UPSERT /*+ NO_INDEX */ INTO T (K, S) SELECT K, SUBSTR(S, 5) FROM T")
          .on(Side.SERVER, "any table")
          .ofJvm()
          .ofWrites()),

  PAGED_LOOKUP(
      defect(
              "A scan fails if it reads a column that a local index includes, looks up another"
                  + " column, and takes longer than a page.")
          .shownBy("SELECT /*+ INDEX(T I) */ SUM(N), SUM(B) FROM T WHERE V = 1")
          .on(Side.SERVER, "tables with a local index that includes a column")
          .ofJvm()),

  PARTIAL_BUILD(
      defect(
              "CREATE LOCAL INDEX adds index rows with nulls for rows of which some columns were"
                  + " written shortly before.")
          .shownBy("SELECT /*+ INDEX(T I) */ COUNT(*) FROM T")
          .on(Side.SERVER, "tables that are written while a local index is created")
          .ofJvm()
          .ofWrites()),

  PARTIAL_INDEX(
      defect("A query uses a partial index that lacks some of its rows.")
          .shownBy("SELECT K FROM T WHERE W IS NULL")
          .on(Side.CLIENT, "tables with a partial index")
          .notForLocalIndexes()
          .notRequested()),

  PAST_DELETE(
      defect(
              "A DELETE of a connection at an SCN also deletes rows that were written later, if"
                  + " the table has an index.")
          .shownBy("DELETE FROM T WHERE K = 1")
          .on(Side.CLIENT, "tables with an index that the servers maintain")
          .notRequested()
          .ofWrites()),

  PAST_ROWS(
      defect("A query at an SCN along a local index loses past rows that the data table keeps.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, V FROM T WHERE V = 1")
          .on(
              Side.CLIENT,
              "tables with a local index, and with several VERSIONS or KEEP_DELETED_CELLS")
          .notRequested()),

  /** Follows the JVM, because aggregates are evaluated without a connection. */
  PERCENTILE(
      defect(
              "PERCENTILE_CONT, PERCENTILE_DISC and PERCENT_RANK fail along an index, for"
                  + " expressions, for a DECIMAL, and without values.")
          .shownBy(
              "SELECT /*+ INDEX(T I) */ PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY V ASC) FROM T")
          .on(Side.CLIENT, "any table")
          .ofJvm()),

  POINT_KEYS(
      defect(
              "IN lists of all key columns are multiplied, and the resulting keys exhaust the"
                  + " client's memory.")
          .shownBy(
              "SELECT * FROM T WHERE A IN (1, 2, 3, 4, 5, 6, 7) AND B IN (1, 2, 3, 4, 5, 6,"
                  + " 7) AND C IN (1, 2, 3, 4, 5, 6, 7) AND D IN (1, 2, 3, 4, 5, 6, 7) AND E IN "
                  + "(1, 2, 3, 4, 5, 6, 7) AND F IN (1, 2, 3, 4, 5, 6, 7)")
          .on(Side.CLIENT, "any table")) {
    @Override
    public Optional<Patch> needs() {
      return Optional.of(SKIP_SCAN);
    }
  },

  PRUNED_COLUMN(
      defect(
              "A join with a derived table fails along an index, if only a condition names a column"
                  + " of the derived table.")
          .shownBy(
              "SELECT T.ID FROM T JOIN (SELECT ID, MAX(X) M FROM D GROUP BY ID) U ON U.ID = T.ID"
                  + " WHERE U.M > 5")
          .on(Side.CLIENT, "tables with an index")
          .notRequested()),

  /** Follows the JVM, because the text of a condition is written without a connection. */
  QUOTED_FAMILY(
      defect(
              "The condition of a view or an indexed expression fails, or names another column, if"
                  + " the family of a column needs quotes.")
          .shownBy("SELECT K FROM W WHERE V = 1")
          .on(Side.CLIENT, "tables with an indexed view or expression of a column in a family")
          .ofJvm()),

  RELEASED_MEMORY(
      defect(
              "The server computes index rows, and the values of ON DUPLICATE KEY, from old values"
                  + " in memory that it has released. It also returns sorted rows of system tables"
                  + " from such memory.")
          .shownBy("UPSERT INTO T (K, V) VALUES (1, 6)")
          .on(
              Side.SERVER,
              "tables with an index, or written with ON DUPLICATE KEY; Phoenix's system tables")
          .ofJvm()
          .ofWrites()),

  /** Follows the JVM, because the scan of any client can be opened again. */
  REOPENED_SCAN(
      defect(
              "A query along a local index loses the rest of a region's rows if the region moves"
                  + " while they are read.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, W FROM T WHERE V < 2")
          .on(Side.SERVER, "tables with a local index")
          .ofJvm()),

  REPEATED_UPSERT(
      defect(
              "An UPSERT SELECT of a table into itself, along an index on a column that it"
                  + " changes, changes rows several times.")
          .shownBy("UPSERT INTO T (K, V) SELECT K, V + 500 FROM T WHERE V > 0")
          .on(Side.CLIENT, "tables with an index")
          .notRequested()
          .ofWrites()),

  REVERSE_SKIP_SCAN(
      defect(
              "A skip scan with the values of a subquery or a join reads in reverse, which its"
                  + " filter does not support. Rows are lost or do not match, or the query fails.")
          .shownBy("SELECT K FROM T WHERE EXISTS (SELECT 1 FROM D WHERE D.X = T.K) ORDER BY K DESC")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  ROW_SUBQUERY(
      defect(
              "A comparison of a row value with a subquery of several columns finds no rows, or fails.")
          .shownBy("SELECT K FROM T WHERE (A, K) > (SELECT A, K FROM T WHERE K = 2)")
          .on(Side.CLIENT, "any table")
          .notRequested()) {
    @Override
    public Optional<Patch> needs() {
      return Optional.of(SAMPLE_VALUES);
    }
  },

  /**
   * Several defects share this id, because a range that one correction widens is right only if the
   * others keep its condition. PHOENIX-7760 corrects a part in 5.3.1, so the defect is still open.
   */
  ROW_VALUE_RANGES(
      defect(
              "Key ranges of row values that are combined with other key ranges lose rows, or gain"
                  + " rows that do not match.")
          .shownBy("SELECT A, B, C FROM T WHERE (A, B) <= (2, 1) AND A < 4")
          .on(Side.CLIENT, "any table")
          .reportedAs("PHOENIX-7760", Facts.OPEN)) {
    @Override
    public Optional<Patch> needs() {
      return Optional.of(SKIP_SCAN);
    }
  },

  /** PHOENIX-7580 corrects a part of the defect in 5.2.2, so it is still open. */
  SALTED_REGIONS(
      defect(
              "A condition on the key of a salted table loses rows of the last bucket if regions"
                  + " have split. It repeats rows if regions have merged.")
          .shownBy("SELECT K, L FROM T WHERE K = 5 ORDER BY L")
          .on(Side.CLIENT, "salted tables, and their global indexes")
          .reportedAs("PHOENIX-7580", Facts.OPEN)
          .notRequested()
          .notForLocalIndexes()),

  SAMPLE_VALUES(
      defect(
              "If a statement has a subquery, an index is chosen with random values for the right"
                  + " sides of all comparisons. A statement with a row value fails.")
          .shownBy("SELECT K FROM T WHERE (K, A) > (1, 2) AND A = (SELECT MAX(A) FROM D)")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  /** Follows the JVM, because Phoenix compares columns without a connection. */
  SELF_JOIN(
      defect(
              "A join of a table with itself along local indexes returns a column of one side for"
                  + " both, or fails.")
          .shownBy(
              "SELECT A.W, B.W FROM T A JOIN T B ON A.V = B.V WHERE A.V = 1 AND B.V = 1 AND A.K"
                  + " < B.K")
          .on(Side.CLIENT, "tables with a local index")
          .ofJvm()),

  SEMI_JOIN(
      defect(
              "IN with several columns, or EXISTS with several conditions, compares only the columns"
                  + " that are in the key of the scanned table or index.")
          .shownBy("SELECT /*+ INDEX(T I) */ K FROM T WHERE (A, N) IN (SELECT X, Y FROM D)")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  /**
   * Applies to the whole JVM of the client, because all connections share the class that frees hash
   * tables.
   */
  SERVER_CACHE(
      defect("A DELETE with a join that scans nothing frees its hash table twice and fails.")
          .shownBy(
              "DELETE FROM KEPT WHERE (PK1, PK2) IN ((3, 5), (0, 5)) AND PK2 BETWEEN 0 AND "
                  + "4 AND V1 IN (SELECT X FROM SHELVES WHERE K < 30)")
          .on(Side.CLIENT, "any table")
          .ofJvm()
          .notForLocalIndexes()),

  SERVER_OFFSET(
      defect(
              "A server does not skip the rows of an OFFSET if it reads in reverse or along a local"
                  + " index. It can also fail and keep a lock of the region.")
          .shownBy("SELECT K FROM T ORDER BY K DESC LIMIT 3 OFFSET 2")
          .on(Side.CLIENT, "tables and indexes of several regions, and local indexes")
          .notRequested()),

  /** Follows the JVM, because regions open without a connection or a scan. */
  SHARED_CONFIGURATION(
      defect(
              "Phoenix copies the configuration four times for each region that opens, and parses"
                  + " Hadoop's default files for each copy.")
          .shownBy("ALTER TABLE T SET BLOCKCACHE = false")
          .on(Side.SERVER, "any table")
          .ofJvm()
          .notForLocalIndexes()),

  SHARED_THREADS(
      defect("A scan along a global index fails if another scan stops the threads that both use.")
          .shownBy("SELECT /*+ INDEX(T G) */ W FROM T WHERE V = 1")
          .on(Side.SERVER, "tables with a global index")
          .ofJvm()
          .notForLocalIndexes()),

  /** PHOENIX-6023 has corrected a part of the defect, so it is still open. */
  SINGLE_CELL_FAMILY(
      defect(
              "A filter of an immutable table with several families mistakes the cell of one family"
                  + " for that of another. Rows are lost, or do not match.")
          .shownBy("SELECT K, V FROM T WHERE X IS NULL")
          .on(Side.CLIENT, "immutable tables with several column families")
          .reportedAs("PHOENIX-6023", Facts.OPEN)
          .notRequested()),

  /**
   * Several defects share this id, because they are steps of one loop: each step starts from the
   * key that the step before has computed.
   */
  SKIP_SCAN(
      defect(
              "A skip scan loses rows whose keys have nulls or values of different lengths. It also"
                  + " loses rows of regions that begin or end at a row key or inside a value.")
          .shownBy("SELECT K1, K2, K3 FROM T WHERE K1 IN ('aa', 'b') AND K2 < 2 AND K3 = 2")
          .on(Side.BOTH, "any table")) {
    @Override
    public Optional<Patch> needs() {
      return Optional.of(ROW_VALUE_RANGES);
    }
  },

  /** Follows the JVM, because Phoenix's server writes index rows without a scan. */
  SKIPPED_MUTATION(
      defect(
              "A batch writes no rows into local indexes if its first row is skipped, such as an"
                  + " existing row of ON DUPLICATE KEY IGNORE.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, V FROM T WHERE V > 0")
          .on(Side.SERVER, "tables with a local index")
          .ofJvm()
          .ofWrites()),

  SNAPSHOT_READ(
      defect(
              "A MapReduce job that reads a snapshot along a local index returns rows several times,"
                  + " and rows that do not match.")
          .shownBy("SELECT K FROM T WHERE V = 3")
          .on(Side.CLIENT, "tables with an index")
          .notRequested()),

  /** Follows the JVM, because aggregates are evaluated without a connection. */
  STANDARD_DEVIATION(
      defect(
              "STDDEV_POP and STDDEV_SAMP of a descending column are computed from inverted"
                  + " bytes, and fail for a group without enough values.")
          .shownBy("SELECT /*+ INDEX(T I) */ STDDEV_POP(D) FROM T")
          .on(Side.CLIENT, "any table")
          .ofJvm()),

  /**
   * Several defects share this id, because one change of the parsed subquery, before Phoenix
   * rewrites it, corrects them all.
   */
  SUBQUERY_LIMIT(
      defect(
              "The LIMIT of a subquery is replaced, or applied to the rows for all outer rows"
                  + " together. Rows are lost, or the statement fails.")
          .shownBy("SELECT ID FROM T WHERE EXISTS (SELECT 1 FROM D WHERE D.ID = T.ID LIMIT 1)")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  SUBQUERY_NULL(
      defect(
              "ANY and ALL of a subquery take a null number for 0, a null date for 1970-01-01, and a"
                  + " null BOOLEAN for false.")
          .shownBy("SELECT /*+ INDEX(T I) */ K FROM T WHERE V = ANY (SELECT X FROM D)")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  SUBQUERY_RESULT(
      defect(
              "Subqueries of a statement that differ only in the parts of a UNION ALL, or in their"
                  + " OFFSET, get the same result.")
          .shownBy(
              "SELECT ID FROM T WHERE A = ANY (SELECT K FROM D UNION ALL SELECT A FROM D) OR A = ANY"
                  + " (SELECT K FROM D UNION ALL SELECT A FROM E)")
          .on(Side.CLIENT, "any table")
          .ofJvm()),

  SUBSTRING_RANGE(
      defect(
              "A comparison of SUBSTR(K, 1, N) with a text of another length gets a key range that"
                  + " lacks rows.")
          .shownBy("SELECT K FROM T WHERE SUBSTR(K, 1, 3) > 'ab'")
          .on(Side.CLIENT, "tables and indexes with a VARCHAR in the key")),

  TIMELINE_READ(
      defect(
              "A read along a local index with the consistency TIMELINE returns null for a value that"
                  + " exists.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, W FROM T WHERE V = 1")
          .on(Side.CLIENT, "tables with a local index and region replicas")
          .notRequested()),

  UNBOUNDED_UNION(
      defect(
              "Some statements never finish compiling, because the first of two ranges that touch"
                  + " leaves all later columns unbounded.")
          .shownBy("SELECT * FROM S WHERE SUBSTR(K1, 1, 1) IN ('a', 'b') AND K2 = 1")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  UNCHANGED_INDEX_KEY(
      defect(
              "A row is lost in a local index on a function if a column changes and the value of the"
                  + " function does not.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, S FROM T")
          .on(Side.SERVER, "tables with a local index on a function")
          .ofJvm()
          .ofWrites()),

  UNCOVERED_INDEX(
      defect(
              "A join along an uncovered global index mistakes the index rows for outdated ones,"
                  + " drops them, and deletes them.")
          .shownBy("SELECT /*+ INDEX(T I) */ T.K FROM T JOIN R ON T.N = R.N")
          .on(Side.SERVER, "tables with an uncovered global index")
          .ofJvm()
          .notForLocalIndexes()),

  UNDEFINED_COLUMN(
      defect(
              "A column that does not exist, selected from a local index, fails with a"
                  + " StringIndexOutOfBoundsException.")
          .shownBy("SELECT A FROM I")
          .on(Side.CLIENT, "tables with a local index")
          .notRequested()),

  /** Several defects share this id, because one join with a UNION ALL can have most of them. */
  UNION_CONDITION(
      defect(
              "A join ignores a condition on a UNION ALL, or fails. It tests a condition on a derived"
                  + " table before its OFFSET.")
          .shownBy(
              "SELECT U.X, T.A FROM T JOIN (SELECT ID X FROM D UNION ALL SELECT ID X FROM T) U ON"
                  + " U.X = T.ID WHERE U.X > 2")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  UNION_ORDER(
      defect(
              "The parts of a UNION ALL are sorted by another column that happens to have the name"
                  + " in the ORDER BY. With a LIMIT, rows are lost.")
          .shownBy("SELECT ID K FROM T UNION ALL SELECT TS FROM D ORDER BY K LIMIT 1")
          .on(Side.CLIENT, "any table")
          .notRequested()),

  /**
   * Follows the JVM, because columns are looked up in a class that keeps its connection private.
   */
  UNQUALIFIED_COLUMN(
      defect(
              "A sort-merge join on a column without a table name fails with a"
                  + " NullPointerException.")
          .shownBy(
              "SELECT /*+ USE_SORT_MERGE_JOIN */ A, COUNT(*) FROM T JOIN E ON ID = M GROUP BY A")
          .on(Side.CLIENT, "any table")
          .ofJvm()),

  /** Follows the JVM, because the server updates rows without a connection. */
  UPDATE_KEY(
      defect(
              "ON DUPLICATE KEY UPDATE with a column of the key fails if the row has none of the"
                  + " other columns of the expressions.")
          .shownBy("UPSERT INTO T (K) VALUES (1) ON DUPLICATE KEY UPDATE W = K + COALESCE(V, 2)")
          .on(Side.SERVER, "any table")
          .ofJvm()
          .ofWrites()),

  UPDATE_TYPE(
      defect(
              "ON DUPLICATE KEY UPDATE of a DECIMAL fails if the new value has another type. A"
                  + " descending key column gives another column a wrong value.")
          .shownBy("SELECT W FROM T")
          .on(Side.CLIENT, "any table")
          .notRequested()
          .ofWrites()),

  VIEW_DELETE(
      defect(
              "A DELETE through a view that fixes a key column fails along a local index of the"
                  + " view's table.")
          .shownBy("DELETE FROM W WHERE V = 1")
          .on(Side.CLIENT, "views that fix a key column")
          .notRequested()
          .ofWrites()),

  /** Follows the JVM, because the server decides about each batch that it writes. */
  VIEW_INDEX_WRITES(
      defect(
              "A write through a table, a parent view or another view does not maintain the local"
                  + " indexes of a view.")
          .shownBy("SELECT /*+ INDEX(W I) */ K, V FROM W WHERE V > 0")
          .on(Side.SERVER, "tables with views that have local indexes")
          .ofJvm()
          .ofWrites()),

  VIEW_WRITES(
      defect(
              "A write through a view does not maintain some local indexes of its table and of the"
                  + " views between them.")
          .shownBy("SELECT /*+ INDEX(T I) */ K, V FROM T WHERE V > 0")
          .on(Side.CLIENT, "views of tables and views with a local index")
          .notRequested()
          .ofWrites()),

  /** Follows the JVM, since rows are sorted without a connection or a scan. */
  ZERO_LIMIT(
      defect("LIMIT 0 fails if the client sorts groups or joined rows.")
          .shownBy(
              "SELECT /*+ INDEX(T I) */ V, COUNT(*) FROM T GROUP BY V ORDER BY COUNT(*) LIMIT 0")
          .on(Side.CLIENT, "any table")
          .ofJvm());

  /** Level at which a patch is switched on or off. */
  public enum Scope {
    /** Connection that runs the statement. The server follows the request in the scan. */
    CONNECTION,

    /**
     * JVM, which reads a system property, or hbase-site.xml on its class path. A client and a
     * server each follow their own JVM.
     */
    JVM
  }

  /** Side whose code has the defect. Its jar must have the patch. */
  public enum Side {
    CLIENT,
    SERVER,
    BOTH
  }

  private final Facts facts;
  private final String example;
  private final Side side;
  private final String tables;

  Patch(Facts facts) {
    this.facts = facts;
    this.example = Objects.requireNonNull(facts.example, "shownBy was not called");
    this.side = Objects.requireNonNull(facts.side, "on was not called");
    this.tables = Objects.requireNonNull(facts.tables, "on was not called");
  }

  private static Facts defect(String defect) {
    return new Facts(defect);
  }

  /** Returns the name in settings, such as {@code skip-scan}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the patch with this {@link #id}, or null if there is none. */
  static @Nullable Patch of(String id) {
    for (Patch patch : values()) {
      if (patch.id().equals(id)) {
        return patch;
      }
    }
    return null;
  }

  /** Describes Phoenix's defect in one or two sentences. */
  public String defect() {
    return facts.defect;
  }

  /**
   * Returns one SQL statement that shows the defect. The page of the patch in docs/patches has the
   * tables and rows of the statement.
   */
  public String example() {
    return example;
  }

  public Side side() {
    return side;
  }

  /** Describes in a few words the tables whose statements can show the defect. */
  public String tables() {
    return tables;
  }

  /** Returns Phoenix's issue, such as {@code PHOENIX-7758}, or {@code not reported}. */
  public String issue() {
    return facts.issue;
  }

  /** Returns the first Phoenix release without the defect, or {@code open}. */
  public String fixedIn() {
    return facts.fixedIn;
  }

  public Scope scope() {
    return facts.scope;
  }

  /**
   * Returns the patch without which this patch is off, because the rows would be neither Phoenix's
   * nor right:
   *
   * <ul>
   *   <li>{@link #ROW_VALUE_RANGES} and {@link #POINT_KEYS} make ranges with which Phoenix's own
   *       skip scan loses rows.
   *   <li>{@link #SKIP_SCAN} finds more rows that do not match, because Phoenix makes some ranges
   *       of row values too wide.
   *   <li>With {@link #DATA_ROW_LOOKUP}, and with Phoenix's own evaluation of conditions on index
   *       rows, a left join loses rows.
   *   <li>{@link #HAVING_SUBQUERY} moves the subquery to the WHERE of a derived table, which only
   *       {@link #JOINED_SUBQUERY} can evaluate.
   *   <li>{@link #MOB_INDEX} changes the scanner of {@link #HALF_FILE}.
   *   <li>With {@link #FIRST_VALUE}, more groups have no value, which clients misread without
   *       {@link #ABSENT_AGGREGATE}.
   * </ul>
   *
   * <p>{@link #JOINED_TYPES} checks by itself whether {@link #LONG_DECIMAL} is on, because a
   * connection cannot decide about a patch of the JVM.
   */
  public Optional<Patch> needs() {
    return Optional.empty();
  }

  /**
   * Returns whether the scans of a client name the patch. A server decides by itself about patches
   * of {@link Scope#JVM}. Some other patches have no part on the server.
   */
  boolean isRequested() {
    return facts.isRequested && scope() == Scope.CONNECTION && !isOptIn();
  }

  /**
   * Returns whether queries along local indexes can return wrong rows without this patch. If such a
   * patch is off, Phoenix's rules choose between plans instead of the costs.
   */
  public boolean isForLocalIndexes() {
    return facts.isForLocalIndexes;
  }

  /** Returns whether the patch is on only if a setting names it. */
  public boolean isOptIn() {
    return facts.isOptIn;
  }

  /**
   * Returns whether the patch changes the rows that statements write. Rows that were written
   * without the patch stay as they are.
   */
  public boolean isOfWrites() {
    return facts.isOfWrites;
  }

  /**
   * Collects the facts about one patch. The defaults are those of most patches. Facts without a
   * default are null until they are set.
   */
  private static final class Facts {

    /** Stands for the release if no Phoenix release corrects the whole defect. */
    static final String OPEN = "open";

    private final String defect;
    private @Nullable String example;
    private @Nullable Side side;
    private @Nullable String tables;
    private String issue = "not reported";
    private String fixedIn = OPEN;
    private Scope scope = Scope.CONNECTION;
    private boolean isForLocalIndexes = true;
    private boolean isOptIn;
    private boolean isRequested = true;
    private boolean isOfWrites;

    Facts(String defect) {
      this.defect = defect;
    }

    Facts shownBy(String statement) {
      example = statement;
      return this;
    }

    Facts on(Side codeWithDefect, String affectedTables) {
      side = codeWithDefect;
      tables = affectedTables;
      return this;
    }

    Facts reportedAs(String phoenixIssue, String firstReleaseWithoutDefect) {
      issue = phoenixIssue;
      fixedIn = firstReleaseWithoutDefect;
      return this;
    }

    Facts ofJvm() {
      scope = Scope.JVM;
      return this;
    }

    /** States that scans do not name the patch. The server must have no part of it. */
    Facts notRequested() {
      isRequested = false;
      return this;
    }

    Facts notForLocalIndexes() {
      isForLocalIndexes = false;
      return this;
    }

    Facts ofWrites() {
      isOfWrites = true;
      return this;
    }

    Facts optIn() {
      isOptIn = true;
      return this;
    }
  }
}
