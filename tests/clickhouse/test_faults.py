"""What servers do when they cannot: real faults of a real server, and of what stands before it."""

import contextlib
import http.server
import signal
import socket
import threading
import time

import pytest
from engine import Server
from program import TESTDATA, load, run, start, stored_sums, sums_of
from queries import ask, make_tables, schema_statements, stacks
from test_queries import of_recordings
from test_server_load import Proxy, serve_text

CHUNKS = TESTDATA / "jdk17-chunks.jfr"
KINDS = TESTDATA / "jdk17-kinds.jfr"


class Place:
    def __init__(self, url):
        self.url = url


def refused(url, *arguments):
    text = load(CHUNKS, url, "--retries", "0", *arguments, code=1)
    assert text.count("\n") == 1, text
    return text


# Faults of the server


SMALL_DISK = """<clickhouse><storage_configuration>
<disks><small><path>{path}/</path><keep_free_space_bytes>{free}</keep_free_space_bytes></small></disks>
<policies><small><volumes><one><disk>small</disk></one></volumes></small></policies>
</storage_configuration></clickhouse>"""


def test_a_full_disk(library, tmp_path):
    """A disk of which as much is to be kept free as there is."""
    disk = tmp_path / "disk"
    disk.mkdir()
    config = tmp_path / "config.xml"
    config.write_text(SMALL_DISK.format(path=disk, free=1 << 60))
    server = Server(library, tmp_path / "db", str(config))
    try:
        for statement in schema_statements():
            if "CREATE TABLE IF NOT EXISTS profile_samples\n" in statement:
                statement = statement.replace("\nSETTINGS ", "\nSETTINGS storage_policy = 'small', ")
            server.query(statement)
        text = refused(server.url)
        assert "the disk of the database is full" in text and "NOT_ENOUGH_SPACE" in text
        assert server.query("SELECT count() FROM profile_samples") == "0\n"
        # With space there again, the load that was begun is undone and made anew.
        server.query("DROP TABLE profile_samples")
        for view in ("to_1h", "to_series"):
            server.query(f"DROP VIEW profile_samples_{view}")
        assert "undid 4 loads" in load(CHUNKS, server.url, "--create")
        assert stored_sums(server) == sums_of(CHUNKS)
    finally:
        server.stop()


def test_too_many_parts_are_waited_for(server):
    load(CHUNKS, server.url, "--create", "-p", "lock")
    server.query("TRUNCATE TABLE profile_chunks")
    server.query("ALTER TABLE profile_samples MODIFY SETTING parts_to_throw_insert = 1, "
                 "parts_to_delay_insert = 1")
    server.query("INSERT INTO profile_samples (service, kind, ts, count) VALUES ('a', 'b', now(), 1)")
    text = refused(server.url)
    assert "Too many parts" in text
    loader = start("clickhouse", "load", CHUNKS, "--db", server.url, "--retries", "10")
    # It says that it tries again before there is room.
    line = loader.stderr.readline()
    while "trying again" not in line:
        assert line, "it ended"
        line = loader.stderr.readline()
    server.query("ALTER TABLE profile_samples RESET SETTING parts_to_throw_insert, "
                 "parts_to_delay_insert")
    _, messages = loader.communicate(timeout=120)
    assert loader.returncode == 0, messages
    server.query("ALTER TABLE profile_samples DELETE WHERE service = 'a' SETTINGS mutations_sync = 2")
    assert stored_sums(server) == sums_of(CHUNKS)


def test_a_table_that_is_no_table_any_more(server):
    load(CHUNKS, server.url, "--create")
    server.query("DROP TABLE profile_stacks")
    text = refused(server.url, "--force")
    assert "profile_stacks" in text and "--create" in text
    text = ask(server, "flamegraph", "-p", "cpu", "--format", "stacks", code=1)
    assert "profile_stacks" in text


def test_a_server_that_is_killed_in_the_middle_and_comes_back(library, tmp_path):
    servers = [Server(library, tmp_path / "db")]
    ports = (servers[0].http, servers[0].tcp)
    make_tables(servers[0])
    timers = []

    def kill(line):
        if "INSERT INTO profile_samples " in line and not timers:
            servers[0].process.send_signal(signal.SIGKILL)
            servers[0].process.wait()
            timers.append(threading.Timer(
                0.5, lambda: servers.append(Server(library, tmp_path / "db", ports=ports))))
            timers[0].start()
            return "close"
        return None

    proxy = Proxy(servers[0].http, after=kill)
    loader = start("clickhouse", "load", CHUNKS, "--db", f"http://127.0.0.1:{proxy.port}/",
                   "--retries", "8")
    _, messages = loader.communicate(timeout=120)
    proxy.close()
    timers[0].join()
    try:
        assert loader.returncode == 0 and "trying again" in messages, messages
        assert stored_sums(servers[-1]) == sums_of(CHUNKS)
        for table in ("profile_samples_1h",):
            assert servers[-1].query(f"SELECT sum(count) FROM {table}") == \
                servers[-1].query("SELECT sum(count) FROM profile_samples")
    finally:
        for server in servers:
            server.stop()


# Faults of what stands before it


def test_a_proxy_that_fails_for_a_moment(server):
    """Gateways answer 502, 503 or 504 while their server restarts."""
    load(CHUNKS, server.url, "--create", "-p", "lock")
    server.query("TRUNCATE TABLE profile_chunks")
    statuses = ["502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout",
                "429 Too Many Requests"]

    class Gateway(Proxy):
        def ask(self, head, body):
            if b"profile_samples" in head and statuses:
                text = f"HTTP/1.1 {statuses.pop()}\r\nContent-Length: 5\r\n\r\nlater"
                return text.encode()
            return super().ask(head, body)

    gateway = Gateway(server.port)
    text = load(CHUNKS, gateway.url(server.database), "--retries", "6")
    gateway.close()
    assert not statuses and text.count("trying again") == 4 and "HTTP status 502: later" in text
    assert stored_sums(server) == sums_of(CHUNKS)


STATUSES = {
    "301 Moved Permanently\r\nLocation: https://ch.example.org:8443/": "https://ch.example.org:8443/",
    "307 Temporary Redirect": "ask elsewhere",
    "404 Not Found": "HTTP status 404",
    "413 Content Too Large": "takes no more at once",
    "403 Forbidden": "HTTP status 403",
}


@pytest.mark.parametrize("status", STATUSES, ids=lambda status: status[:3])
def test_answers_of_others(status):
    listener, url = serve_text("<p>a\x1b[31m page</p>", status)
    for text in (refused(url.replace("//", "//me:secret@")), ask(Place(url), "top", code=1)):
        assert STATUSES[status] in text
        assert "secret" not in text and "\x1b" not in text
    listener.close()


def test_an_answer_that_is_no_http():
    listener = socket.create_server(("127.0.0.1", 0))

    def answer():
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                with client:
                    client.recv(1 << 16)
                    client.sendall(b"\x15\x03\x03\x00\x02\x02\x50" * 20)

    threading.Thread(target=answer, daemon=True).start()
    text = refused(f"http://127.0.0.1:{listener.getsockname()[1]}")
    assert "cannot be reached" in text and "https://" in text
    listener.close()


def test_a_server_that_never_answers():
    """Accepted, and silent."""
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    before = time.monotonic()
    text = refused(url, "--timeout", "1s")
    assert "does not answer" in text and time.monotonic() - before < 30
    listener.close()
    assert "--timeout: '0s' is not between 1s and 1d" in load(CHUNKS, url, "--timeout", "0s", code=2)


class Late(Proxy):
    """Says success, and adds to the answers that `is_hit` chooses."""

    def __init__(self, port, is_hit, addition, headers=b""):
        self.is_hit, self.addition, self.headers = is_hit, addition, headers
        super().__init__(port)

    def ask(self, head, body):
        answer = super().ask(head, body)
        if not self.is_hit(head + body):
            return answer
        _, _, rest = answer.partition(b"\r\n\r\n")
        if b"chunked" in answer.partition(b"\r\n\r\n")[0]:
            rest = b"".join(chunks_of(rest))
        rest += self.addition
        return (b"HTTP/1.1 200 OK\r\n" + self.headers + b"Content-Length: "
                + str(len(rest)).encode() + b"\r\n\r\n" + rest)


def chunks_of(body):
    while True:
        size, _, body = body.partition(b"\r\n")
        length = int(size, 16)
        if length == 0:
            return
        yield body[:length]
        body = body[length + 2:]


MEMORY = (b"Code: 241. DB::Exception: Memory limit (total) exceeded: would use 3.00 GiB. "
          b"(MEMORY_LIMIT_EXCEEDED) (version 26.7.2.1 (official build))\n")
LATE = {
    "plain": (b"", MEMORY),
    "tagged": (b"X-ClickHouse-Exception-Tag: dmrdfnujjqvszhav\r\n",
               b"\r\n__exception__\r\ndmrdfnujjqvszhav\r\n" + MEMORY + b"146 dmrdfnujjqvszhav\r\n"
               b"__exception__\r\n"),
}


@pytest.mark.parametrize("form", LATE)
def test_an_exception_after_the_answer_has_begun(server, form):
    """Success in the headers, rows, then an exception: no profile of half of the rows."""
    load(CHUNKS, server.url, "--create")
    headers, addition = LATE[form]
    proxy = Late(server.port, lambda text: b"row_number()" in text, addition, headers)
    text = ask(Place(proxy.url(server.database)), "flamegraph", "-p", "cpu", "--format", "stacks",
               code=1)
    proxy.close()
    assert "Memory limit (total) exceeded" in text and "version" not in text
    # Text like it that is no exception is a text.
    label = MEMORY.decode().strip()
    load(KINDS, server.url, "--label", f"error={label}")
    assert label in ask(server, "list")
    assert stacks(server, "-p", "all", "--where", f"error={label}") == of_recordings(KINDS)


def test_an_exception_after_an_insert_is_no_success(server):
    load(CHUNKS, server.url, "--create", "-p", "lock")
    server.query("TRUNCATE TABLE profile_chunks")
    proxy = Late(server.port, lambda text: b"profile_samples" in text.split(b"\r\n")[0], MEMORY)
    text = refused(proxy.url(server.database))
    proxy.close()
    assert "Memory limit" in text
    proxy = Late(server.port, lambda text: b"profile_samples" in text.split(b"\r\n")[0], b"<p>hi</p>")
    text = refused(proxy.url(server.database))
    proxy.close()
    assert "no ClickHouse" in text and "<p>hi</p>" in text
    assert not stored_sums(server)
    load(CHUNKS, server.url)
    assert stored_sums(server) == sums_of(CHUNKS)


def test_an_answer_that_ends_too_early(server):
    load(CHUNKS, server.url, "--create")

    proxy = Proxy(server.port, after=lambda line: "cut" if "row_number()" in line else None)
    text = ask(Place(proxy.url(server.database)), "flamegraph", "-p", "cpu", "--format", "stacks",
               code=1)
    proxy.close()
    assert "cannot be reached" in text
