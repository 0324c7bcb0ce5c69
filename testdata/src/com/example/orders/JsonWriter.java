package com.example.orders;

import java.util.Map;

/** Writes orders and reports as JSON; nested maps recurse. */
final class JsonWriter {
  String write(Order order) {
    StringBuilder out = new StringBuilder();
    out.append("{\"id\":").append(order.id).append(",\"customer\":");
    writeString(out, order.customer);
    out.append(",\"total\":").append(order.totalCents).append(",\"lines\":[");
    for (Order.Line line : order.lines) {
      writeLine(out, line);
    }
    out.append("],\"attributes\":");
    writeObject(out, order.attributes);
    return out.append('}').toString();
  }

  private void writeLine(StringBuilder out, Order.Line line) {
    out.append(String.format("{\"sku\":\"%s\",\"quantity\":%d,\"price\":%.2f},", line.sku(),
        line.quantity(), line.unitPriceCents() / 100.0));
  }

  void writeObject(StringBuilder out, Map<?, ?> map) {
    out.append('{');
    String separator = "";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      out.append(separator);
      writeString(out, String.valueOf(entry.getKey()));
      out.append(':');
      writeValue(out, entry.getValue());
      separator = ",";
    }
    out.append('}');
  }

  private void writeValue(StringBuilder out, Object value) {
    if (value instanceof Map<?, ?> map) {
      writeObject(out, map);
    } else if (value instanceof Number number) {
      out.append(number);
    } else {
      writeString(out, String.valueOf(value));
    }
  }

  private void writeString(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\');
      }
      out.append(c);
    }
    out.append('"');
  }
}
