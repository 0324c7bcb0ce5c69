"""What the commands that read profiles say when there is nothing to read."""

import contextlib
import http.server
import threading

import pytest
from ports import free_ports
from program import TESTDATA, load
from queries import ask, make_tables

COMMANDS = [("flamegraph", "--format", "stacks"), ("top",), ("list",),
            ("diff", "--other-from", "-1h", "--format", "stacks")]


class Place:
    def __init__(self, url):
        self.url = url


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_no_tables_and_another_schema(server, command):
    text = ask(server, *command, code=1)
    assert "has no table profile_samples: jfrtree clickhouse load fills one" in text
    load(TESTDATA / "jdk17-chunks.jfr", server.url, "--create")
    server.query("ALTER TABLE profile_samples MODIFY COMMENT 'jfrtree schema 99'")
    text = ask(server, *command, code=1)
    assert "profile_samples has the jfrtree schema 99, and this program has jfrtree schema" in text


def test_nothing_is_loaded_yet(server):
    make_tables(server)
    assert "nothing is stored yet" in ask(server, "top", code=1)
    assert ask(server, "list") == "Nothing is stored.\n"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_unreachable_and_denied(server, command):
    gone = Place(f"http://127.0.0.1:{free_ports(1)[0]}")
    assert "cannot be reached" in ask(gone, *command, code=1)
    denied = Place(server.url.replace("http://", "http://nobody:secret@"))
    text = ask(denied, *command, code=1)
    assert "CLICKHOUSE_PASSWORD" in text and "secret" not in text


@contextlib.contextmanager
def answering(body):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Place(f"http://127.0.0.1:{server.server_port}")
        server.shutdown()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_an_old_server_is_refused(command):
    with answering(b"23.3.1.2823\n") as old:
        text = ask(old, *command, code=1)
    assert "is ClickHouse 23.3.1.2823; 24.8 or newer is needed" in text
