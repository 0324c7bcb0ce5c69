import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * Names outside ASCII: classes, methods, threads and text values with two-, three- and four-byte
 * characters in UTF-8. Each of the six methods commits a known number of events and is busy for a while.
 */
public final class Names {
  private static volatile double sink;

  /** An event whose label and values are not ASCII either. */
  @Name("example.Grüße")
  @Label("Größe 漢字 😀")
  static final class Greeting extends Event {
    @Label("Schlüssel")
    String schlüssel;
    Class<?> owner;
    Thread target;
  }

  /** Two-byte characters. */
  static final class Prüfer {
    static void zähle() {
      emit(1, "é");
      Straße.öffne();
    }

    static final class Straße {
      static void öffne() {
        emit(2, "Straße öffnen");
      }
    }
  }

  /** Three-byte characters. */
  static final class 注文処理 {
    static void 計算する() {
      emit(3, "漢");
      合計();
    }

    static void 合計() {
      emit(4, "漢字の長い文字列は文字列プールに入る、一つの塊に一度だけ");
    }
  }

  /** Supplementary characters: letters beyond U+FFFF. */
  static final class 𝒳Engine {
    static void run𝒳() {
      emit(5, "𝒳 and 😀");
      𠮷野();
    }

    /** Another supplementary letter, alone in its name. */
    static void 𠮷野() {
      emit(6, "an emoji 👩‍🚀 made of three characters, kept in the pool");
    }
  }

  public static void main(String[] args) throws Exception {
    String[] threads = {"main é", "漢字スレッド", "worker 😀", "𝒳-1", "mixed é漢😀"};
    for (String name : threads) {
      Thread thread = new Thread(Names::work, name);
      thread.start();
      thread.join();
    }
  }

  private static void work() {
    Prüfer.zähle();
    注文処理.計算する();
    𝒳Engine.run𝒳();
    LockSupport.parkNanos(new 𝒳Engine(), 3_000_000);
  }

  private static void emit(int times, String text) {
    for (int i = 0; i < times; i++) {
      Greeting event = new Greeting();
      event.begin();
      event.schlüssel = text;
      event.owner = 注文処理.class;
      event.target = Thread.currentThread();
      busy();
      event.commit();
    }
  }

  private static void busy() {
    long end = System.nanoTime() + 4_000_000;
    double sum = 0;
    do {
      for (int i = 0; i < 20_000; i++) {
        sum += Math.sqrt(sum + i);
      }
    } while (System.nanoTime() < end);
    sink = sum;
  }
}
