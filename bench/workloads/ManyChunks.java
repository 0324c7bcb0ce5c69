import java.nio.file.Path;
import java.util.Random;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.internal.JVM;

/**
 * The same allocations in a number of chunks that can be chosen. All of them are arrays that do not fit
 * into what is left of a thread's buffer, so that each is one event.
 *
 * <p>A second recording that starts or ends makes the JVM begin a new chunk. What that allocates is
 * kept out of the recording, else the events would not be the same. The file is what the JVM makes of
 * its chunks: one behind the other.
 *
 * <p>Arguments: settings file, output file, chunks, allocations, depth.
 */
public final class ManyChunks {
  private static volatile Object sink;

  public static void main(String[] args) throws Exception {
    int chunks = Integer.parseInt(args[2]);
    int allocations = Integer.parseInt(args[3]);
    int depth = Integer.parseInt(args[4]);
    Random random = new Random(23);
    Recording other = null;
    try (Recording recording = new Recording(Configuration.create(Path.of(args[0])))) {
      recording.start();
      for (int chunk = 0; chunk < chunks; chunk++) {
        if (chunk > 0) {
          other = beginChunk(other);
        }
        int end = (int) ((long) allocations * (chunk + 1) / chunks);
        int begin = (int) ((long) allocations * chunk / chunks);
        for (int i = begin; i < end; i++) {
          descend(depth, random);
        }
      }
      recording.stop();
      recording.dump(Path.of(args[1]));
    }
    if (other != null) {
      other.close();
    }
  }

  /** Starts the other recording or ends it; returns it while it runs. */
  private static Recording beginChunk(Recording other) {
    JVM.getJVM().exclude(Thread.currentThread());
    try {
      if (other != null) {
        other.close();
        return null;
      }
      Recording next = new Recording();
      next.start();
      return next;
    } finally {
      JVM.getJVM().include(Thread.currentThread());
    }
  }

  private static void descend(int depth, Random random) {
    if (depth == 0) {
      allocate(random.nextInt(3), 3000 + random.nextInt(500));
    } else if (random.nextBoolean()) {
      left(depth, random);
    } else {
      right(depth, random);
    }
  }

  private static void left(int depth, Random random) {
    descend(depth - 1, random);
  }

  private static void right(int depth, Random random) {
    descend(depth - 1, random);
  }

  private static void allocate(int kind, int size) {
    switch (kind) {
      case 0 -> sink = new byte[size];
      case 1 -> sink = new char[size / 2];
      default -> sink = new long[size / 8];
    }
  }
}
