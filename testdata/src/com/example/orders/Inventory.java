package com.example.orders;

import java.util.concurrent.locks.LockSupport;

/**
 * Stock counters behind one monitor. {@link #reconcile} makes an exact number of contended enters:
 * the owner keeps the monitor until the other thread is seen blocked on it.
 */
final class Inventory {
  private final long[] stock = new long[512];

  synchronized void take(Order.Line line) {
    stock[Math.floorMod(line.sku().hashCode(), stock.length)] -= line.quantity();
  }

  private synchronized long countAll() {
    long sum = 0;
    for (long units : stock) {
      sum += units;
    }
    return sum;
  }

  /** {@code rounds} contended enters of this monitor by a new thread, each at least {@code holdMillis} long. */
  void reconcile(int rounds, long holdMillis) throws InterruptedException {
    for (int round = 0; round < rounds; round++) {
      Thread auditor = new Thread(this::countAll, "auditor-" + round);
      holdUntilBlocked(auditor, holdMillis);
      auditor.join();
    }
  }

  private synchronized void holdUntilBlocked(Thread other, long holdMillis) {
    other.start();
    while (other.getState() != Thread.State.BLOCKED) {
      Thread.onSpinWait();
    }
    long end = System.nanoTime() + holdMillis * 1_000_000;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  /** {@code times} parks of the calling thread with this object as the blocker. */
  void awaitDelivery(int times, long parkMillis) {
    for (int i = 0; i < times; i++) {
      long end = System.nanoTime() + parkMillis * 1_000_000;
      for (long left = parkMillis * 1_000_000; left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(this, left);
      }
    }
  }
}
