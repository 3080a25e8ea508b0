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
package org.apache.phoenix.pruning.patch.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.phoenix.filter.DistinctPrefixFilter;
import org.apache.phoenix.filter.PagingFilter;

/** Handles filters of scans that a coprocessor has put into a list with a filter of its own. */
public final class InjectedFilters {

  private InjectedFilters() {}

  /**
   * Returns a scan that has the filters of {@code scan} in one list, for code that sets their
   * state. The scan is not meant to be run.
   */
  public static Scan flat(Scan scan) {
    List<Filter> filters = new ArrayList<>();
    addTo(filters, scan.getFilter());
    return new Scan().setFilter(new FilterList(filters));
  }

  /**
   * Removes the filter that skips rows with the prefix of a row, if another filter can hide this
   * row. Also removes the LIMIT of the scan: it counts rows, and now each prefix can have several.
   * The server or the client groups the rows and limits the groups.
   */
  public static void readAllRowsOfAPrefix(Scan scan) {
    Filter filter = scan.getFilter();
    if (has(filter, DistinctPrefixFilter.class::isInstance)
        && has(filter, InjectedFilters::isInjected)) {
      scan.setFilter(withoutPrefixes(filter));
    }
  }

  private static boolean has(Filter filter, Predicate<Filter> kind) {
    if (filter == null) {
      return false;
    }
    List<Filter> filters = new ArrayList<>();
    addTo(filters, filter);
    return filters.stream().anyMatch(kind);
  }

  /** Returns whether neither Phoenix nor this project has set the filter. */
  private static boolean isInjected(Filter filter) {
    String name = filter.getClass().getName();
    return !name.startsWith("org.apache.phoenix.")
        && !name.startsWith("org.apache.hadoop.hbase.filter.");
  }

  private static Filter withoutPrefixes(Filter filter) {
    if (filter instanceof PagingFilter) {
      PagingFilter pages = (PagingFilter) filter;
      pages.setDelegateFilter(withoutPrefixes(pages.getDelegateFilter()));
      return pages;
    }
    if (filter instanceof FilterList) {
      List<Filter> kept = new ArrayList<>();
      for (Filter member : ((FilterList) filter).getFilters()) {
        if (!(member instanceof DistinctPrefixFilter) && !(member instanceof PageFilter)) {
          kept.add(withoutPrefixes(member));
        }
      }
      return new FilterList(((FilterList) filter).getOperator(), kept);
    }
    return filter;
  }

  private static void addTo(List<Filter> filters, Filter filter) {
    if (filter instanceof PagingFilter) {
      addTo(filters, ((PagingFilter) filter).getDelegateFilter());
    } else if (filter instanceof FilterList) {
      ((FilterList) filter).getFilters().forEach(each -> addTo(filters, each));
    } else if (filter != null) {
      filters.add(filter);
    }
  }
}
