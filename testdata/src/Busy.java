import jdk.jfr.Event;
import jdk.jfr.Name;

/**
 * Threads that only compute, in methods whose shares of the time are known: in every round
 * {@code spinLong} takes three parts, {@code spinShort} one, {@code fibonacci} recurses.
 *
 * <p>Arguments: milliseconds, number of threads, events that each thread commits per round. The events begin
 * after {@link #QUIET_NANOS}, that is after the first flush of a recording, but for one.
 */
public final class Busy {
  private static final long QUIET_NANOS = 1_300_000_000;
  private static volatile double sink;

  /** Only there to fill buffers. */
  @Name("example.Tick")
  static final class Tick extends Event {
    long number;
  }

  public static void main(String[] args) throws Exception {
    long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000;
    int events = Integer.parseInt(args[2]);
    Thread[] threads = new Thread[Integer.parseInt(args[1])];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Thread(() -> rounds(end, events), "busy-" + (i + 1));
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void rounds(long end, int events) {
    long quietUntil = System.nanoTime() + QUIET_NANOS;
    commitTicks(Math.min(events, 1));
    while (System.nanoTime() < end) {
      if (System.nanoTime() > quietUntil) {
        commitTicks(events);
      }
      spinLong();
      spinShort();
      sink = fibonacci(18);
    }
  }

  private static void commitTicks(int events) {
    for (int i = 0; i < events; i++) {
      Tick event = new Tick();
      event.number = i;
      event.commit();
    }
  }

  private static void spinLong() {
    compute(300_000);
  }

  private static void spinShort() {
    compute(100_000);
  }

  private static void compute(int steps) {
    double sum = 0;
    for (int i = 0; i < steps; i++) {
      sum += Math.sqrt(sum + i);
    }
    sink = sum;
  }

  private static int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
  }
}
