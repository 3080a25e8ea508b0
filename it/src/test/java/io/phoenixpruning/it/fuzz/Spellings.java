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

import io.phoenixpruning.it.fuzz.ConditionTree.In;
import io.phoenixpruning.it.fuzz.ConditionTree.Junction;
import io.phoenixpruning.it.fuzz.ConditionTree.Leaf;
import io.phoenixpruning.it.fuzz.ConditionTree.Not;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Rewrites a condition so that it matches the same rows. */
final class Spellings {

  /**
   * Maximum length of an IN list that becomes comparisons. A longer list is divided into two lists.
   */
  private static final int SHORT_LIST = 10;

  private Spellings() {}

  /** Returns the condition with the terms of AND and OR and the values of IN lists reversed. */
  static ConditionTree reordered(ConditionTree condition) {
    if (condition instanceof Junction junction) {
      List<ConditionTree> children = new ArrayList<>();
      junction.children().forEach(child -> children.add(reordered(child)));
      Collections.reverse(children);
      return new Junction(junction.operator(), children);
    }
    if (condition instanceof Not not) {
      return new Not(reordered(not.child()));
    }
    if (condition instanceof In in) {
      List<Sql> items = new ArrayList<>(in.items());
      Collections.reverse(items);
      return new In(in.term(), items, in.negated());
    }
    return condition;
  }

  /**
   * Returns an equivalent condition. Replaces IN by OR, and BETWEEN, arrays and row values by
   * comparisons. Moves NOT to the terms of AND and OR.
   */
  static ConditionTree equivalent(ConditionTree condition) {
    if (condition instanceof Leaf leaf) {
      return new Leaf(leaf.kind(), leaf.equivalent());
    }
    if (condition instanceof In in) {
      return equivalentOfList(in);
    }
    if (condition instanceof Junction junction) {
      return new Junction(
          junction.operator(), junction.children().stream().map(Spellings::equivalent).toList());
    }
    ConditionTree negated = ((Not) condition).child();
    if (negated instanceof Not not) {
      return equivalent(not.child());
    }
    if (negated instanceof Junction junction) {
      return new Junction(
          junction.operator().equals("OR") ? "AND" : "OR",
          junction.children().stream().map(child -> equivalent(new Not(child))).toList());
    }
    return new Not(equivalent(negated));
  }

  private static ConditionTree equivalentOfList(In in) {
    List<ConditionTree> terms = new ArrayList<>();
    int size = in.items().size();
    if (size > SHORT_LIST) {
      terms.add(new In(in.term(), in.items().subList(0, size / 2), in.negated()));
      terms.add(new In(in.term(), in.items().subList(size / 2, size), in.negated()));
    } else {
      String comparison = in.negated() ? "{} <> {}" : "{} = {}";
      in.items()
          .forEach(
              item -> terms.add(new Leaf("comparison", Sql.format(comparison, in.term(), item))));
    }
    return terms.size() == 1 ? terms.get(0) : new Junction(in.negated() ? "AND" : "OR", terms);
  }
}
