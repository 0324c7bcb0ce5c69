"""A server behind TLS: what is trusted, what is said of the rest, and a tunnel that goes away."""

import pytest
from engine import Server
from program import TESTDATA, load, run, start, stored_sums, sums_of
from queries import ask, stacks
from test_server_load import Proxy
from tls import Authority, Tunnel, find_stunnel

CHUNKS = TESTDATA / "jdk17-chunks.jfr"
PASSWORD = "top secret&"
USERS = """<clickhouse><users_config>users.xml</users_config>
<user_directories><users_xml><path>{path}</path></users_xml></user_directories></clickhouse>"""
ACCOUNTS = """<clickhouse><profiles><default/></profiles><quotas><default/></quotas><users>
<default><password/><networks><ip>::/0</ip></networks><profile>default</profile></default>
<loader><password>top secret&amp;</password><networks><ip>::/0</ip></networks>
<profile>default</profile></loader></users></clickhouse>"""


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    find_stunnel()
    made = Authority(tmp_path_factory.mktemp("certificates"))
    made.sign("server", "IP:127.0.0.1")
    made.sign("elsewhere", "DNS:clickhouse.example.org")
    return made


@pytest.fixture(scope="module")
def started(library, tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    (folder / "users.xml").write_text(ACCOUNTS)
    (folder / "config.xml").write_text(USERS.format(path=folder / "users.xml"))
    server = Server(library, folder / "db", str(folder / "config.xml"))
    yield server
    server.stop()


@pytest.fixture
def plain(started, request):
    """The server without TLS, with a database of the test's own."""
    name = request.node.name.split("[")[0]
    started.query(f"CREATE DATABASE IF NOT EXISTS {name}")

    class Plain:
        port = started.http
        database = name
        url = f"{started.url}/?database={name}"

        @staticmethod
        def query(sql):
            return started.query(sql, database=name)

    return Plain


@pytest.fixture
def tunnel_to(authority):
    tunnels = []

    def make(target, name="server", port=None):
        tunnels.append(Tunnel(authority, name, target, port))
        return tunnels[-1]

    yield make
    for tunnel in tunnels:
        if tunnel.process.poll() is None:
            tunnel.stop()


class Place:
    def __init__(self, url):
        self.url = url


def account(url, database):
    return url.replace("//", "//loader:top%20secret%26@") + f"/?database={database}"


def refused(url, *arguments):
    """What `load` and `list` say, both without the password and with exit code 1."""
    texts = [load(CHUNKS, url, "--retries", "0", *arguments, code=1),
             run("clickhouse", "list", "--db", url, *arguments, code=1)]
    for text in texts:
        assert "secret" not in text
        assert text.count("\n") == 1
    return texts


def test_load_and_query(plain, authority, tunnel_to):
    url = account(tunnel_to(plain.port).url, plain.database)
    trust = ["--ca-file", authority.file]
    assert "4 chunks" in load(CHUNKS, url, "--create", *trust)
    assert "skipped 4 chunks" in load(CHUNKS, url, *trust)
    assert stored_sums(plain) == sums_of(CHUNKS)
    by_tls = stacks(Place(url), "-p", "all", *trust)
    assert by_tls and by_tls == stacks(plain, "-p", "all")
    assert str(CHUNKS) in ask(Place(url), "list", *trust)
    wrong = url.replace("top%20secret%26", "wrong%20secret")
    for text in refused(wrong, *trust):
        assert "Authentication failed" in text and "CLICKHOUSE_PASSWORD" in text


def test_a_certificate_that_is_not_trusted(plain, authority, tunnel_to):
    url = account(tunnel_to(plain.port).url, plain.database)
    for text in refused(url):
        assert "certificate" in text and "--ca-file" in text
    other = Authority(authority.folder / "other")
    for text in refused(url, "--ca-file", other.file):
        assert "certificate" in text
    for text in refused(url, "--ca-file", authority.folder / "absent.pem"):
        assert "absent.pem" in text
    assert plain.query("SHOW TABLES") == ""


def test_a_certificate_of_another_host(plain, authority, tunnel_to):
    url = account(tunnel_to(plain.port, "elsewhere").url, plain.database)
    for text in refused(url, "--ca-file", authority.file):
        assert "127.0.0.1" in text and "subject" in text
        assert "--ca-file" not in text
    assert plain.query("SHOW TABLES") == ""


def test_plain_http_to_the_port_of_tls(plain, authority, tunnel_to):
    url = account(tunnel_to(plain.port).url.replace("https", "http"), plain.database)
    for text in refused(url):
        assert "https://" in text


def test_tls_to_the_plain_port(plain, authority):
    url = account(f"https://127.0.0.1:{plain.port}", plain.database)
    for text in refused(url, "--ca-file", authority.file):
        assert "http://" in text


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_tunnel_that_ends_in_the_middle(plain, authority, tunnel_to, when):
    """Once before the server has the samples, once after; a new tunnel comes soon."""
    plain.query("DROP TABLE IF EXISTS profile_samples")
    load(CHUNKS, plain.url, "--create", "-p", "lock")
    for table in ("profile_chunks", "profile_samples", "profile_samples_1h"):
        plain.query(f"TRUNCATE TABLE {table}")
    tunnels = []

    def stop_tunnel(line):
        if "INSERT INTO profile_samples " in line and len(tunnels) == 1:
            tunnels[0].stop()
            tunnels.append(tunnel_to(proxy.port, port=tunnels[0].port))
            return "close"
        return None

    proxy = Proxy(plain.port, **{when: stop_tunnel})
    tunnels.append(tunnel_to(proxy.port))
    loader = start("clickhouse", "load", CHUNKS, "--db",
                   account(tunnels[0].url, plain.database), "--ca-file", authority.file)
    output, messages = loader.communicate(timeout=120)
    proxy.close()
    assert loader.returncode == 0, messages
    assert len(tunnels) == 2 and "trying again" in messages and "secret" not in messages + output
    assert stored_sums(plain) == sums_of(CHUNKS)
    for table in ("profile_samples_1h",):
        assert plain.query(f"SELECT sum(count) FROM {table}") == \
            plain.query("SELECT sum(count) FROM profile_samples")


def test_a_tunnel_that_ends_and_does_not_come_back(plain, authority, tunnel_to):
    load(CHUNKS, plain.url, "--create", "-p", "lock")
    plain.query("TRUNCATE TABLE profile_chunks")

    def stop_tunnel(line):
        if "INSERT INTO profile_samples " in line:
            tunnel.stop()
            return "close"
        return None

    proxy = Proxy(plain.port, before=stop_tunnel)
    tunnel = tunnel_to(proxy.port)
    url = account(tunnel.url, plain.database)
    text = load(CHUNKS, url, "--retries", "1", "--ca-file", authority.file, code=1)
    proxy.close()
    assert "cannot be reached" in text and "secret" not in text
    assert not stored_sums(plain)
    assert "undid 4 loads" in load(CHUNKS, plain.url)
    assert stored_sums(plain) == sums_of(CHUNKS)
