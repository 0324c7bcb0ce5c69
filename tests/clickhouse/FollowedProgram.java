import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import jdk.jfr.Recording;

/** Does what lines tell: allocates, ends the chunk, writes what was recorded so far. */
public class FollowedProgram {
    static volatile Object kept;

    static void allocate(int count) {
        for (int i = 0; i < count; i++) kept = new byte[100_000];
    }

    public static void main(String[] arguments) throws Exception {
        Recording recording = new Recording();
        recording.enable("jdk.ObjectAllocationInNewTLAB").withStackTrace();
        recording.enable("jdk.ObjectAllocationOutsideTLAB").withStackTrace();
        recording.enable("jdk.JVMInformation");
        recording.start();
        System.out.println("ready");
        var in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            if (words[0].equals("work")) allocate(Integer.parseInt(words[1]));
            if (words[0].equals("rotate")) {
                // A new recording of other settings ends the chunk.
                try (Recording other = new Recording()) { other.start(); }
            }
            if (words[0].equals("dump")) recording.dump(Path.of(words[1]));
            if (words[0].equals("write-at-exit")) {
                recording.setDumpOnExit(true);
                recording.setDestination(Path.of(words[1]));
            }
            System.out.println("done");
        }
    }
}
