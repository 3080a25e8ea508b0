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
package org.apache.phoenix.pruning.stats;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.schema.stats.GuidePostsInfo;
import org.apache.phoenix.util.PrefixByteCodec;
import org.apache.phoenix.util.PrefixByteDecoder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cursor over the guideposts of a table in key order. Statistics store guideposts prefix-encoded.
 * {@link GuidepostIndex} has the positions where decoding can start, so a skip decodes only a few
 * guideposts.
 */
public final class GuidepostCursor {

  private static final Logger LOGGER = LoggerFactory.getLogger(GuidepostCursor.class);

  private final GuidePostsInfo guideposts;
  private final @Nullable GuidepostIndex entries;

  private DataInputStream input;
  private PrefixByteDecoder decoder;
  private byte @Nullable [] key;
  private int index = -1;

  /** Creates a cursor at the first guidepost. */
  public GuidepostCursor(GuidePostsInfo guideposts) {
    this(guideposts, GuidepostIndex.of(guideposts));
  }

  /**
   * Creates a cursor at the first guidepost.
   *
   * @param entries guideposts to which {@link #skipTo} can jump, or null if there are none
   */
  public GuidepostCursor(GuidePostsInfo guideposts, @Nullable GuidepostIndex entries) {
    this.guideposts = guideposts;
    this.entries = entries;
    this.input = inputFrom(0);
    this.decoder = new PrefixByteDecoder(guideposts.getMaxLength());
    next();
  }

  private DataInputStream inputFrom(int offset) {
    ImmutableBytesWritable encoded = guideposts.getGuidePosts();
    return new DataInputStream(
        new ByteArrayInputStream(
            encoded.get(), encoded.getOffset() + offset, encoded.getLength() - offset));
  }

  public void next() {
    index++;
    key = null;
    if (index < guideposts.getGuidePostsCount()) {
      try {
        key = PrefixByteCodec.decode(decoder, input).copyBytes();
      } catch (EOFException e) {
        LOGGER.warn(
            "Statistics have only {} guideposts. Expected {}",
            index,
            guideposts.getGuidePostsCount());
      }
    }
  }

  /** Advances to the first guidepost above {@code regionStart}. Never moves back. */
  public void skipTo(byte[] regionStart) {
    if (key != null && entries != null) {
      GuidepostIndex.Entry entry = entries.floor(regionStart);
      if (entry != null && entry.index() > index) {
        index = entry.index();
        key = entry.key();
        input = inputFrom(entry.nextOffset());
        decoder = entry.decoder(guideposts.getMaxLength());
      }
    }
    while (key != null && Bytes.compareTo(key, regionStart) <= 0) {
      next();
    }
  }

  /**
   * Returns whether there is a current guidepost that is not above {@code regionEnd}.
   *
   * @param regionEnd empty if there is no end
   */
  public boolean isWithin(byte[] regionEnd) {
    return key != null && (regionEnd.length == 0 || Bytes.compareTo(key, regionEnd) <= 0);
  }

  /** Returns whether there is a current guidepost. */
  boolean hasKey() {
    return key != null;
  }

  /**
   * Returns the current guidepost.
   *
   * @throws NullPointerException after the last guidepost
   */
  public byte[] key() {
    return Objects.requireNonNull(key, "after the last guidepost");
  }

  /** Returns the number of guideposts before the current guidepost. */
  int index() {
    return index;
  }

  /** Returns the offset at which the encoding of the next guidepost starts. */
  int nextOffset() throws IOException {
    return guideposts.getGuidePosts().getLength() - input.available();
  }

  public long rows() {
    return guideposts.getRowCounts()[index];
  }

  public long bytes() {
    return guideposts.getByteCounts()[index];
  }

  public long timestamp() {
    return guideposts.getGuidePostTimestamps()[index];
  }
}
