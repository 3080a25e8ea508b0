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

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.phoenix.schema.TableNotFoundException;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests which failures of one request mean that other requests to the server would fail, too. */
@RunWith(JUnitParamsRunner.class)
public class ProbeDispatcherTest {

  private static List<Throwable> failuresOfTheServer() {
    return List.of(
        new ConnectException("refused"),
        new SocketTimeoutException("no answer"),
        new CallTimeoutException("no answer"),
        new RegionServerStoppedException("stopped"),
        new RetriesExhaustedException("given up"),
        answered(RegionServerStoppedException.class),
        answered(ServerNotRunningYetException.class),
        answered(CallQueueTooBigException.class),
        new IOException("broken pipe"));
  }

  @Test
  @Parameters(method = "failuresOfTheServer")
  public void aServerThatCannotBeReachedIsNotProbed(Throwable failure) {
    assertThat(ProbeDispatcher.isServerFailure(failure)).isTrue();
  }

  private static List<Throwable> failuresOfTheRequest() {
    return List.of(
        new AccessDeniedException("not for you"),
        new DoNotRetryIOException("a coprocessor refuses"),
        new UnknownScannerException("closed"),
        answered(IOException.class),
        answered(AccessDeniedException.class),
        new RetriesExhaustedException("given up", answered(IOException.class)),
        new RejectedExecutionException("the client has no thread"),
        new TableNotFoundException("T"));
  }

  @Test
  @Parameters(method = "failuresOfTheRequest")
  public void aFailureOfARequestSaysNothingAboutTheServer(Throwable failure) {
    assertThat(ProbeDispatcher.isServerFailure(failure)).isFalse();
  }

  /** Returns the exception that HBase's client throws if a server answers with {@code type}. */
  private static IOException answered(Class<? extends IOException> type) {
    return new RemoteWithExtrasException(type.getName(), "a coprocessor fails", false)
        .unwrapRemoteException();
  }
}
