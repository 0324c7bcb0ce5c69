import jdk.jfr.Event;
import jdk.jfr.Name;

/**
 * Recursion to known depths around the limit of recorded frames (64 unless set otherwise). Each event is
 * committed with {@code depth} frames of {@code descend} on the stack, above them {@code commitAt}, below {@code main}.
 */
public final class DeepStacks {
  private static volatile double sink;

  /** Committed at one depth of recursion. */
  @Name("example.Depth")
  static final class Depth extends Event {
    int depth;
  }

  public static void main(String[] args) {
    for (int depth : new int[] {0, 1, 10, 60, 61, 62, 63, 64, 65, 100, 1000}) {
      descend(depth, depth);
    }
    for (int round = 0; round < 5; round++) {
      even(199, 60_000_000);
    }
    shallow(100_000_000);
  }

  private static void descend(int left, int depth) {
    if (left == 0) {
      commitAt(depth);
    } else {
      descend(left - 1, depth);
    }
  }

  private static void commitAt(int depth) {
    Depth event = new Depth();
    event.depth = depth;
    event.commit();
  }

  private static void even(int left, long nanos) {
    if (left == 0) {
      busy(nanos);
    } else {
      odd(left - 1, nanos);
    }
  }

  private static void odd(int left, long nanos) {
    if (left == 0) {
      busy(nanos);
    } else {
      even(left - 1, nanos);
    }
  }

  private static void shallow(long nanos) {
    busy(nanos);
  }

  private static void busy(long nanos) {
    long end = System.nanoTime() + nanos;
    double sum = 0;
    do {
      for (int i = 0; i < 20_000; i++) {
        sum += Math.sqrt(sum + i);
      }
    } while (System.nanoTime() < end);
    sink = sum;
  }
}
