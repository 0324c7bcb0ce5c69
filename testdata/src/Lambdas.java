import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import jdk.jfr.Event;
import jdk.jfr.Name;

/**
 * Calls through classes and methods that the JVM makes at run time: lambdas, method references, hidden
 * classes, proxies, reflection, method handles, streams, generated string joins. Each way commits ten events.
 */
public final class Lambdas {
  private static final int TIMES = 10;
  private static volatile double sink;

  /** Committed at the end of each way. */
  @Name("example.Call")
  static final class Call extends Event {
    String way;
  }

  /** Loaded a second time as a hidden class. */
  static final class HiddenTask implements Runnable {
    @Override
    public void run() {
      hit("hidden class");
    }
  }

  public static void main(String[] args) throws Throwable {
    byLambda();
    byCapturingLambda();
    byMethodReference();
    byAnonymousClass();
    byHiddenClass();
    byProxy();
    byReflection();
    byMethodHandle();
    byStream();
    byNestedLambdas();
  }

  private static void repeat(Runnable task) {
    for (int i = 0; i < TIMES; i++) {
      task.run();
    }
  }

  private static void byLambda() {
    repeat(() -> hit("lambda"));
  }

  private static void byCapturingLambda() {
    for (int i = 0; i < TIMES; i++) {
      int number = i;
      Runnable task = () -> hit("capturing lambda " + number);
      task.run();
    }
  }

  private static void byMethodReference() {
    repeat(Lambdas::hitByReference);
  }

  private static void hitByReference() {
    hit("method reference");
  }

  private static void byAnonymousClass() {
    repeat(new Runnable() {
      @Override
      public void run() {
        hit("anonymous class");
      }
    });
  }

  private static void byHiddenClass() throws ReflectiveOperationException, IOException {
    byte[] bytes;
    try (InputStream in = Lambdas.class.getResourceAsStream("Lambdas$HiddenTask.class")) {
      bytes = in.readAllBytes();
    }
    for (int i = 0; i < 2; i++) {
      Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass();
      Runnable task = (Runnable) hidden.getDeclaredConstructor().newInstance();
      for (int k = 0; k < TIMES / 2; k++) {
        task.run();
      }
    }
  }

  private static void byProxy() {
    Runnable proxy = (Runnable) Proxy.newProxyInstance(Lambdas.class.getClassLoader(),
        new Class<?>[] {Runnable.class}, (self, method, arguments) -> {
          hit("proxy");
          return null;
        });
    repeat(proxy);
  }

  private static void byReflection() throws ReflectiveOperationException {
    Method method = Lambdas.class.getDeclaredMethod("hit", String.class);
    for (int i = 0; i < 2 * TIMES; i++) {
      method.invoke(null, "reflection");
    }
  }

  private static void byMethodHandle() throws Throwable {
    MethodHandle handle = MethodHandles.lookup().findStatic(Lambdas.class, "hit",
        MethodType.methodType(void.class, String.class)).bindTo("method handle");
    for (int i = 0; i < TIMES; i++) {
      handle.invoke();
    }
  }

  private static void byStream() {
    IntConsumer consumer = i -> hit("stream");
    IntStream.range(0, TIMES).filter(i -> i >= 0).map(i -> i * 2).forEach(consumer);
  }

  private static void byNestedLambdas() throws Exception {
    Callable<Callable<Runnable>> outer = () -> () -> () -> hit("nested lambdas");
    for (int i = 0; i < TIMES; i++) {
      outer.call().call().run();
    }
  }

  static void hit(String way) {
    Call event = new Call();
    event.begin();
    event.way = way;
    busy();
    event.commit();
  }

  private static void busy() {
    long end = System.nanoTime() + 2_000_000;
    double sum = 0;
    do {
      for (int i = 0; i < 20_000; i++) {
        sum += Math.sqrt(sum + i);
      }
    } while (System.nanoTime() < end);
    sink = sum;
  }
}
