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
package org.apache.phoenix.pruning.predicate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.ValueBound;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of row values, {@code (a, b, ...) op (x, y, ...)}. Phoenix compares the bytes of all
 * elements together, so null is an ordinary value, and the smallest one.
 *
 * <p>Only leading elements restrict the keys. An element can be a constant on both sides: an index
 * of a view has no column for a key column that the view fixes. An element and all elements after
 * it are treated as possibly equal in these cases:
 *
 * <ul>
 *   <li>The element is not supported, or is null.
 *   <li>The element is a VARBINARY, which has no separator.
 *   <li>The element is missing on one side.
 * </ul>
 */
final class RowValueComparison {

  /** Byte that a null of fixed width consists of. */
  private static final byte NULL_BYTE = 0;

  /** The same after the bytes of the null and of the next element were decremented. */
  private static final byte BORROWED_NULL_BYTE = -1;

  private final DataKey key;
  private final KeyTerms terms;

  RowValueComparison(DataKey key, KeyTerms terms) {
    this.key = key;
    this.terms = terms;
  }

  /** Returns the keys for which the comparison may be true, or null if nothing is known. */
  @Nullable KeySpace where(Expression left, CompareOperator operator, Expression right) {
    List<Expression> wanted =
        right instanceof RowValueConstructorExpression
            ? right.getChildren()
            : Collections.singletonList(right);
    List<Element> elements =
        elements(left.getChildren(), wanted, operator == CompareOperator.EQUAL);
    if (elements.isEmpty()) {
      return null;
    }
    boolean isWhole = isWhole(elements, left.getChildren(), wanted);
    switch (operator) {
      case EQUAL:
        return equalUpTo(elements, elements.size());
      case LESS:
        return ordered(elements, CompareOperator.LESS, !isWhole);
      case LESS_OR_EQUAL:
        return ordered(elements, CompareOperator.LESS, true);
      case GREATER:
        return ordered(elements, CompareOperator.GREATER, !isWhole);
      case GREATER_OR_EQUAL:
        return ordered(elements, CompareOperator.GREATER, true);
      default:
        return null;
    }
  }

  /**
   * Returns the leading elements that are supported.
   *
   * <p>If a null of a non-key column has the bytes of its constant, it counts as equal. The
   * elements after it are then less than they seem, which only makes fewer rows greater.
   *
   * @param isEqual whether all elements have to be equal. Some unsupported elements can then be
   *     skipped.
   */
  private List<Element> elements(List<Expression> left, List<Expression> right, boolean isEqual) {
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      Expression wanted = right.get(i);
      if (Constant.isConstant(left.get(i))) {
        Integer order = order(left.get(i), wanted);
        if (order == null) {
          break;
        }
        elements.add(new ConstantElement(order));
        continue;
      }
      KeyTerm term = terms.column(left.get(i));
      boolean isNonKey = term != null && term.column() < 0;
      boolean orNull = isNonKey && !isEqual && isMistakenForNull(left.get(i), wanted, NULL_BYTE);
      if (isNonKey && !isComparedAsValue(left.get(i), wanted, orNull || (!isEqual && i == 0))) {
        term = null;
      }
      if (isEqual && term == null && keepsAlignment(left.get(i), wanted)) {
        continue;
      }
      if (term == null || !Constant.isConstant(wanted)) {
        break;
      }
      Constant constant = Constant.of(wanted);
      if (constant == null
          || constant.isNull()
          || terms.type(term) == PVarbinary.INSTANCE
          || (term.column() >= 0 && isShort(key.column(term.column()), left.get(i), wanted))) {
        break;
      }
      List<ValueRange> equal = term.where(CompareOperator.EQUAL, constant);
      if (equal == null) {
        break;
      }
      elements.add(new ColumnElement(term, constant, orNull ? orNull(equal) : equal));
    }
    return elements;
  }

  private static List<ValueRange> orNull(List<ValueRange> ranges) {
    List<ValueRange> all = new ArrayList<>(ranges);
    all.add(ValueRange.NULL);
    return all;
  }

  /**
   * Compares two constant elements. Phoenix compares the bytes of whole row values, so different
   * elements have a known order only if their type has a fixed width.
   *
   * @return a negative number, 0 or a positive number if the left element is less, equal or
   *     greater; null if this is not known
   */
  private static @Nullable Integer order(Expression left, Expression right) {
    PDataType<?> type = left.getDataType();
    if (!Constant.isConstant(right)
        || type != right.getDataType()
        || left.getSortOrder() != right.getSortOrder()) {
      return null;
    }
    byte[] bytes = bytes(left);
    byte[] others = bytes(right);
    if (bytes.length == 0 || others.length == 0) {
      return null;
    }
    int order = Bytes.compareTo(bytes, others);
    boolean endsAlike = bytes.length == others.length && type.isFixedWidth();
    boolean isOrdered = left.getSortOrder() == SortOrder.ASC && endsAlike;
    return order == 0 || isOrdered ? order : null;
  }

  private static byte[] bytes(Expression constant) {
    ImmutableBytesWritable bytes = new ImmutableBytesWritable();
    return constant.evaluate(null, bytes) ? bytes.copyBytes() : HConstants.EMPTY_BYTE_ARRAY;
  }

  /**
   * Returns whether {@code elements} are all elements of both sides, each with the same type on
   * both sides. Only then are the sides equal if and only if all elements are equal.
   */
  private static boolean isWhole(
      List<Element> elements, List<Expression> left, List<Expression> right) {
    return elements.size() == left.size()
        && elements.size() == right.size()
        && IntStream.range(0, left.size())
            .allMatch(i -> left.get(i).getDataType() == right.get(i).getDataType());
  }

  /**
   * Returns whether a non-key column that is an element of a row value is compared as its value is.
   * Phoenix compares the bytes of whole row values, so the element has to end at the same byte in
   * both, and has to be ascending.
   *
   * @param allowsNull whether the constant may have the bytes of a null
   */
  private boolean isComparedAsValue(Expression left, Expression wanted, boolean allowsNull) {
    return left.getSortOrder() == SortOrder.ASC
        && wanted.getSortOrder() == SortOrder.ASC
        && (left.getDataType() != PVarchar.INSTANCE || terms.isSeparated(left))
        && (left.getDataType() != PChar.INSTANCE || !ColumnTerm.hasControlCharacter(bytes(wanted)))
        && (keepsAlignment(left, wanted) || (allowsNull && isOfOneWidth(left, wanted)));
  }

  /**
   * Returns whether equal row values imply that the elements after this one are equal, too. Phoenix
   * compares the bytes of both row values, so this element has to end at the same byte in both.
   */
  private static boolean keepsAlignment(Expression left, Expression wanted) {
    if (!isOfOneType(left, wanted)) {
      return false;
    }
    PDataType<?> type = left.getDataType();
    // A text that is not a row key column can contain the separator byte.
    boolean isText = type == PVarchar.INSTANCE && left instanceof RowKeyColumnExpression;
    return isText
        || type == PDecimal.INSTANCE
        || (isOfOneWidth(left, wanted)
            && !isMistakenForNull(left, wanted, NULL_BYTE)
            && !isMistakenForNull(left, wanted, BORROWED_NULL_BYTE));
  }

  private static boolean isOfOneType(Expression left, Expression wanted) {
    Constant constant = Constant.isConstant(wanted) ? Constant.of(wanted) : null;
    return constant != null && !constant.isNull() && constant.type() == left.getDataType();
  }

  /**
   * Returns whether the element always has the width of the constant, even if it is null. Phoenix
   * pads a CHAR that an index stores as a VARCHAR.
   */
  private static boolean isOfOneWidth(Expression left, Expression wanted) {
    PDataType<?> type = left.getDataType();
    if (!isOfOneType(left, wanted) || !type.isFixedWidth()) {
      return false;
    }
    Integer width = type == PChar.INSTANCE ? left.getMaxLength() : type.getByteSize();
    return width != null && width == bytes(wanted).length;
  }

  /**
   * Returns whether a null can have the same bytes as the constant. Phoenix encodes a null of fixed
   * width as zeros, and decrements the bytes before the end of the next element. If that element is
   * zero, the null becomes a value of 0xFF bytes, and the element before it is decremented. The
   * first element keeps its zeros.
   *
   * @param nullByte the byte that the null consists of
   */
  private static boolean isMistakenForNull(Expression left, Expression wanted, byte nullByte) {
    if (!left.isNullable() || !left.getDataType().isFixedWidth() || !isOfOneType(left, wanted)) {
      return false;
    }
    for (byte one : bytes(wanted)) {
      if (one != nullByte) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether the constant may be shorter than a CHAR or BINARY column. Bytes of later
   * elements could then be compared with the padding of the column. Phoenix pads the constant,
   * unless the index has the column in a type without padding.
   */
  private static boolean isShort(PColumn column, Expression left, Expression wanted) {
    PDataType<?> type = column.getDataType();
    if (type != PChar.INSTANCE && type != PBinary.INSTANCE) {
      return false;
    }
    return left.getDataType() != type
        || wanted.getDataType() != type
        || bytes(wanted).length < column.getMaxLength();
  }

  /**
   * Returns the keys for a lexicographic comparison. One element is less or greater than its
   * constant, and all before it are equal.
   *
   * @param orEqual whether all elements may also be equal
   */
  private KeySpace ordered(List<Element> elements, CompareOperator strict, boolean orEqual) {
    List<KeySpace> spaces = new ArrayList<>();
    for (int i = 0; i < elements.size(); i++) {
      KeySpace ordered = elements.get(i).ordered(strict);
      if (ordered == null) {
        ordered = KeySpace.everywhere(key.layout());
      }
      spaces.add(equalUpTo(elements, i).and(ordered));
    }
    if (orEqual) {
      spaces.add(equalUpTo(elements, elements.size()));
    }
    return KeySpace.anyOf(key.layout(), spaces);
  }

  private KeySpace equalUpTo(List<Element> elements, int end) {
    KeySpace space = KeySpace.everywhere(key.layout());
    for (Element element : elements.subList(0, end)) {
      space = space.and(element.equal());
    }
    return space;
  }

  /** An element of both row values. */
  private interface Element {

    /** Returns the keys for which the two sides can be equal. */
    KeySpace equal();

    /** Returns the keys for which the left side is less or greater, or null if nothing is known. */
    @Nullable KeySpace ordered(CompareOperator strict);
  }

  private final class ColumnElement implements Element {
    private final KeyTerm term;
    private final Constant constant;
    private final List<ValueRange> equal;

    /**
     * Creates an element.
     *
     * @param equal the values of the column for which the term may be equal to the constant
     */
    ColumnElement(KeyTerm term, Constant constant, List<ValueRange> equal) {
      this.term = term;
      this.constant = constant;
      this.equal = equal;
    }

    @Override
    public KeySpace equal() {
      return terms.where(term, equal);
    }

    @Override
    public @Nullable KeySpace ordered(CompareOperator strict) {
      List<ValueRange> ranges = term.where(strict, constant);
      if (ranges == null) {
        return null;
      }
      if (strict == CompareOperator.LESS) {
        ranges = orNull(ranges);
        if (term.column() < 0 && terms.type(term) == PChar.INSTANCE) {
          ranges.add(beforeSpace(constant.encoded()));
        }
      }
      return terms.where(term, ranges);
    }
  }

  /**
   * Returns the texts that begin with {@code text} and then have a character below the space. They
   * are greater than the text, but less if it is padded.
   */
  private static ValueRange beforeSpace(byte[] text) {
    byte[] padded = Arrays.copyOf(text, text.length + 1);
    padded[text.length] = ' ';
    return ValueRange.between(ValueBound.after(text), ValueBound.before(padded));
  }

  private final class ConstantElement implements Element {
    private final int order;

    /**
     * Creates an element.
     *
     * @param order result of comparing the left constant with the right one
     */
    ConstantElement(int order) {
      this.order = order;
    }

    @Override
    public KeySpace equal() {
      return everywhereIf(order == 0);
    }

    @Override
    public KeySpace ordered(CompareOperator strict) {
      return everywhereIf(strict == CompareOperator.LESS ? order < 0 : order > 0);
    }

    private KeySpace everywhereIf(boolean isTrue) {
      return isTrue ? KeySpace.everywhere(key.layout()) : KeySpace.nowhere(key.layout());
    }
  }
}
