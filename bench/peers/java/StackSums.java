import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Sums of allocations by stack and class, written as collapsed stacks.
 *
 * <p>A reader returns one object for all uses of a constant, so sums are first kept by the identity of
 * stack and class, and texts are made once for each.
 *
 * @param <S> the reader's type of a stack trace
 * @param <C> the reader's type of a class
 */
final class StackSums<S, C> {
  private static final int MAX_HELD = 1 << 17;

  /** The sum of one class on one stack. */
  private static final class Sum<C> {
    private final C type;
    private final Sum<C> next;
    private long bytes;

    Sum(C type, Sum<C> next) {
      this.type = type;
      this.next = next;
    }
  }

  private final Function<S, String> stackText;
  private final Function<C, String> className;
  private final IdentityHashMap<S, Sum<C>> held = new IdentityHashMap<>();
  private final Map<String, long[]> byText = new HashMap<>();

  StackSums(Function<S, String> stackText, Function<C, String> className) {
    this.stackText = stackText;
    this.className = className;
  }

  /** Adds one event; a null stack is an event without one. */
  void add(S stack, C type, long bytes) {
    Sum<C> first = held.get(stack);
    Sum<C> sum = first;
    while (sum != null && sum.type != type) {
      sum = sum.next;
    }
    if (sum == null) {
      if (held.size() >= MAX_HELD) {
        // The constants of earlier chunks do not come again.
        release();
        first = null;
      }
      sum = new Sum<>(type, first);
      held.put(stack, sum);
    }
    sum.bytes += bytes;
  }

  private void release() {
    held.forEach((stack, first) -> {
      String frames = stack == null ? "" : stackText.apply(stack);
      String text = frames.isEmpty() ? "[no stack]" : frames;
      for (Sum<C> sum = first; sum != null; sum = sum.next) {
        String name = sum.type == null ? "?" : className.apply(sum.type);
        byText.computeIfAbsent(text + ";" + name, line -> new long[1])[0] += sum.bytes;
      }
    });
    held.clear();
  }

  void write(String path) throws IOException {
    release();
    try (BufferedWriter out = Files.newBufferedWriter(Path.of(path), StandardCharsets.UTF_8)) {
      for (Map.Entry<String, long[]> line : byText.entrySet()) {
        out.write(line.getKey());
        out.write(' ');
        out.write(Long.toString(line.getValue()[0]));
        out.write('\n');
      }
    }
  }

  /** A class name as Java source has it: {@code [[I} is {@code int[][]}. */
  static String readable(String name) {
    int dimensions = 0;
    while (name.startsWith("[", dimensions)) {
      dimensions++;
    }
    if (dimensions == 0) {
      return name;
    }
    String element = switch (name.charAt(dimensions)) {
      case 'Z' -> "boolean";
      case 'B' -> "byte";
      case 'C' -> "char";
      case 'S' -> "short";
      case 'I' -> "int";
      case 'J' -> "long";
      case 'F' -> "float";
      case 'D' -> "double";
      default -> name.substring(dimensions + 1, name.length() - 1);
    };
    return element + "[]".repeat(dimensions);
  }
}
