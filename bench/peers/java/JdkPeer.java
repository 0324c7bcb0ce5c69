import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * Collapsed allocation stacks by the JDK's own reader.
 *
 * <p>Arguments: recording, output file.
 */
public final class JdkPeer {
  public static void main(String[] args) throws IOException {
    StackSums<RecordedStackTrace, RecordedClass> sums =
        new StackSums<>(JdkPeer::text, type -> StackSums.readable(type.getName()));
    try (RecordingFile file = new RecordingFile(Path.of(args[0]))) {
      while (file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        String field = sizeField(event.getEventType().getName());
        if (field != null) {
          sums.add(event.getStackTrace(), event.getClass("objectClass"), event.getLong(field));
        }
      }
    }
    sums.write(args[1]);
  }

  private static String sizeField(String eventType) {
    return switch (eventType) {
      case "jdk.ObjectAllocationInNewTLAB" -> "tlabSize";
      case "jdk.ObjectAllocationOutsideTLAB" -> "allocationSize";
      default -> null;
    };
  }

  private static String text(RecordedStackTrace stack) {
    List<RecordedFrame> frames = stack.getFrames();
    StringBuilder text = new StringBuilder();
    for (int i = frames.size() - 1; i >= 0; i--) {
      RecordedMethod method = frames.get(i).getMethod();
      text.append(method.getType().getName()).append('.').append(method.getName());
      if (i > 0) {
        text.append(';');
      }
    }
    return text.toString();
  }
}
