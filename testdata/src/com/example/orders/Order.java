package com.example.orders;

import java.util.List;
import java.util.Map;

/** One customer order: its lines, its attributes and, once priced, its total in cents. */
final class Order {
  record Line(String sku, int quantity, long unitPriceCents) {}

  final long id;
  final String customer;
  final List<Line> lines;
  final Map<String, Object> attributes;
  long totalCents;

  Order(long id, String customer, List<Line> lines, Map<String, Object> attributes) {
    this.id = id;
    this.customer = customer;
    this.lines = lines;
    this.attributes = attributes;
  }
}
