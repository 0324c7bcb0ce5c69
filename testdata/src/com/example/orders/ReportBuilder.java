package com.example.orders;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Sums the stored orders by customer and sorts their totals by a recursive merge sort. */
final class ReportBuilder {
  private final JsonWriter json = new JsonWriter();

  String build(List<Order> orders) {
    Map<String, Object> report = new TreeMap<>();
    report.put("byCustomer", sumByCustomer(orders));
    report.put("bySku", topSkus(orders));
    report.put("median", median(orders));
    StringBuilder out = new StringBuilder();
    json.writeObject(out, report);
    return out.toString();
  }

  private static Map<String, Long> sumByCustomer(List<Order> orders) {
    return orders.stream()
        .collect(Collectors.groupingBy(o -> o.customer, TreeMap::new, Collectors.summingLong(o -> o.totalCents)));
  }

  private static Map<String, Long> topSkus(List<Order> orders) {
    Map<String, Long> units = orders.stream()
        .flatMap(order -> order.lines.stream())
        .collect(Collectors.groupingBy(Order.Line::sku, Collectors.summingLong(Order.Line::quantity)));
    return units.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
        .limit(20)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static long median(List<Order> orders) {
    long[] totals = new long[orders.size() * 64];
    for (int i = 0; i < totals.length; i++) {
      totals[i] = orders.get(i % orders.size()).totalCents * 31 % 100_003 + i;
    }
    mergeSort(totals, 0, totals.length, new long[totals.length]);
    return totals.length == 0 ? 0 : totals[totals.length / 2];
  }

  private static void mergeSort(long[] values, int from, int to, long[] scratch) {
    if (to - from < 2) {
      return;
    }
    int middle = (from + to) >>> 1;
    mergeSort(values, from, middle, scratch);
    mergeSort(values, middle, to, scratch);
    merge(values, from, middle, to, scratch);
  }

  private static void merge(long[] values, int from, int middle, int to, long[] scratch) {
    int left = from;
    int right = middle;
    for (int i = from; i < to; i++) {
      boolean takeLeft = right == to || (left < middle && values[left] <= values[right]);
      scratch[i] = takeLeft ? values[left++] : values[right++];
    }
    System.arraycopy(scratch, from, values, from, to - from);
  }
}
