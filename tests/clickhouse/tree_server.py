"""A ClickHouse server on loopback, out of libchdb.so, for as long as a test needs it.

As a program: tree_server.py LIBCHDB FOLDER HTTP_PORT CONFIG, lives until its standard input closes.
"""

import ctypes
import os
import pathlib
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest
from ports import free_ports


class QueryError(Exception):
    """What the server said."""


def library_path():
    path = os.environ.get("JFRTREE_LIBCHDB", "")
    if not path or not pathlib.Path(path).exists():
        pytest.skip("needs a ClickHouse engine: set JFRTREE_LIBCHDB to a libchdb.so")
    return path


class Server:
    """`scripts` is the folder of programs that the server may start."""

    def __init__(self, folder, functions=""):
        self.scripts = folder / "scripts"
        self.scripts.mkdir()
        (folder / "data").mkdir()
        (self.scripts / "jfrtree").symlink_to(os.environ["JFRTREE_PROGRAM"])
        (folder / "functions.xml").write_text(f"<functions>{functions}</functions>")
        config = folder / "config.xml"
        config.write_text(
            f"<clickhouse><user_scripts_path>{self.scripts}/</user_scripts_path>"
            "<user_defined_executable_functions_config>"
            f"{folder}/functions.xml</user_defined_executable_functions_config></clickhouse>")
        self.port, = free_ports(1)
        self.log = open(folder / "log", "wb")
        self.process = subprocess.Popen(
            [sys.executable, __file__, library_path(), str(folder / "data"), str(self.port),
             str(config)],
            stdin=subprocess.PIPE, stdout=self.log, stderr=self.log, cwd=folder)
        self._wait()

    def _wait(self):
        deadline = time.monotonic() + 60
        while True:
            try:
                return self.query("SELECT 1")
            except (OSError, QueryError):
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def query(self, text, data=b""):
        """The answer as bytes; `data` is the body of an INSERT."""
        body = text.encode() if not data else data
        url = f"http://127.0.0.1:{self.port}/?wait_end_of_query=1"
        if data:
            url += "&query=" + urllib.parse.quote(text)
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body), timeout=120) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise QueryError(error.read().decode(errors="replace")) from None

    def rows(self, text):
        """The rows as lists of strings."""
        answer = self.query(text + " FORMAT TSV").decode()
        return [line.split("\t") for line in answer.splitlines()]

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def serve(library, folder, port, config):
    run = ctypes.CDLL(library).chdb_query_cmdline
    run.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
    run.restype = ctypes.c_void_p
    arguments = [
        "clickhouse-local", f"--path={folder}", "--listen_host", "127.0.0.1", "--http_port", port,
        "--config-file", config, "--query",
        "SYSTEM START LISTEN HTTP; SELECT count() FROM file('/dev/stdin', LineAsString, 'a String')"
    ]
    values = (ctypes.c_char_p * len(arguments))(*[each.encode() for each in arguments])
    run(len(arguments), values)


if __name__ == "__main__":
    serve(*sys.argv[1:])
