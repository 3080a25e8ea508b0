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
import java.util.Set;
import java.util.TreeSet;

/** A WHERE condition, as a tree that can be reduced. */
sealed interface ConditionTree {

  Sql sql();

  /** Returns conditions that are one step smaller, the smallest first. */
  List<ConditionTree> smaller();

  /** Returns the kinds of predicates in the condition. */
  Set<String> kinds();

  /**
   * A predicate that cannot be reduced.
   *
   * @param equivalent the same predicate in other words, or {@code sql} if there are none
   */
  record Leaf(String kind, Sql sql, Sql equivalent) implements ConditionTree {

    Leaf(String kind, Sql sql) {
      this(kind, sql, sql);
    }

    @Override
    public List<ConditionTree> smaller() {
      return List.of();
    }

    @Override
    public Set<String> kinds() {
      return new TreeSet<>(List.of(kind));
    }
  }

  /** A predicate {@code term IN (items)}. */
  record In(Sql term, List<Sql> items, boolean negated) implements ConditionTree {

    @Override
    public Sql sql() {
      return Sql.format(negated ? "{} NOT IN ({})" : "{} IN ({})", term, Sql.join(", ", items));
    }

    @Override
    public List<ConditionTree> smaller() {
      if (items.size() == 1) {
        return List.of();
      }
      int half = items.size() / 2;
      return List.of(
          new In(term, items.subList(0, half), negated),
          new In(term, items.subList(half, items.size()), negated));
    }

    @Override
    public Set<String> kinds() {
      return new TreeSet<>(List.of(negated ? "NOT IN" : "IN"));
    }
  }

  /** A condition that joins {@code children} by AND or OR. */
  record Junction(String operator, List<ConditionTree> children) implements ConditionTree {

    @Override
    public Sql sql() {
      return Sql.format(
          "({})",
          Sql.join(" " + operator + " ", children.stream().map(ConditionTree::sql).toList()));
    }

    @Override
    public List<ConditionTree> smaller() {
      List<ConditionTree> smaller = new ArrayList<>(children);
      for (int i = 0; i < children.size(); i++) {
        if (children.size() > 2) {
          List<ConditionTree> others = new ArrayList<>(children);
          others.remove(i);
          smaller.add(new Junction(operator, others));
        }
        for (ConditionTree child : children.get(i).smaller()) {
          List<ConditionTree> others = new ArrayList<>(children);
          others.set(i, child);
          smaller.add(new Junction(operator, others));
        }
      }
      return smaller;
    }

    @Override
    public Set<String> kinds() {
      Set<String> kinds = new TreeSet<>();
      children.forEach(child -> kinds.addAll(child.kinds()));
      if (operator.equals("OR")) {
        kinds.add("OR");
      }
      return kinds;
    }
  }

  /** A condition NOT {@code child}. */
  record Not(ConditionTree child) implements ConditionTree {

    @Override
    public Sql sql() {
      return Sql.format("NOT ({})", child.sql());
    }

    @Override
    public List<ConditionTree> smaller() {
      List<ConditionTree> smaller = new ArrayList<>(List.of(child));
      child.smaller().forEach(condition -> smaller.add(new Not(condition)));
      return smaller;
    }

    @Override
    public Set<String> kinds() {
      Set<String> kinds = child.kinds();
      kinds.add("NOT");
      return kinds;
    }
  }
}
