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

/**
 * Defects in statements that write, and in the life of indexes. The page docs/known-defects.md
 * describes them. {@link WritesFuzzIT} avoids such statements, or does not compare the rows that
 * they make wrong. A system property includes them.
 */
enum KnownWriteDefect {
  /** A commit changes a row through two relations. The client may reorder the changes. */
  TWO_RELATIONS("fuzz.two.relations"),
  /**
   * ON DUPLICATE KEY UPDATE in a table with several families also writes the VALUES of a family
   * without an updated column.
   */
  DUPLICATE_KEY_FAMILIES("fuzz.duplicate.key.families"),
  /** An UPSERT SELECT of a view into itself, with autocommit, can change rows several times. */
  REPEATED_UPSERT("fuzz.repeated.upsert"),
  /**
   * A query of one row that aggregates or writes fails with a {@code StackOverflowError} if a
   * region ends with the key of the row and a zero byte.
   */
  KEY_END("fuzz.key.end"),
  /**
   * A query fails in Phoenix's {@code updateEstimates} if the only guidepost of a table is the end
   * of a region.
   */
  GUIDE_POSTS("fuzz.guide.posts"),
  /** A view adds a column to a family that the table does not have, and queries of it fail. */
  VIEW_FAMILY("fuzz.view.family"),
  /** DROP INDEX fails after a client has cached regions that have split or merged since then. */
  DROP_INDEX_OF_OLD_REGIONS("fuzz.drop.index.of.old.regions"),
  /** DROP COLUMN fails after it has dropped the column, if the table has views and two indexes. */
  DROPPED_COLUMN_OF_VIEWS("fuzz.drop.column.of.views");

  private final String property;

  KnownWriteDefect(String property) {
    this.property = property;
  }

  /** Returns whether statements with this defect are generated and compared. */
  boolean isIncluded() {
    return Boolean.getBoolean(property);
  }
}
