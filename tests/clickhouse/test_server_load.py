"""Loading into a server: what a network adds."""

import contextlib
import json
import signal
import socket
import threading
import urllib.parse

import pytest
from engine import Server
from ports import free_ports
from program import TESTDATA, load, run, start, stored_sums, sums_of

CHUNKS = TESTDATA / "jdk17-chunks.jfr"
MIXED = TESTDATA / "jdk17-mixed.jfr"


class Proxy:
    """Passes requests on to a server. `before` and `after` are called with the beginning of each,
    before and after the server has answered; where they return "close" the client gets nothing,
    and a part of the answer where `after` returns "cut"."""

    def __init__(self, port, before=None, after=None):
        self.target = port
        self.before = before or (lambda line: None)
        self.after = after or (lambda line: None)
        self.lines = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.pass_on, args=(client,), daemon=True).start()

    def pass_on(self, client):
        with contextlib.suppress(ConnectionError), client, client.makefile("rb") as stream:
            while True:
                head = b""
                while not head.endswith(b"\r\n\r\n"):
                    line = stream.readline()
                    if not line:
                        return
                    head += line
                body = b""
                while not body.endswith(b"0\r\n\r\n"):
                    size = stream.readline()
                    body += size + stream.read(int(size, 16) + 2)
                line = urllib.parse.unquote(head.split(b"\r\n", 1)[0].decode())
                line += " " + body[:2000].decode(errors="replace")
                self.lines.append(line)
                if self.before(line) == "close":
                    return
                answer = self.ask(head, body)
                what = self.after(line)
                if what == "close":
                    return
                if what == "cut":
                    client.sendall(answer[:-20])
                    return
                client.sendall(answer)

    def ask(self, head, body):
        with socket.create_connection(("127.0.0.1", self.target)) as server:
            head = head.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
            server.sendall(head + body)
            parts = []
            while part := server.recv(1 << 16):
                parts.append(part)
        return b"".join(parts).replace(b"Connection: Close", b"Connection: close")

    def url(self, database):
        return f"http://127.0.0.1:{self.port}/?database={database}"

    def close(self):
        self.listener.close()


@pytest.fixture
def proxy_to(server):
    proxies = []

    def make(**callbacks):
        proxies.append(Proxy(server.port, **callbacks))
        return proxies[-1]

    yield make
    for proxy in proxies:
        proxy.close()


@pytest.mark.parametrize("compression", ["zstd", "lz4", "gzip", "none"])
def test_a_recording_comes_back_exactly(server, compression):
    text = load(MIXED, server.url, "--create", "--compression", compression)
    assert "1 chunk," in text
    assert stored_sums(server) == sums_of(MIXED)
    assert "skipped 1 chunk" in load(MIXED, server.url)


def test_two_loaders_at_once_count_once(server):
    load(CHUNKS, server.url, "--create", "-p", "lock")
    server.query("TRUNCATE TABLE profile_chunks")
    loaders = [start("clickhouse", "load", CHUNKS, "--db", server.url) for _ in range(4)]
    for loader in loaders:
        _, messages = loader.communicate(timeout=120)
        assert loader.returncode == 0, messages
    assert stored_sums(server) == sums_of(CHUNKS)
    assert server.query("SELECT count(), uniq(chunk_hash) FROM profile_loads "
                        "WHERE last_state = 'committed'") == "4\t4\n"
    assert server.query("SELECT count() FROM profile_loads WHERE last_state = 'started'") == "0\n"


@pytest.mark.parametrize("table", ["profile_stacks", "profile_samples_1h", "profile_samples"])
def test_a_loader_killed_in_the_middle_leaves_nothing_and_can_be_repeated(server, proxy_to, table):
    load(CHUNKS, server.url, "--create", "-p", "lock")
    server.query("TRUNCATE TABLE profile_chunks")
    killed = []

    def kill(line):
        if f"INSERT INTO {table} " in line and not killed:
            killed.append(loader.pid)
            loader.send_signal(signal.SIGKILL)

    proxy = proxy_to(after=kill)
    loader = start("clickhouse", "load", CHUNKS, "--db", proxy.url(server.database))
    loader.communicate(timeout=60)
    assert loader.returncode == -signal.SIGKILL
    # The rows are there, and count nothing.
    if table != "profile_stacks":
        assert server.query(f"SELECT uniq(load_id) FROM {table}") == "4\n"
    assert not stored_sums(server)
    text = load(CHUNKS, server.url)
    assert "undid 4 loads" in text
    assert stored_sums(server) == sums_of(CHUNKS)
    samples = sum(map(int, server.query("SELECT sum(samples) FROM profile_recordings").split()))
    for each in ("profile_samples_1h", "profile_samples"):
        assert server.query(f"SELECT uniq(load_id), sum(count) FROM {each}") == f"4\t{samples}\n"


@pytest.mark.parametrize("table", ["profile_samples_1h", "profile_samples"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_connection_that_breaks_is_tried_again_and_counts_once(server, proxy_to, when, table):
    broken = []

    def close_once(line):
        if f"INSERT INTO {table} " in line and not broken:
            broken.append(line)
            return "close"
        return None

    proxy = proxy_to(**{when: close_once})
    text = load(CHUNKS, proxy.url(server.database), "--create")
    assert broken and "trying again" in text
    assert stored_sums(server) == sums_of(CHUNKS)
    assert server.query("SELECT sum(count) FROM profile_samples_1h") == \
        server.query("SELECT sum(count) FROM profile_samples")


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("statement", ["SELECT comment", "CREATE TABLE IF NOT EXISTS profile_stacks",
                                       "VIEW IF NOT EXISTS profile_samples_to_1h", "INSERT INTO profile_chunks"],
                         ids=["check", "table", "view", "ledger"])
def test_a_connection_that_breaks_early_is_tried_again(server, proxy_to, when, statement):
    broken = []

    def close_once(line):
        if statement in line and not broken:
            broken.append(line)
            return "close"
        return None

    proxy = proxy_to(**{when: close_once})
    text = load(CHUNKS, proxy.url(server.database), "--create")
    assert broken and "4 chunks" in text and "rewind" not in text
    assert stored_sums(server) == sums_of(CHUNKS)


def test_a_loader_of_another_machine_is_waited_for_an_hour(server):
    load(CHUNKS, server.url, "--create")
    started = ("INSERT INTO profile_chunks SELECT * REPLACE ('started' AS state, 1 AS load_id, "
               "'loader elsewhere 1 1' AS notes, now64(6) - INTERVAL {} MINUTE AS changed) "
               "FROM (SELECT * FROM profile_chunks WHERE state = 'committed')")
    rows = server.query("SELECT count() FROM profile_chunks WHERE state = 'committed'")
    assert rows == "4\n"
    server.query(started.format(50))
    server.query("ALTER TABLE profile_chunks DELETE WHERE load_id != 1 "
                 "SETTINGS mutations_sync = 2")
    text = load(CHUNKS, server.url)
    assert "left 4 chunks to another loader" in text
    server.query("TRUNCATE TABLE profile_chunks")
    server.query("TRUNCATE TABLE profile_samples")
    load(CHUNKS, server.url)
    server.query(started.format(70))
    server.query("ALTER TABLE profile_chunks DELETE WHERE load_id != 1 "
                 "SETTINGS mutations_sync = 2")
    server.query("TRUNCATE TABLE profile_samples")
    assert "undid 4 loads" in load(CHUNKS, server.url)
    assert stored_sums(server) == sums_of(CHUNKS)


def test_messages_about_a_server_that_is_not_there():
    port, = free_ports(1)
    text = load(CHUNKS, f"http://me:secret@127.0.0.1:{port}", "--retries", "0", code=1)
    assert "cannot be reached" in text and str(port) in text and "secret" not in text


def test_messages_about_tables_and_users(server):
    text = load(CHUNKS, server.url, code=1)
    assert "no table profile_samples" in text and "--create" in text
    text = load(CHUNKS, server.url.replace("//", "//nobody:secret@"), code=1)
    assert "nobody" in text and "CLICKHOUSE_PASSWORD" in text and "secret" not in text
    text = load(CHUNKS, server.url, code=1, environment={"CLICKHOUSE_USER": "nobody",
                                                         "CLICKHOUSE_PASSWORD": "secret"})
    assert "Authentication failed" in text and "secret" not in text
    text = load(CHUNKS, server.url.replace(server.database, "nowhere"), code=1)
    assert "nowhere" in text


USERS = """<clickhouse><users_config>users.xml</users_config>
<user_directories><users_xml><path>{path}</path></users_xml></user_directories></clickhouse>"""
ACCOUNTS = """<clickhouse><profiles><default/><reader><readonly>1</readonly></reader></profiles>
<quotas><default/></quotas><users>
<default><password/><networks><ip>::/0</ip></networks><profile>default</profile></default>
<loader><password>pass word&amp;</password><networks><ip>::/0</ip></networks>
<profile>default</profile></loader>
<reader><password>r</password><networks><ip>::/0</ip></networks><profile>reader</profile></reader>
</users></clickhouse>"""


def test_passwords_and_users_that_may_only_read(library, tmp_path):
    users = tmp_path / "users.xml"
    users.write_text(ACCOUNTS)
    config = tmp_path / "config.xml"
    config.write_text(USERS.format(path=users))
    server = Server(library, tmp_path / "db", str(config))
    try:
        password = tmp_path / "password"
        password.write_text("pass word&\n")
        load(CHUNKS, server.url, "--create", "--user", "loader", "--password-file", password)
        by_url = server.url.replace("//", "//loader:pass%20word%26@")
        assert "skipped 4 chunks" in load(CHUNKS, by_url)
        text = load(CHUNKS, server.url, "--user", "loader", "--retries", "0", code=1)
        assert "Authentication failed" in text
        text = load(MIXED, server.url.replace("//", "//reader:r@"), code=1)
        assert "readonly" in text.lower() or "read only" in text.lower() or "may only be read" in text
    finally:
        server.stop()


def serve_text(text, status="200 OK"):
    listener = socket.create_server(("127.0.0.1", 0))

    def answer():
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            with client:
                client.recv(1 << 16)
                client.sendall(f"HTTP/1.1 {status}\r\nContent-Length: {len(text)}\r\n"
                               f"Connection: close\r\n\r\n{text}".encode())

    threading.Thread(target=answer, daemon=True).start()
    return listener, f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_an_old_server_is_refused_with_words():
    listener, url = serve_text("23.8.16.1\n")
    text = load(CHUNKS, url, code=1)
    listener.close()
    assert "23.8.16.1" in text and "24.8" in text


def test_a_server_that_is_something_else_is_refused():
    listener, url = serve_text("<html>hello</html>")
    text = load(CHUNKS, url, code=1)
    listener.close()
    assert "24.8" in text


def test_labels_arrive_unchanged_by_http(server):
    value = "it's \"quoted\" \\ and\ttabbed\n😀"
    load(CHUNKS, server.url, "--create", "--label", f"odd={value}", "--label", "host=a'\\b")
    stored = server.query("SELECT DISTINCT labels['odd'] AS odd FROM profile_samples "
                          "FORMAT JSONEachRow")
    assert json.loads(stored)["odd"] == value
    hosts = server.query("SELECT DISTINCT host FROM profile_recordings FORMAT JSONEachRow")
    assert json.loads(hosts)["host"] == "a'\\b"


CLUSTER = """<clickhouse><remote_servers><two>
<shard><replica><host>127.0.0.1</host><port>{}</port></replica></shard>
<shard><replica><host>127.0.0.1</host><port>{}</port></replica></shard>
</two></remote_servers></clickhouse>"""


def test_a_cluster_of_two_shards(library, tmp_path):
    ports = free_ports(4)
    config = tmp_path / "cluster.xml"
    config.write_text(CLUSTER.format(ports[1], ports[3]))
    servers = [Server(library, tmp_path / f"db{i}", str(config), ports[2 * i:2 * i + 2])
               for i in range(2)]
    try:
        # ON CLUSTER needs a Keeper, and a queue of statements that servers of the library do not
        # start: they refuse it with code 392, or 139. So the statements are run on each shard.
        schema = run("clickhouse", "schema", "--cluster", "two")
        lines = [line for line in schema.splitlines() if not line.startswith("--")]
        assert " ON CLUSTER `two`" in schema
        for statement in "\n".join(lines).replace(" ON CLUSTER `two`", "").split(";\n"):
            for server in servers if statement.strip(" ;\n") else []:
                server.query(statement)
        load(MIXED, servers[0].url, "--cluster", "two")
        assert "skipped 1 chunk" in load(MIXED, servers[1].url, "--cluster", "two")
        counts = {}
        for (kind, _), number in ((key[0], number) for key, number in sums_of(MIXED).items()
                                  if key[1] == "count"):
            counts[kind] = counts.get(kind, 0) + number
        for table in ("profile_samples", "profile_samples_1h"):
            rows = servers[1].query(f"SELECT kind, sum(count) FROM {table} GROUP BY kind")
            assert {kind: int(count) for kind, count in
                    (row.split("\t") for row in rows.splitlines())} == counts
        shares = [int(server.query("SELECT count() FROM profile_samples_local"))
                  for server in servers]
        assert all(shares) and sum(shares) == int(
            servers[0].query("SELECT count() FROM profile_samples"))
        assert servers[0].query("SELECT count() FROM profile_stacks") == \
            servers[0].query("SELECT uniq(stack_hash) FROM profile_samples")
    finally:
        for server in servers:
            server.stop()
