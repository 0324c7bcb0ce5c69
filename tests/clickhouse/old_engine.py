"""An old ClickHouse engine behind HTTP, so that the program talks to it as to a server.

The engine is a module of Python that has no server and no C API but one function: a whole
clickhouse-local for each statement, over tables in a folder. Run as a program, by the Python of the
engine's own environment, it is the server: old_engine.py MODULE FOLDER PORT, until stdin closes.
"""

import ctypes
import http.server
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

WAIT_SECONDS = 60
DATABASE = "profiles"


class OldEngine:
    """An engine, 24.8 or 23.10, with a database in a folder."""

    database = DATABASE

    def __init__(self, version, folder):
        import pytest
        from ports import free_ports

        home = pathlib.Path(os.environ.get("JFRTREE_OLD_ENGINES", "")) / version
        modules = sorted(home.glob("lib/python3.*/site-packages/chdb/_chdb*.so"))
        if not (home / "complete").exists() or not modules:
            pytest.skip(f"the engine {version} is not there: scripts/setup --test fetches it")
        self.port, = free_ports(1)
        self.url = f"http://127.0.0.1:{self.port}/"
        self.log = open(folder / "log", "wb")
        self.process = subprocess.Popen(
            [home / "bin" / "python", __file__, modules[0], folder / "db", str(self.port)],
            stdin=subprocess.PIPE, stdout=self.log, stderr=self.log)
        end = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                self.query("SELECT 1")
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def query(self, sql):
        try:
            with urllib.request.urlopen(self.url, sql.encode(), timeout=WAIT_SECONDS) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from error

    def stop(self):
        self.process.stdin.close()
        self.process.wait(WAIT_SECONDS)
        self.log.close()


class Result(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("length", ctypes.c_size_t), ("owner", ctypes.c_void_p),
                ("seconds", ctypes.c_double), ("rows", ctypes.c_uint64), ("read", ctypes.c_uint64),
                ("error", ctypes.c_char_p)]


class Engine:
    def __init__(self, module, folder):
        self.run_function = ctypes.CDLL(module).query_stable_v2
        self.run_function.restype = ctypes.POINTER(Result)
        self.folder = folder
        self.lock = threading.Lock()
        self.run(f"CREATE DATABASE IF NOT EXISTS {DATABASE} ENGINE = Atomic", use=False)

    def run(self, sql, *options, use=True):
        """The result in TSV unless SQL says FORMAT, or a RuntimeError."""
        if use:
            sql = f"USE {DATABASE};\n{sql}"
        texts = ["clickhouse", "--multiquery", "--output-format=TabSeparated",
                 f"--path={self.folder}", f"--query={sql}", *options]
        values = (ctypes.c_char_p * len(texts))(*[text.encode() for text in texts])
        with self.lock:
            result = self.run_function(len(texts), values)
        if not result:
            return b""
        if result[0].error:
            raise RuntimeError(result[0].error.decode())
        return ctypes.string_at(result[0].bytes, result[0].length) if result[0].length else b""

    def insert(self, sql, body, compression):
        """What is sent behind a statement comes from a file here."""
        head, form = sql.rsplit(" FORMAT ", 1)
        target, settings, rest = head.partition(" SETTINGS ")
        with tempfile.NamedTemporaryFile() as file:
            file.write(body)
            file.flush()
            return self.run(f"{target} FROM INFILE '{file.name}' COMPRESSION "
                            f"'{compression or 'none'}'{settings}{rest} FORMAT {form}")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    engine = None

    def body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def do_POST(self):
        given = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        body = self.body()
        try:
            if "query" in given:
                answer = self.engine.insert(given["query"], body,
                                            self.headers.get("Content-Encoding"))
            else:
                values = [f"--{key}={value}" for key, value in given.items()
                          if key.startswith("param_")]
                answer = self.engine.run(body.decode(), *values)
            self.send(200, answer)
        except RuntimeError as error:
            self.send(500, str(error).encode())

    def send(self, status, body):
        self.send_response(status)
        code = re.match(rb"Code: (\d+)", body)
        if status != 200 and code:
            self.send_header("X-ClickHouse-Exception-Code", code.group(1).decode())
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def serve(module, folder, port):
    # An INSERT reads standard input, too.
    control = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    Handler.engine = Engine(module, folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.read(control, 1)
    os._exit(0)  # the engine does not survive an orderly end of Python


if __name__ == "__main__":
    serve(*sys.argv[1:])
