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
package org.apache.phoenix.pruning.server;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.phoenix.coprocessor.DelegateRegionScanner;

/**
 * Scanner that returns answers to the request of a scan instead of the rows of that scan. An answer
 * is one cell, so the limits of a {@link ScannerContext} are ignored.
 */
public abstract class AnswerScanner extends DelegateRegionScanner {

  protected AnswerScanner(RegionScanner scanner) {
    super(scanner);
  }

  @Override
  public abstract boolean next(List<Cell> cells) throws IOException;

  @Override
  public final boolean next(List<Cell> cells, ScannerContext context) throws IOException {
    return next(cells);
  }

  @Override
  public final boolean nextRaw(List<Cell> cells, ScannerContext context) throws IOException {
    return next(cells);
  }

  @Override
  public final boolean nextRaw(List<Cell> cells) throws IOException {
    return next(cells);
  }
}
