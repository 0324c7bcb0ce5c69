import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntConsumer;

/**
 * Many allocations on few stacks, as a service makes them that does the same things over and over.
 *
 * <p>A route is a fixed list of stages, each the virtual call of another class; at its end something
 * is allocated. Every route is taken about equally often.
 *
 * <p>Arguments: threads, allocations of each thread, routes, stages of a route.
 */
public final class FewStacks {
  private static volatile Object sink;

  /** One step on the way to an allocation. */
  private abstract static class Stage {
    abstract void pass(Route route, int position, Random random);
  }

  private static final class Intake extends Stage {
    @Override
    void pass(Route route, int position, Random random) {
      route.follow(position + 1, random);
    }
  }

  private static final class Parser extends Stage {
    @Override
    void pass(Route route, int position, Random random) {
      route.follow(position + 1, random);
    }
  }

  private static final class Stock extends Stage {
    @Override
    void pass(Route route, int position, Random random) {
      route.follow(position + 1, random);
    }
  }

  /** A name outside ASCII, which the recording keeps in another encoding. */
  private static final class Prüfung extends Stage {
    @Override
    void pass(Route route, int position, Random random) {
      route.follow(position + 1, random);
    }
  }

  /** Goes on through a lambda: a frame of a hidden class. */
  private static final class Discounts extends Stage {
    @Override
    void pass(Route route, int position, Random random) {
      IntConsumer next = step -> route.follow(step, random);
      next.accept(position + 1);
    }
  }

  private static final Stage[] STAGES = {
    new Intake(), new Parser(), new Stock(), new Prüfung(), new Discounts()
  };

  /** A list of stages with one kind of allocation at its end. */
  private static final class Route {
    private final Stage[] stages;
    private final int kind;

    Route(int length, Random random) {
      stages = new Stage[length];
      for (int i = 0; i < length; i++) {
        stages[i] = STAGES[random.nextInt(STAGES.length)];
      }
      kind = random.nextInt(6);
    }

    void follow(int position, Random random) {
      if (position < stages.length) {
        stages[position].pass(this, position, random);
      } else {
        allocate(kind, random);
      }
    }
  }

  private static void allocate(int kind, Random random) {
    switch (kind) {
      case 0 -> sink = new byte[64 + random.nextInt(1200)];
      case 1 -> sink = new long[random.nextInt(120)];
      case 2 -> sink = order(random.nextInt());
      case 3 -> sink = lines(random.nextInt(40));
      case 4 -> sink = prices(random.nextInt(1000));
      default -> sink = new Object[1 + random.nextInt(200)];
    }
  }

  private static String order(int number) {
    return "order " + Integer.toHexString(number) + " of customer " + (number >>> 7);
  }

  private static List<Integer> lines(int count) {
    List<Integer> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lines.add(1000 + i);
    }
    return lines;
  }

  private static Map<Integer, String> prices(int seed) {
    Map<Integer, String> prices = new HashMap<>();
    for (int i = 0; i < 6; i++) {
      prices.put(seed + i, Integer.toString(seed * i));
    }
    return prices;
  }

  public static void main(String[] args) throws InterruptedException {
    int threads = Integer.parseInt(args[0]);
    int allocations = Integer.parseInt(args[1]);
    Route[] routes = new Route[Integer.parseInt(args[2])];
    Random random = new Random(17);
    for (int i = 0; i < routes.length; i++) {
      routes[i] = new Route(Integer.parseInt(args[3]), random);
    }
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int seed = i;
      Thread worker = new Thread(() -> work(routes, allocations, new Random(seed)), "orders-" + i);
      worker.start();
      workers.add(worker);
    }
    for (Thread worker : workers) {
      worker.join();
    }
  }

  private static void work(Route[] routes, int allocations, Random random) {
    for (int i = 0; i < allocations; i++) {
      routes[random.nextInt(routes.length)].follow(0, random);
    }
  }
}
