import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/**
 * Events of the kinds that are not about running code: files and sockets, exceptions and errors, waits
 * and sleeps, objects that stay alive, traced methods. Everything runs once before it is recorded, so
 * that no class is loaded (which reads files) and all numbers are known:
 *
 * <ul>
 *   <li>files: 4 writes of 1,000 bytes, 1 force, 2 reads of 2,000 bytes, 1 read at the end
 *   <li>sockets: 3 writes of 300 bytes, as many reads as it takes to read 900 bytes
 *   <li>7 exceptions of one class, 5 errors of another
 *   <li>3 waits of 20 ms for a {@code Kinds$Monitor}, 4 sleeps of 10 ms
 *   <li>6 calls of {@code traced}, each from {@code callTraced}
 * </ul>
 *
 * <p>Arguments: settings file, output file.
 */
public final class Kinds {
  private static final List<byte[]> kept = new ArrayList<>();
  private static final Path FILE = Path.of("kinds.bin");
  private static volatile double sink;

  /** What is waited for. */
  static final class Monitor {}

  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  static final class Broken extends Error {
    private static final long serialVersionUID = 1;
  }

  public static void main(String[] args) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      run(client.getOutputStream(), accepted.getInputStream());
      try (Recording recording = new Recording(Configuration.create(Path.of(args[0])))) {
        recording.start();
        run(client.getOutputStream(), accepted.getInputStream());
        recording.stop();
        recording.dump(Path.of(args[1]));
      }
    }
    Files.delete(FILE);
  }

  private static void run(OutputStream out, InputStream in) throws Exception {
    writeFile();
    forceFile();
    readFile();
    for (int i = 0; i < 3; i++) {
      out.write(new byte[300]);
    }
    readSocket(in, 900);
    throwExceptions();
    throwErrors();
    waitForNothing(new Monitor());
    for (int i = 0; i < 4; i++) {
      Thread.sleep(10);
    }
    keepObjects();
    callTraced();
  }

  private static void writeFile() throws IOException {
    try (FileOutputStream file = new FileOutputStream(FILE.toFile())) {
      for (int i = 0; i < 4; i++) {
        file.write(new byte[1000]);
      }
    }
  }

  private static void forceFile() throws IOException {
    try (FileChannel channel = FileChannel.open(FILE, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  private static void readFile() throws IOException {
    try (FileInputStream file = new FileInputStream(FILE.toFile())) {
      byte[] buffer = new byte[2000];
      while (file.read(buffer) >= 0) {
        sink += buffer[0];
      }
    }
  }

  private static void readSocket(InputStream in, int bytes) throws IOException {
    byte[] buffer = new byte[bytes];
    for (int done = 0; done < bytes; ) {
      done += in.read(buffer, 0, bytes - done);
    }
  }

  private static void throwExceptions() {
    for (int i = 0; i < 7; i++) {
      try {
        throw new Refused();
      } catch (Refused expected) {
        sink += i;
      }
    }
  }

  private static void throwErrors() {
    for (int i = 0; i < 5; i++) {
      try {
        throw new Broken();
      } catch (Broken expected) {
        sink += i;
      }
    }
  }

  private static void waitForNothing(Monitor monitor) throws InterruptedException {
    synchronized (monitor) {
      for (int i = 0; i < 3; i++) {
        monitor.wait(20);
      }
    }
  }

  private static void keepObjects() {
    for (int i = 0; i < 400; i++) {
      kept.add(new byte[20_000]);
    }
  }

  private static void callTraced() {
    for (int i = 0; i < 6; i++) {
      traced(i);
    }
  }

  private static void traced(int number) {
    for (int i = 0; i < 1000; i++) {
      sink += Math.sqrt(number + i);
    }
  }
}
