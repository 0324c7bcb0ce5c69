import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * Writes what a recording holds, as the JDK's own reader sees it: {@code counts.json} and one
 * {@code <event type>.stacks.gz} per event type that has stacks. See testdata/README.md for the shapes.
 *
 * <p>Every chunk is read as a file of its own (cut by {@code jfr disassemble}), because on a whole
 * file the JDK carries constants and the clock of one chunk over to the next. A chunk that was never
 * finished is cut at the end of its last flush and marked as finished, else the JDK waits for more.
 *
 * <p>Arguments: {@code [--names NAME,NAME...] OUTPUT_FOLDER RECORDING...}. The JVM writes a supplementary
 * character of a class or method name as two surrogates of three bytes each, which the JDK's reader turns
 * into two U+FFFD. The option gives the true names, known from the source, to put in their place.
 */
public final class Oracle {
  private static final int HEADER_SIZE = 68;
  private static final int CHUNK_SIZE_OFFSET = 8;
  private static final int STATE_OFFSET = 64;
  private static final List<String> WEIGHT_FIELDS =
      List.of("tlabSize", "allocationSize", "weight", "samples", "size");

  private static final class StackSum {
    long count;
    long weight;
  }

  private static final class TypeSum {
    final TreeSet<Long> typeIds = new TreeSet<>();
    final TreeMap<String, StackSum> stacks = new TreeMap<>(Oracle::compareUtf8);
    long count;
    long withStack;
    long nullStack;
    long truncated;
    long durationNs;
    long weight;
    boolean hasWeight;
    long firstNs = Long.MAX_VALUE;
    long lastNs = Long.MIN_VALUE;
  }

  private final Map<String, String> trueNameByDamaged = new TreeMap<>();
  private final Map<String, TypeSum> types = new TreeMap<>();
  private final List<Long> eventsPerChunk = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();

  private Oracle(List<String> trueNames) {
    for (String name : trueNames) {
      if (trueNameByDamaged.put(damaged(name), name) != null) {
        throw new IllegalArgumentException("two names look the same to the JDK's reader: " + name);
      }
    }
  }

  private static String damaged(String name) {
    return name.replaceAll("[\\x{10000}-\\x{10FFFF}]", "\uFFFD\uFFFD");
  }

  public static void main(String[] args) throws Exception {
    int next = 0;
    List<String> trueNames = List.of();
    if (args.length > 0 && args[0].equals("--names")) {
      trueNames = List.of(args[1].split(","));
      next = 2;
    }
    Path output = Path.of(args[next++]);
    for (; next < args.length; next++) {
      Path recording = Path.of(args[next]);
      Oracle oracle = new Oracle(trueNames);
      oracle.readRecording(recording);
      oracle.write(output, recording.getFileName().toString());
    }
  }

  private void readRecording(Path recording) throws Exception {
    Path folder = Files.createTempDirectory("oracle");
    try {
      for (Path chunk : splitChunks(recording, folder)) {
        readChunk(chunk, recording.getFileName().toString());
      }
    } finally {
      deleteFolder(folder);
    }
  }

  private static List<Path> splitChunks(Path recording, Path folder) throws Exception {
    Path whole = folder.resolve("whole.jfr");
    byte[] bytes = unpack(Files.readAllBytes(recording));
    ByteBuffer header = ByteBuffer.wrap(bytes);
    long chunkSize = header.getLong(CHUNK_SIZE_OFFSET);
    if (isUnfinished(bytes)) {
      bytes = java.util.Arrays.copyOf(bytes, Math.toIntExact(chunkSize));
      bytes[STATE_OFFSET] = 0;
    }
    Files.write(whole, bytes);
    if (chunkSize < HEADER_SIZE || chunkSize >= bytes.length) {
      return List.of(whole);
    }
    Path parts = Files.createDirectory(folder.resolve("parts"));
    String jfr = Path.of(System.getProperty("java.home"), "bin", "jfr").toString();
    Process split = new ProcessBuilder(jfr, "disassemble", "--output", parts.toString(),
        "--max-chunks", "1", whole.toString()).redirectErrorStream(true).start();
    String message = new String(split.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (split.waitFor() != 0) {
      throw new IOException("jfr disassemble: " + message);
    }
    try (Stream<Path> files = Files.list(parts)) {
      return files.sorted(Comparator.comparingLong(Oracle::partNumber)).collect(Collectors.toList());
    }
  }

  /** State 0 is "finished"; versions before 2.1 have no state and a zero in its place. */
  private static boolean isUnfinished(byte[] bytes) {
    return bytes.length >= HEADER_SIZE && bytes[STATE_OFFSET] != 0;
  }

  private static long partNumber(Path part) {
    String digits = part.getFileName().toString().replaceAll("\\.jfr$", "").replaceAll("^.*_", "");
    return Long.parseLong(digits);
  }

  private static byte[] unpack(byte[] bytes) throws IOException {
    if (bytes.length < 2 || bytes[0] != 0x1f || (bytes[1] & 0xff) != 0x8b) {
      return bytes;
    }
    try (InputStream in = new GZIPInputStream(new java.io.ByteArrayInputStream(bytes))) {
      return in.readAllBytes();
    }
  }

  private void readChunk(Path chunk, String name) {
    long events = 0;
    try (RecordingFile file = new RecordingFile(chunk)) {
      while (file.hasMoreEvents()) {
        add(file.readEvent());
        events++;
      }
    } catch (IOException | RuntimeException | Error e) {
      errors.add(name + ": after " + events + " events: " + e);
    }
    eventsPerChunk.add(events);
  }

  private void add(RecordedEvent event) {
    TypeSum sum = types.computeIfAbsent(event.getEventType().getName(), name -> new TypeSum());
    sum.count++;
    sum.typeIds.add(event.getEventType().getId());
    sum.durationNs += event.getDuration().toNanos();
    long start = nanos(event.getStartTime());
    sum.firstNs = Math.min(sum.firstNs, start);
    sum.lastNs = Math.max(sum.lastNs, start);
    String weightField = weightField(event);
    long weight = 1;
    if (weightField != null) {
      weight = event.getLong(weightField);
      sum.hasWeight = true;
      sum.weight += weight;
    }
    if (event.hasField("stackTrace")) {
      addStack(sum, event.getStackTrace(), weight);
    }
  }

  private void addStack(TypeSum sum, RecordedStackTrace trace, long weight) {
    if (trace == null) {
      sum.nullStack++;
      return;
    }
    sum.withStack++;
    if (trace.isTruncated()) {
      sum.truncated++;
    }
    StackSum stack = sum.stacks.computeIfAbsent(stackText(trace), text -> new StackSum());
    stack.count++;
    stack.weight += weight;
  }

  private static String weightField(RecordedEvent event) {
    for (String name : WEIGHT_FIELDS) {
      for (ValueDescriptor field : event.getFields()) {
        boolean number = field.getTypeName().equals("long") || field.getTypeName().equals("int");
        if (number && field.getName().equals(name)) {
          return name;
        }
      }
    }
    return null;
  }

  private static long nanos(Instant time) {
    return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
  }

  private String stackText(RecordedStackTrace trace) {
    List<RecordedFrame> frames = trace.getFrames();
    StringBuilder text = new StringBuilder();
    for (int i = frames.size() - 1; i >= 0; i--) {
      text.append(frameText(frames.get(i))).append(i > 0 ? "\t" : "");
    }
    return text.toString();
  }

  private String frameText(RecordedFrame frame) {
    RecordedMethod method = frame.getMethod();
    if (method == null) {
      return "?";
    }
    String className = method.getType() == null ? "?" : method.getType().getName();
    String methodName = method.getName() == null ? "?" : method.getName();
    return trueNameByDamaged.getOrDefault(className, className)
        + "." + trueNameByDamaged.getOrDefault(methodName, methodName);
  }

  private static int compareUtf8(String a, String b) {
    return java.util.Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  private void write(Path output, String name) throws IOException, NoSuchAlgorithmException {
    Path folder = output.resolve(name);
    if (Files.exists(folder)) {
      deleteFolder(folder);
    }
    Files.createDirectories(folder);
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, TypeSum> type : types.entrySet()) {
      lines.add(typeJson(type.getKey(), type.getValue()));
      if (!type.getValue().stacks.isEmpty()) {
        writeStacks(folder.resolve(type.getKey() + ".stacks.gz"), type.getValue());
      }
    }
    try (BufferedWriter out = Files.newBufferedWriter(folder.resolve("counts.json"))) {
      out.write("{\"file\":" + quote(name) + ",\"eventsPerChunk\":" + numbers(eventsPerChunk, ",")
          + ",\"errors\":[" + errors.stream().map(Oracle::quote).collect(Collectors.joining(",")) + "],\"types\":{\n");
      out.write(String.join(",\n", lines));
      out.write("\n}}\n");
    }
  }

  private static String typeJson(String name, TypeSum sum) throws NoSuchAlgorithmException {
    StringBuilder json = new StringBuilder();
    json.append(quote(name)).append(":{\"count\":").append(sum.count);
    json.append(",\"withStack\":").append(sum.withStack).append(",\"nullStack\":").append(sum.nullStack);
    json.append(",\"truncated\":").append(sum.truncated);
    json.append(",\"distinctStacks\":").append(sum.stacks.size());
    json.append(",\"durationNs\":").append(sum.durationNs);
    if (sum.hasWeight) {
      json.append(",\"weightSum\":").append(sum.weight);
    }
    json.append(",\"typeIds\":").append(numbers(sum.typeIds, ", "));
    json.append(",\"firstNs\":").append(sum.firstNs).append(",\"lastNs\":").append(sum.lastNs);
    if (!sum.stacks.isEmpty()) {
      json.append(",\"stacksSha256\":").append(quote(stacksHash(sum)));
    }
    return json.append('}').toString();
  }

  /** SHA-256 over the lines {@code count TAB stack}. */
  private static String stacksHash(TypeSum sum) throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    sum.stacks.forEach((stack, s) -> digest.update((s.count + "\t" + stack + "\n").getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void writeStacks(Path file, TypeSum sum) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, StackSum> stack : sum.stacks.entrySet()) {
        StackSum s = stack.getValue();
        out.write((s.count + "\t" + s.weight + "\t" + stack.getKey() + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private static String numbers(java.util.Collection<Long> values, String separator) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(separator, "[", "]"));
  }

  private static String quote(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  private static void deleteFolder(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) {
        Files.delete(file);
      }
    }
  }
}
