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
package org.apache.phoenix.pruning.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.util.ScanUtil;
import org.junit.Test;

/**
 * Tests which scans build an index. Phoenix sends the maintainer of an index with scans that build
 * the index and with scans that read it.
 */
public class ProbeScanTest {

  private static Scan withMaintainer() {
    return new Scan()
        .setAttribute(BaseScannerRegionObserverConstants.LOCAL_INDEX_BUILD_PROTO, new byte[] {1});
  }

  @Test
  public void aScanOfTheTableWithAMaintainerBuildsAnIndex() {
    assertThat(ProbeScan.buildsIndex(withMaintainer())).isTrue();
    assertThat(ProbeScan.buildsIndex(new Scan())).isFalse();
  }

  @Test
  public void aScanOfTheIndexWithAMaintainerLooksUpDataRows() {
    Scan scan = withMaintainer();
    ScanUtil.setLocalIndex(scan);
    scan.setAttribute(
        BaseScannerRegionObserverConstants.DATA_TABLE_COLUMNS_TO_JOIN, new byte[] {1});
    assertThat(ProbeScan.buildsIndex(scan)).isFalse();
  }
}
