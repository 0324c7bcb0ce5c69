import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Configuration;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;

/**
 * A recording of four chunks. Each phase has a busy method of its own, shares another, commits a known
 * number of events and renames the worker; between phases another recording starts, which makes
 * the JVM begin a new chunk.
 *
 * <p>Arguments: settings file, output file.
 */
public final class Chunks {
  private static final int PHASES = 4;
  private static final int EVENTS_PER_PHASE = 25;
  private static final long BUSY_NANOS = 150_000_000;
  private static volatile double sink;

  /** One unit of work in one phase. */
  @Name("example.PhaseStep")
  static final class PhaseStep extends Event {
    int phase;
    int step;
    String note;
  }

  public static void main(String[] args) throws Exception {
    List<Recording> others = new ArrayList<>();
    try (Recording recording = new Recording(Configuration.create(Path.of(args[0])))) {
      recording.start();
      for (int phase = 1; phase <= PHASES; phase++) {
        if (phase > 1) {
          others.add(startOther());
        }
        Thread.currentThread().setName("worker in phase " + phase);
        runPhase(phase);
      }
      recording.stop();
      recording.dump(Path.of(args[1]));
    }
    others.forEach(Recording::close);
  }

  private static Recording startOther() {
    Recording other = new Recording();
    other.start();
    return other;
  }

  private static void runPhase(int phase) {
    switch (phase) {
      case 1 -> phaseOne();
      case 2 -> phaseTwo();
      case 3 -> phaseThree();
      default -> phaseFour();
    }
  }

  private static void phaseOne() {
    work(1);
  }

  private static void phaseTwo() {
    work(2);
  }

  private static void phaseThree() {
    work(3);
  }

  private static void phaseFour() {
    work(4);
  }

  private static void work(int phase) {
    for (int step = 0; step < EVENTS_PER_PHASE; step++) {
      PhaseStep event = new PhaseStep();
      event.begin();
      busy(BUSY_NANOS / EVENTS_PER_PHASE);
      event.phase = phase;
      event.step = step;
      event.note = step % 2 == 0 ? "a note that the pool of strings keeps, phase " + phase : "short";
      event.commit();
    }
    LockSupport.parkNanos(Chunks.class, 5_000_000);
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
