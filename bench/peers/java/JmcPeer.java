import java.io.File;
import java.util.List;
import org.openjdk.jmc.common.IMCFrame;
import org.openjdk.jmc.common.IMCMethod;
import org.openjdk.jmc.common.IMCStackTrace;
import org.openjdk.jmc.common.IMCType;
import org.openjdk.jmc.common.item.IAttribute;
import org.openjdk.jmc.common.item.IItem;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.common.item.IMemberAccessor;
import org.openjdk.jmc.common.item.ItemFilters;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.flightrecorder.JfrAttributes;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;
import org.openjdk.jmc.flightrecorder.jdk.JdkAttributes;

/**
 * Collapsed allocation stacks by the parser of JDK Mission Control.
 *
 * <p>Arguments: recording, output file.
 */
public final class JmcPeer {
  public static void main(String[] args) throws Exception {
    StackSums<IMCStackTrace, IMCType> sums =
        new StackSums<>(JmcPeer::text, type -> StackSums.readable(type.getFullName()));
    IItemCollection all = JfrLoaderToolkit.loadEvents(new File(args[0]));
    add(sums, all, "jdk.ObjectAllocationInNewTLAB", JdkAttributes.TLAB_SIZE);
    add(sums, all, "jdk.ObjectAllocationOutsideTLAB", JdkAttributes.ALLOCATION_SIZE);
    sums.write(args[1]);
  }

  private static void add(StackSums<IMCStackTrace, IMCType> sums, IItemCollection all,
      String eventType, IAttribute<IQuantity> size) {
    for (IItemIterable events : all.apply(ItemFilters.type(eventType))) {
      IMemberAccessor<IMCStackTrace, IItem> stack =
          JfrAttributes.EVENT_STACKTRACE.getAccessor(events.getType());
      IMemberAccessor<IMCType, IItem> type =
          JdkAttributes.ALLOCATION_CLASS.getAccessor(events.getType());
      IMemberAccessor<IQuantity, IItem> bytes = size.getAccessor(events.getType());
      for (IItem event : events) {
        sums.add(stack.getMember(event), type.getMember(event), bytes.getMember(event).longValue());
      }
    }
  }

  private static String text(IMCStackTrace stack) {
    List<? extends IMCFrame> frames = stack.getFrames();
    StringBuilder text = new StringBuilder();
    for (int i = frames.size() - 1; i >= 0; i--) {
      IMCMethod method = frames.get(i).getMethod();
      text.append(method.getType().getFullName()).append('.').append(method.getMethodName());
      if (i > 0) {
        text.append(';');
      }
    }
    return text.toString();
  }
}
