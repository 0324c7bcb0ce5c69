package com.example.orders;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Recursive descent parser for the text form of an order:
 * {@code id;customer;sku*quantity@price,...;{key:value,key:{...}}}.
 */
final class OrderParser {
  /** Thrown for a text that is not an order. */
  static final class OrderSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OrderSyntaxException(String message) {
      super(message);
    }
  }

  private final String text;
  private int position;

  private OrderParser(String text) {
    this.text = text;
  }

  static Order parse(String text) {
    OrderParser parser = new OrderParser(text);
    long id = parser.parseNumber();
    parser.expect(';');
    String customer = parser.parseWord();
    parser.expect(';');
    List<Order.Line> lines = parser.parseLines();
    parser.expect(';');
    Map<String, Object> attributes = parser.parseAttributes();
    return new Order(id, customer, lines, attributes);
  }

  private List<Order.Line> parseLines() {
    List<Order.Line> lines = new ArrayList<>();
    do {
      lines.add(parseLine());
    } while (accept(','));
    return lines;
  }

  private Order.Line parseLine() {
    String sku = parseWord();
    expect('*');
    int quantity = (int) parseNumber();
    expect('@');
    return new Order.Line(sku, quantity, parseNumber());
  }

  private Map<String, Object> parseAttributes() {
    Map<String, Object> attributes = new LinkedHashMap<>();
    expect('{');
    if (accept('}')) {
      return attributes;
    }
    do {
      String key = parseWord();
      expect(':');
      attributes.put(key, parseValue());
    } while (accept(','));
    expect('}');
    return attributes;
  }

  private Object parseValue() {
    return peek() == '{' ? parseAttributes() : parseWord();
  }

  private long parseNumber() {
    int start = position;
    long value = 0;
    while (Character.isDigit(peek())) {
      value = value * 10 + (peek() - '0');
      position++;
    }
    if (start == position) {
      throw new OrderSyntaxException("number expected at " + position);
    }
    return value;
  }

  private String parseWord() {
    StringBuilder word = new StringBuilder();
    while (isWordPart(peek())) {
      word.append(peek());
      position++;
    }
    return word.toString();
  }

  private static boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '.' || c == ' ';
  }

  private char peek() {
    return position < text.length() ? text.charAt(position) : '\0';
  }

  private boolean accept(char c) {
    if (peek() != c) {
      return false;
    }
    position++;
    return true;
  }

  private void expect(char c) {
    if (!accept(c)) {
      throw new OrderSyntaxException("'" + c + "' expected at " + position);
    }
  }
}
