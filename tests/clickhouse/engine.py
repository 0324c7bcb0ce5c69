"""ClickHouse for tests, from the library of the embedded engine: queries on a folder, and servers.

Run as a program it does one of these in a process of its own:
  engine.py query LIBRARY FOLDER             SQL statements as a JSON list on stdin, results as JSON
  engine.py hold LIBRARY FOLDER              has the folder open until stdin closes
  engine.py serve LIBRARY FOLDER HTTP TCP [CONFIG]    a server until stdin closes
"""

import contextlib
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from ports import free_ports

WAIT_SECONDS = 60


def find_library():
    """The library, or a skipped test that says how to get it."""
    import pytest  # bench/scale/measure uses the rest without it

    path = pathlib.Path(os.environ.get("JFRTREE_LIBCHDB", ""))
    if not path.is_file():
        pytest.skip("the engine is not there: scripts/setup --clickhouse fetches it")
    return path


class Embedded:
    """A database in a folder, opened for each call."""

    def __init__(self, library, folder):
        self.library = library
        self.folder = folder

    def query(self, *statements):
        """Results as text, of the last statement alone when there is one."""
        run = subprocess.run(
            [sys.executable, __file__, "query", self.library, self.folder],
            input=json.dumps(statements), capture_output=True, text=True, timeout=WAIT_SECONDS)
        assert run.returncode == 0, run.stderr
        results = json.loads(run.stdout)
        return results[-1]


    @contextlib.contextmanager
    def held(self):
        """Another process has the folder open."""
        process = subprocess.Popen(
            [sys.executable, __file__, "hold", self.library, self.folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            assert process.stdout.readline() == b"open\n"
            yield
        finally:
            process.stdin.close()
            process.wait(WAIT_SECONDS)
            process.stdout.close()


class Server:
    """A ClickHouse server of its own process, on free ports of the loopback."""

    def __init__(self, library, folder, config=None, ports=None):
        self.http, self.tcp = ports or free_ports(2)
        self.url = f"http://127.0.0.1:{self.http}"
        command = [sys.executable, __file__, "serve", library, folder, str(self.http),
                   str(self.tcp)]
        self.process = subprocess.Popen(
            command + ([config] if config else []), stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.wait()

    def wait(self):
        end = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(self.process.stderr.read().decode())
            try:
                with urllib.request.urlopen(self.url + "/ping", timeout=2):
                    return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the server did not answer")

    def query(self, sql, **parameters):
        url = self.url + "/?" + urllib.parse.urlencode(parameters)
        try:
            with urllib.request.urlopen(url, sql.encode(), timeout=WAIT_SECONDS) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from error

    def stop(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stderr.close()


def arguments(*texts):
    return (ctypes.c_char_p * (len(texts) + 1))(*[text.encode() for text in texts], None)


def open_functions(library):
    functions = ctypes.CDLL(library)
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for name, result, parameters in [
            ("chdb_connect", pointer, [ctypes.c_int, ctypes.POINTER(text)]),
            ("chdb_query", pointer, [pointer, text, text]),
            ("chdb_query_cmdline", pointer, [ctypes.c_int, ctypes.POINTER(text)]),
            ("chdb_result_error", text, [pointer]),
            ("chdb_result_buffer", pointer, [pointer]),
            ("chdb_result_length", ctypes.c_size_t, [pointer]),
            ("chdb_close_conn", None, [pointer])]:
        function = getattr(functions, name)
        function.restype, function.argtypes = result, parameters
    return functions


def run_queries(library, folder):
    functions = open_functions(library)
    handle = functions.chdb_connect(2, arguments("clickhouse", "--path=" + folder))
    connection = ctypes.cast(handle, ctypes.POINTER(ctypes.c_void_p))[0]
    results = []
    for sql in json.load(sys.stdin):
        result = functions.chdb_query(connection, sql.encode(), b"TSV")
        error = functions.chdb_result_error(result)
        if error:
            sys.exit(error.decode())
        length = functions.chdb_result_length(result)
        results.append(
            ctypes.string_at(functions.chdb_result_buffer(result), length).decode()
            if length else "")
    functions.chdb_close_conn(handle)
    print(json.dumps(results))


def hold(library, folder):
    functions = open_functions(library)
    handle = functions.chdb_connect(2, arguments("clickhouse", "--path=" + folder))
    print("open", flush=True)
    sys.stdin.read()
    functions.chdb_close_conn(handle)


def serve(library, folder, http, tcp, *config):
    listen = "SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; "
    wait = "SELECT count() FROM file('/dev/stdin', LineAsString, 'line String')"
    texts = ["clickhouse-local", "--path=" + folder, "--listen_host", "127.0.0.1",
             "--http_port", http, "--tcp_port", tcp]
    for path in config:
        texts += ["--config-file", path]
    texts += ["--query", listen + wait]
    functions = open_functions(library)
    result = functions.chdb_query_cmdline(len(texts), arguments(*texts))
    error = functions.chdb_result_error(result)
    if error:
        sys.exit(error.decode())


if __name__ == "__main__":
    {"query": run_queries, "hold": hold, "serve": serve}[sys.argv[1]](*sys.argv[2:])
