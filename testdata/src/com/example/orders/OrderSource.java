package com.example.orders;

import java.util.Random;

/** Makes order texts from a fixed seed; every tenth-or-so attribute map is nested. */
final class OrderSource {
  private static final String[] CUSTOMERS = {"Alder Mill", "Birch Farm", "Cedar Works", "Dale Stores"};
  private final Random random;
  private long nextId = 1;

  OrderSource(long seed) {
    random = new Random(seed);
  }

  String nextText() {
    StringBuilder text = new StringBuilder(512);
    text.append(nextId++).append(';').append(CUSTOMERS[random.nextInt(CUSTOMERS.length)]).append(';');
    int lines = 12 + random.nextInt(60);
    for (int i = 0; i < lines; i++) {
      appendLine(text, i > 0);
    }
    text.append(';');
    appendAttributes(text, random.nextInt(4));
    return text.toString();
  }

  /** A text whose order id is missing; the parser refuses it. */
  String brokenText() {
    return ";" + CUSTOMERS[0] + ";;{}";
  }

  private void appendLine(StringBuilder text, boolean separated) {
    if (separated) {
      text.append(',');
    }
    text.append("SKU-").append(random.nextInt(500)).append('*').append(1 + random.nextInt(9));
    text.append('@').append(99 + random.nextInt(20_000));
  }

  private void appendAttributes(StringBuilder text, int depth) {
    text.append("{channel:web,priority:").append(random.nextInt(5));
    if (depth > 0) {
      text.append(",extra:");
      appendAttributes(text, depth - 1);
    }
    text.append('}');
  }
}
