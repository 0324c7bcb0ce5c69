import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Allocations of which almost each has a stack of its own, as a recursive interpreter makes them: the
 * constant pools are most of the recording.
 *
 * <p>An expression is drawn at random while it is evaluated; whenever it ends, something is allocated.
 *
 * <p>Arguments: threads, allocations of each thread, depth.
 */
public final class ManyStacks {
  private static volatile Object sink;

  /** One evaluation: how deep it may still go, and where its choices come from. */
  private static final class Evaluator {
    private final Random random;

    Evaluator(Random random) {
      this.random = random;
    }

    int expression(int depth) {
      if (depth == 0) {
        return value();
      }
      return switch (random.nextInt(6)) {
        case 0 -> sum(depth);
        case 1 -> product(depth);
        case 2 -> condition(depth);
        case 3 -> call(depth);
        case 4 -> index(depth);
        default -> conversion(depth);
      };
    }

    private int sum(int depth) {
      return expression(depth - 1) + 1;
    }

    private int product(int depth) {
      return expression(depth - 1) * 3;
    }

    private int condition(int depth) {
      return expression(depth - 1) > 0 ? 1 : -1;
    }

    private int call(int depth) {
      return expression(depth - 1) ^ depth;
    }

    private int index(int depth) {
      return expression(depth - 1) & 1023;
    }

    private int conversion(int depth) {
      return (short) expression(depth - 1);
    }

    private int value() {
      int size = 600 + random.nextInt(1200);
      switch (random.nextInt(3)) {
        case 0 -> sink = new byte[size];
        case 1 -> sink = new int[size / 4];
        default -> sink = "x".repeat(size);
      }
      return size;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    int threads = Integer.parseInt(args[0]);
    int allocations = Integer.parseInt(args[1]);
    int depth = Integer.parseInt(args[2]);
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Random random = new Random(i);
      Thread worker = new Thread(() -> work(random, allocations, depth), "evaluator-" + i);
      worker.start();
      workers.add(worker);
    }
    for (Thread worker : workers) {
      worker.join();
    }
  }

  private static void work(Random random, int allocations, int depth) {
    Evaluator evaluator = new Evaluator(random);
    for (int i = 0; i < allocations; i++) {
      evaluator.expression(1 + random.nextInt(depth));
    }
  }
}
