package com.example.orders;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RecursiveTask;

/** Prices the lines of an order with a tree of discount rules, halves of the lines in parallel. */
final class PriceCalculator extends RecursiveTask<Long> {
  private static final long serialVersionUID = 1L;

  /** One node of the rule tree. */
  interface Rule {
    double factor(Order.Line line, int round);
  }

  static final class QuantityRule implements Rule {
    @Override
    public double factor(Order.Line line, int round) {
      return line.quantity() > 5 ? 0.95 - round * 1e-6 : 1.0;
    }
  }

  static final class SeasonRule implements Rule {
    @Override
    public double factor(Order.Line line, int round) {
      double season = 0;
      for (int day = 0; day < 60; day++) {
        season += Math.sin(day * 0.17 + line.unitPriceCents() + round);
      }
      return 1.0 + season * 1e-4;
    }
  }

  static final class CompoundRule implements Rule {
    private final List<Rule> children = new ArrayList<>();

    CompoundRule(int depth) {
      children.add(new QuantityRule());
      children.add(depth == 0 ? new SeasonRule() : new CompoundRule(depth - 1));
      children.add(depth % 3 == 1 ? new CompoundRule(depth / 2) : new SeasonRule());
    }

    @Override
    public double factor(Order.Line line, int round) {
      double product = 1.0;
      for (Rule child : children) {
        product *= child.factor(line, round + 1);
      }
      return product;
    }
  }

  private static final Rule RULES = new CompoundRule(7);
  private final transient List<Order.Line> lines;

  PriceCalculator(List<Order.Line> lines) {
    this.lines = lines;
  }

  @Override
  protected Long compute() {
    if (lines.size() <= 4) {
      return priceLines();
    }
    int middle = lines.size() / 2;
    PriceCalculator left = new PriceCalculator(lines.subList(0, middle));
    PriceCalculator right = new PriceCalculator(lines.subList(middle, lines.size()));
    left.fork();
    return right.compute() + left.join();
  }

  private long priceLines() {
    long total = 0;
    for (Order.Line line : lines) {
      total += roundToCents(line.unitPriceCents() * line.quantity() * RULES.factor(line, 0));
    }
    return total;
  }

  private static long roundToCents(double amount) {
    return Math.round(amount);
  }
}
