"""Interrupts, progress, threads, processes, memory and lifetimes."""

import concurrent.futures
import gc
import io
import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref

import pytest

import jfrtree


def run_script(script, *arguments, **options):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)],
                          capture_output=True, text=True, timeout=120, **options)


@pytest.fixture(scope="module")
def many(testdata):
    """So many inputs that reading them takes seconds."""
    return [testdata / "jdk17-many-stacks.jfr"] * 3000


# A tenth of a second is promised; a busy machine may take longer. To the end it would be far more.
AT_ONCE_SECONDS = 5
INTERRUPTED = """
    import os, signal, sys, threading, time
    import jfrtree

    # Ignored in what a shell runs in the background.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    recording = jfrtree.open([sys.argv[1]] * 30_000, threads=2)
    pressed = []

    def press():
        time.sleep(0.3)
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    try:
        {call}
    except KeyboardInterrupt:
        print(time.monotonic() - pressed[0])
    else:
        print("not interrupted", time.monotonic() - pressed[0] if pressed else None)
"""


@pytest.mark.parametrize("call", [
    "recording.info",
    "recording.profile('alloc')",
    "recording.events('jdk.ObjectAllocation*').to_pylist()",
    "len(recording.events('jdk.ObjectAllocation*'))",
])
def test_ctrl_c(testdata, call):
    done = run_script(INTERRUPTED.format(call=call), testdata / "jdk17-many-stacks.jfr")
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < AT_ONCE_SECONDS


def test_ctrl_c_leaves_no_file(testdata, tmp_path):
    call = f"recording.profile('alloc').write({str(tmp_path / 'out.html')!r})"
    done = run_script(INTERRUPTED.format(call=call), testdata / "jdk17-many-stacks.jfr")
    assert float(done.stdout) < AT_ONCE_SECONDS
    assert list(tmp_path.iterdir()) == []


def test_a_signal_handler_runs_while_reading(many):
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        start = time.monotonic()
        jfrtree.open(many[:300]).info
        end = time.monotonic()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if end - start > 0.5:
        assert seen and seen[0] < end - 0.1


def test_the_gil_is_released(many):
    counted = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        recording = jfrtree.open(many[:300], threads=1)
        start = time.monotonic()
        recording.info
        end = time.monotonic()
    finally:
        stop.set()
        thread.join()
    # Were it held, there would be one moment at most.
    assert len([moment for moment in counted if start < moment < end]) >= 3


def test_progress(testdata):
    seen = []
    recording = jfrtree.open([testdata / "jdk17-mixed.jfr"] * 20,
                             progress=lambda done, total: seen.append((done, total)))
    recording.profile("cpu")
    size = (testdata / "jdk17-mixed.jfr").stat().st_size
    assert seen[-1] == (20 * size, 20 * size)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    others = []
    recording.profile("lock", progress=lambda *numbers: others.append(numbers))
    assert others[-1] == (20 * size, 20 * size)


def test_what_progress_raises_goes_on(many):
    class Enough(Exception):
        pass

    asked = []

    def enough(done, total):
        asked.append(done)
        raise Enough

    recording = jfrtree.open(many, progress=enough)
    with pytest.raises(Enough):
        recording.profile("alloc")
    (done,) = asked
    assert done < many[0].stat().st_size * len(many) / 10
    with pytest.raises(TypeError, match="progress"):
        jfrtree.open(many[:1], progress=3).profile("alloc")


def test_a_bar_on_a_terminal(many, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("jfrtree._progress.DELAY", 0)
    jfrtree.open(many[:200], progress=True).profile("alloc")
    drawn = terminal.getvalue()
    assert "MiB" in drawn and "[#" in drawn
    assert drawn.endswith("\r\x1b[K")
    plain = io.StringIO()
    monkeypatch.setattr(sys, "stderr", plain)
    jfrtree.open(many[:5], progress=True).profile("alloc")
    assert plain.getvalue() == ""


def test_several_threads_read_one_recording(testdata):
    recording = jfrtree.open((testdata / "jdk17-mixed.jfr").read_bytes())

    def read(kind):
        return recording.profile(kind).count, len(recording.info.events)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = list(pool.map(read, ["cpu", "lock", "park", "alloc"] * 10))
    assert [count for count, _ in results] == [755, 85, 388, 2043] * 10
    assert len({events for _, events in results}) == 1


def child(path):
    recording = jfrtree.open(path)
    return recording.profile("cpu").count, recording.info.chunks[0].events


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_processes(testdata, method):
    path = str(testdata / "jdk17-mixed.jfr")
    here = child(path)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(child, [path] * 4) == [here] * 4


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_recording_in_a_forked_child(testdata):
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")
    assert recording.profile("cpu").count == 755
    pid = os.fork()
    if pid == 0:
        os._exit(0 if recording.profile("lock").count == 85 else 1)
    assert os.waitpid(pid, 0)[1] == 0


def test_pickling_says_why_not(testdata):
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")
    profile = recording.profile("lock")
    for thing in (recording, profile, profile.top(), recording.events("jdk.CPULoad"),
                  jfrtree.diff(profile, profile)):
        with pytest.raises(TypeError, match="cannot be pickled.*open the recording"):
            pickle.dumps(thing)
    for thing in (recording.info, recording.profiles, profile.left_out):
        assert pickle.loads(pickle.dumps(thing)) == thing


def test_errors_can_be_sent_to_other_processes(testdata, tmp_path):
    raised = []
    for call in (lambda: jfrtree.open(tmp_path / "missing.jfr"), lambda: jfrtree.open(b""),
                 lambda: jfrtree.open(testdata / "jdk17-mixed.jfr").profile("wall"),
                 lambda: jfrtree.open(testdata / "jdk17-mixed.jfr").profile("nothing")):
        with pytest.raises(jfrtree.Error) as caught:
            call()
        raised.append(caught.value)
    for error in raised:
        copy = pickle.loads(pickle.dumps(error))
        assert type(copy) is type(error)
        assert str(copy) == str(error)
        assert vars(copy) == vars(error)


def test_results_outlive_what_they_came_from(testdata):
    data = bytearray((testdata / "jdk17-mixed.jfr").read_bytes())
    recording = jfrtree.open(data)
    profile = recording.profile("lock")
    table = profile.stacks
    events = iter(recording.events("jdk.JavaMonitorEnter"))
    rows = iter(profile)
    del profile
    recording.close()
    del recording
    gc.collect()
    assert sum(count for _, count, _ in rows) == 85
    assert len(table.to_pylist()) == 5
    # A pass over events holds the buffer as long as it goes on.
    with pytest.raises(BufferError):
        data.clear()
    assert len(list(events)) == 85
    del events
    gc.collect()
    data.clear()


def test_a_buffer_is_kept_alive_and_then_let_go(testdata):
    class Bytes(bytearray):
        pass

    data = Bytes((testdata / "jdk17-mixed.jfr").read_bytes())
    alive = weakref.ref(data)
    recording = jfrtree.open(data)
    del data
    gc.collect()
    assert alive() is not None
    assert recording.profile("cpu").count == 755
    del recording
    gc.collect()
    assert alive() is None


def test_bytes_are_not_copied(testdata):
    script = """
        import resource, sys
        import jfrtree
        data = open(sys.argv[1], "rb").read() * 400
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        recording = jfrtree.open(data, threads=1)
        count = recording.profile("lock").count
        print(count, len(data) // 1024, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    done = run_script(script, testdata / "jdk17-mixed.jfr")
    count, size, growth = map(int, done.stdout.split())
    assert count == 85 * 400
    assert growth < size / 2


def test_ten_thousand_recordings_leave_nothing_behind(testdata):
    data = (testdata / "jdk17-names.jfr").read_bytes()
    path = testdata / "jdk17-names.jfr"
    files = len(os.listdir("/proc/self/fd"))

    def open_some(count):
        for number in range(count):
            source = (data, path, io.BytesIO(data))[number % 3]
            recording = jfrtree.open(source, threads=1)
            if number % 100 < 3:
                recording.profile("cpu")
                recording.profile("cpu").top(1).to_pylist()

    open_some(1000)
    before = memory()
    open_some(10_000)
    gc.collect()
    assert memory() - before < 8 * 1024
    assert len(os.listdir("/proc/self/fd")) == files


def memory():
    """KiB of this process that lie in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024
