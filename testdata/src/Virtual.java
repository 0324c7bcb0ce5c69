import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads: named and unnamed, busy, parked, sleeping, contended, and pinned (a class
 * initializer is on the stack while the thread parks). Known counts: 20 unnamed, 5 named, 4 pinned, and
 * of contended enters of a monitor of {@code Virtual$Gate} 6 by a platform thread, 6 by a virtual one.
 */
public final class Virtual {
  private static volatile double sink;

  /** The monitor that two threads want. */
  static final class Gate {}

  /** Parks in its initializer, with a frame of the JVM below. */
  static final class PinnedOne {
    static {
      Virtual.parkFor(15);
    }

    static void touch() {}
  }

  static final class PinnedTwo {
    static {
      Virtual.parkFor(15);
    }

    static void touch() {}
  }

  static final class PinnedThree {
    static {
      Virtual.parkFor(15);
    }

    static void touch() {}
  }

  static final class PinnedFour {
    static {
      Virtual.parkFor(15);
    }

    static void touch() {}
  }

  public static void main(String[] args) throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      threads.add(Thread.ofVirtual().start(Virtual::parkAndCompute));
    }
    String[] names = {"virtual-1", "virtual-é", "仮想スレッド", "virtual 😀", "virtual-𝒳"};
    for (String name : names) {
      threads.add(Thread.ofVirtual().name(name).start(Virtual::sleepAndCompute));
    }
    join(threads);
    pin();
    for (int i = 0; i < 6; i++) {
      Thread owner = Thread.ofVirtual().name("owner").start(() -> contend(Thread.ofPlatform().name("platform contender")));
      owner.join();
      contend(Thread.ofVirtual().name("virtual contender"));
    }
  }

  private static void pin() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    threads.add(Thread.ofVirtual().name("pinned-1").start(PinnedOne::touch));
    threads.add(Thread.ofVirtual().name("pinned-2").start(PinnedTwo::touch));
    threads.add(Thread.ofVirtual().name("pinned-3").start(PinnedThree::touch));
    threads.add(Thread.ofVirtual().name("pinned-4").start(PinnedFour::touch));
    join(threads);
  }

  /** The calling thread keeps a monitor until the other thread is blocked on it, then 8 ms more. */
  private static void contend(Thread.Builder builder) {
    Gate gate = new Gate();
    Thread other = builder.unstarted(() -> enter(gate));
    synchronized (gate) {
      other.start();
      while (other.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
      busy(8);
    }
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void enter(Gate gate) {
    synchronized (gate) {
      sink++;
    }
  }

  private static void parkAndCompute() {
    parkFor(5);
    busy(20);
  }

  private static void sleepAndCompute() {
    try {
      Thread.sleep(6);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    busy(20);
  }

  static void parkFor(long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(Virtual.class, left);
    }
  }

  private static void busy(long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    double sum = 0;
    do {
      for (int i = 0; i < 20_000; i++) {
        sum += Math.sqrt(sum + i);
      }
    } while (System.nanoTime() < end);
    sink = sum;
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
