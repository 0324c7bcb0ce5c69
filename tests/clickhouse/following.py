"""A program that follows folders, and a JVM whose repository can be followed."""

import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time

import pytest
from program import start

HERE = pathlib.Path(__file__).parent
WAIT_SECONDS = 120


def wait_until(condition, what):
    """Waits for something that comes soon, on a busy machine later."""
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError(f"waited in vain for {what}")


class Follower:
    """`jfrtree clickhouse load --follow`, with what it says, line by line."""

    def __init__(self, *folders, database, arguments=(), library=None):
        follow = [word for folder in folders for word in ("--follow", folder)]
        self.process = start("clickhouse", "load", *follow, "--db", database, "--poll", "50ms",
                             *arguments, library=library)
        self.lines = []
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        for line in self.process.stderr:
            self.lines.append(line.rstrip("\n"))

    def text(self):
        return "\n".join(self.lines)

    def wait_for(self, text, count=1):
        def is_there():
            if self.process.poll() is not None and self.text().count(text) < count:
                raise AssertionError(f"ended with {self.process.returncode}: {self.text()}")
            return self.text().count(text) >= count

        wait_until(is_there, f"'{text}' in:\n{self.text()}")

    def loaded_chunks(self):
        """Chunks of all batches so far."""
        words = [line.split()[2].replace(",", "") for line in list(self.lines)
                 if line.startswith("jfrtree: loaded ") and " into " not in line]
        return sum(map(int, words))

    def wait_for_chunks(self, count):
        def is_there():
            assert self.process.poll() is None, self.text()
            return self.loaded_chunks() >= count

        wait_until(is_there, f"{count} chunks")
        assert self.loaded_chunks() == count, self.text()

    def wait_for_end(self, code=0):
        assert self.process.wait(WAIT_SECONDS) == code, self.text()
        self.close()
        return self.text()

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.wait_for_end(128 + number)

    def kill(self):
        self.process.kill()
        self.process.wait(WAIT_SECONDS)
        self.close()

    def close(self):
        self.thread.join(WAIT_SECONDS)
        self.process.stderr.close()
        self.process.stdout.close()


class Program:
    """A JVM that records into a repository, and does what it is told by a line."""

    def __init__(self, repository, *options):
        repository.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            ["java", "-Xmx64m", "-XX:TieredStopAtLevel=1", *options,
             f"-XX:FlightRecorderOptions=repository={repository}",
             str(HERE / "FollowedProgram.java")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def tell(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        assert self.process.stdout.readline() == "done\n"

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(WAIT_SECONDS) == 0
        self.process.stdout.close()

    def kill(self):
        self.process.kill()
        self.process.wait(WAIT_SECONDS)
        self.process.stdin.close()
        self.process.stdout.close()


def need_java():
    if shutil.which("java") is None:
        pytest.skip("no JVM is there to be followed")


def copy_slowly(source, target, pieces):
    """Copies a file in pieces; each is written when the caller asks for the next."""
    data = pathlib.Path(source).read_bytes()
    step = -(-len(data) // pieces)
    with open(target, "wb") as file:
        for position in range(0, len(data), step):
            file.write(data[position:position + step])
            file.flush()
            os.fsync(file.fileno())
            yield position + step
