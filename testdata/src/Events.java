import java.util.List;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.AnnotationElement;
import jdk.jfr.BooleanFlag;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Frequency;
import jdk.jfr.Label;
import jdk.jfr.MemoryAddress;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.TransitionFrom;
import jdk.jfr.TransitionTo;
import jdk.jfr.Unsigned;
import jdk.jfr.ValueDescriptor;

/** Events of our own with every field type a Java event can have and the standard annotations. */
public final class Events {
  /** Every type, values at the ends of their ranges. */
  @Name("example.AllTypes")
  @Label("All Types")
  @Category({"Example", "Types"})
  @Description("One field of each type")
  static final class AllTypes extends Event {
    boolean flag;
    byte byteValue;
    char charValue;
    short shortValue;
    int intValue;
    long longValue;
    float floatValue;
    double doubleValue;
    String text;
    Class<?> type;
    Thread thread;
  }

  /** Every standard annotation. */
  @Name("example.Annotated")
  @Label("Annotated")
  @Category("Example")
  static final class Annotated extends Event {
    @Timespan(Timespan.NANOSECONDS) long spanNanos;
    @Timespan(Timespan.MICROSECONDS) long spanMicros;
    @Timespan(Timespan.MILLISECONDS) long spanMillis;
    @Timespan(Timespan.SECONDS) int spanSeconds;
    @Timespan(Timespan.TICKS) long spanTicks;
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH) long epochMillis;
    @Timestamp(Timestamp.TICKS) long stampTicks;
    @DataAmount(DataAmount.BYTES) long bytes;
    @DataAmount(DataAmount.BITS) int bits;
    @DataAmount @Frequency long bytesPerSecond;
    @Frequency double hertz;
    @Percentage float share;
    @MemoryAddress long address;
    @BooleanFlag boolean enabled;
    @Unsigned byte unsignedByte;
    @Unsigned short unsignedShort;
    @Unsigned int unsignedInt;
    @Unsigned long unsignedLong;
    @TransitionFrom Thread from;
    @TransitionTo Thread to;
  }

  /** An event with a stack and a duration that no tool knows. */
  @Name("example.Checkout")
  @Label("Checkout")
  static final class Checkout extends Event {
    @DataAmount long size;
    String step;
  }

  /** An event without a stack. */
  @Name("example.NoStack")
  @StackTrace(false)
  static final class NoStack extends Event {
    int number;
  }

  /** An event that the JVM asks for at the start and the end of each chunk. */
  @Name("example.Periodic")
  @Period("everyChunk")
  @StackTrace(false)
  static final class Periodic extends Event {
    long number;
  }

  public static void main(String[] args) throws Exception {
    FlightRecorder.addPeriodicEvent(Periodic.class, Events::commitPeriodic);
    commitAllTypes();
    commitAnnotated();
    for (int i = 0; i < 10; i++) {
      Shop.payByCard(i);
      Shop.payByInvoice(i);
    }
    for (int i = 0; i < 100; i++) {
      NoStack event = new NoStack();
      event.number = i;
      event.commit();
    }
    commitDynamic();
  }

  private static void commitPeriodic() {
    Periodic event = new Periodic();
    event.number = 7;
    event.commit();
  }

  private static void commitAllTypes() {
    commit(false, (byte) 0, '\0', (short) 0, 0, 0L, 0f, 0d, null, null, null);
    commit(true, (byte) 1, 'a', (short) 1, 1, 1L, 1.5f, -2.5, "", String.class, Thread.currentThread());
    commit(true, (byte) -1, '\u20ac', (short) -1, -1, -1L, -0f, -0d, "plain", int.class, Thread.currentThread());
    commit(false, Byte.MIN_VALUE, '\u00e9', Short.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE,
        Float.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY, "h\u00e9llo", int[][].class, null);
    commit(true, Byte.MAX_VALUE, '\uffff', Short.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE,
        Float.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, "\u6f22\u5b57", AllTypes[].class, null);
    commit(true, (byte) 127, '\ud83d', (short) 300, 1 << 28, 1L << 56, Float.NaN, Double.NaN,
        "\ud83d\ude00", List.class, null);
    commit(true, (byte) 2, '\t', (short) 127, 128, (1L << 56) - 1, Float.MIN_VALUE, Double.MIN_VALUE,
        "lone \ud800 surrogate", Events.class, null);
    commit(true, (byte) 3, '"', (short) 128, 16384, 1L << 35, Float.MAX_VALUE, Double.MAX_VALUE,
        "quote \" backslash \\ tab \t line\nend", Shop.class, null);
    for (int i = 0; i < 3; i++) {
      commit(true, (byte) 4, 'z', (short) 4, 4, 4L, 4f, 4d,
          "a text of more than sixteen characters goes to the pool of strings", Shop.class, null);
    }
    commit(true, (byte) 5, 'z', (short) 5, 5, 5L, 5f, 5d, "long \u00e9 ".repeat(60), Shop.class, null);
  }

  private static void commit(boolean flag, byte byteValue, char charValue, short shortValue, int intValue,
      long longValue, float floatValue, double doubleValue, String text, Class<?> type, Thread thread) {
    AllTypes event = new AllTypes();
    event.flag = flag;
    event.byteValue = byteValue;
    event.charValue = charValue;
    event.shortValue = shortValue;
    event.intValue = intValue;
    event.longValue = longValue;
    event.floatValue = floatValue;
    event.doubleValue = doubleValue;
    event.text = text;
    event.type = type;
    event.thread = thread;
    event.commit();
  }

  private static void commitAnnotated() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    Thread other = new Thread(() -> awaitQuietly(done), "receiver");
    other.start();
    for (int i = 0; i < 2; i++) {
      Annotated event = new Annotated();
      event.spanNanos = 1_500_000_001L;
      event.spanMicros = 2_500;
      event.spanMillis = 3_600_000;
      event.spanSeconds = i == 0 ? 90 : -1;
      event.spanTicks = 1_000_000;
      event.epochMillis = 1_700_000_000_123L;
      event.stampTicks = 0;
      event.bytes = 1L << 40;
      event.bits = 4096;
      event.bytesPerSecond = 125_000_000;
      event.hertz = 99.5;
      event.share = 0.25f;
      event.address = 0x7fff_1234_5678L;
      event.enabled = i == 0;
      event.unsignedByte = (byte) 0xfe;
      event.unsignedShort = (short) 0xfffe;
      event.unsignedInt = 0xfffffffe;
      event.unsignedLong = -2L;
      event.from = Thread.currentThread();
      event.to = i == 0 ? other : null;
      event.commit();
    }
    done.countDown();
    other.join();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Two ways to the same event. */
  static final class Shop {
    static void payByCard(int i) {
      commitCheckout("card", 100 + i);
    }

    static void payByInvoice(int i) {
      commitCheckout("invoice", 1000 + i);
    }

    private static void commitCheckout(String step, long size) {
      Checkout event = new Checkout();
      event.begin();
      event.step = step;
      event.size = size;
      event.end();
      event.commit();
    }
  }

  /** An event type made at run time. */
  private static void commitDynamic() {
    EventFactory factory = EventFactory.create(
        List.of(new AnnotationElement(Name.class, "example.Dynamic"), new AnnotationElement(Label.class, "Dynamic")),
        List.of(new ValueDescriptor(int.class, "number"),
            new ValueDescriptor(String.class, "message", List.of(new AnnotationElement(Label.class, "Message")))));
    for (int i = 0; i < 5; i++) {
      Event event = factory.newEvent();
      event.set(0, i);
      event.set(1, "message " + i);
      event.commit();
    }
  }
}
