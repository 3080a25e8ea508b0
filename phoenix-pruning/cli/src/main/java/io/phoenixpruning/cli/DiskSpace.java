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
package io.phoenixpruning.cli;

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.report.format.ByteUnit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.phoenix.thirdparty.com.google.common.util.concurrent.Uninterruptibles;

/** Checks the free space of the disk that holds a folder. */
class DiskSpace {

  /** Minimum free space in MiB. HBase fails in many ways on a disk with less. */
  private static final int MIN_FREE_MIB = 4;

  private static final long CHECK_MILLIS = 500;

  private final Path folder;
  private final String remedy;

  /**
   * @param folder existing folder on the disk
   * @param remedy how the user can choose a larger disk, as an imperative
   */
  DiskSpace(Path folder, String remedy) {
    this.folder = folder;
    this.remedy = remedy;
  }

  /**
   * Checks the free space before a cluster starts.
   *
   * @param bytes approximate number of bytes that the command needs
   * @throws RefusedException if fewer bytes are free, or if the free space cannot be read
   */
  void require(long bytes) {
    try {
      long freeBytes = freeBytes();
      if (freeBytes < bytes) {
        throw new RefusedException(
            "the disk of "
                + folder
                + " has "
                + (long) ByteUnit.MIB.from(freeBytes)
                + " MiB free. Expected at least "
                + (long) Math.ceil(ByteUnit.MIB.from(bytes))
                + " MiB. Free some, or "
                + remedy);
      }
    } catch (IOException e) {
      throw new RefusedException(folder + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Runs {@code work}. If the work fails and the disk is full, throws an exception that says so.
   * HBase's own error is in the log.
   */
  <T> T explainFailure(Callable<T> work) throws Exception {
    try {
      return work.call();
    } catch (Exception failure) {
      throw isNearlyFull() ? full() : failure;
    }
  }

  /**
   * Runs {@code work} like {@link #explainFailure}. If the disk becomes full, this method
   * interrupts the work, because HBase would retry for minutes.
   */
  <T> T interruptIfFull(Callable<T> work) throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    AtomicBoolean isFull = new AtomicBoolean();
    Thread worker = Thread.currentThread();
    Thread watcher = new Thread(() -> interruptWhileFull(worker, ended, isFull), "disk-space");
    watcher.setDaemon(true);
    watcher.start();
    try {
      return work.call();
    } catch (Exception failure) {
      throw isFull.get() || isNearlyFull() ? full() : failure;
    } finally {
      ended.countDown();
      Uninterruptibles.joinUninterruptibly(watcher);
      if (isFull.get()) {
        // Clears the interrupt, so that later cleanup can run.
        Thread.interrupted();
      }
    }
  }

  /**
   * Interrupts {@code worker} repeatedly while the disk is full, because code can swallow an
   * interrupt.
   */
  private void interruptWhileFull(Thread worker, CountDownLatch ended, AtomicBoolean isFull) {
    try {
      while (!ended.await(CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
        if (isNearlyFull()) {
          isFull.set(true);
          worker.interrupt();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private IOException full() {
    return new IOException("the disk of " + folder + " is full. Free some space, or " + remedy);
  }

  private boolean isNearlyFull() {
    try {
      return ByteUnit.MIB.from(freeBytes()) < MIN_FREE_MIB;
    } catch (IOException e) {
      // The exception of the work is more helpful than this one.
      return false;
    }
  }

  /** Returns the free space in bytes. */
  long freeBytes() throws IOException {
    return Files.getFileStore(folder).getUsableSpace();
  }
}
