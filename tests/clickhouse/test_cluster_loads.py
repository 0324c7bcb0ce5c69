"""Loading into a cluster without a Keeper: once, whatever happens in between."""

import collections
import itertools
import random
import signal
import threading

import pytest
from cluster import NAME, Cluster
from program import TESTDATA, load, run, start
from queries import schema_statements, stacks
from test_queries import of_recordings
from test_server_load import Proxy

CHUNKS = TESTDATA / "jdk17-chunks.jfr"
ON_CLUSTER = f" ON CLUSTER `{NAME}`"
SHOWN = ("SELECT uniq(load_id), sum(count) FROM profile_samples WHERE load_id GLOBAL NOT IN "
         "(SELECT load_id FROM profile_hidden_loads)")


@pytest.fixture(scope="module")
def started(library, tmp_path_factory):
    made = Cluster(library, tmp_path_factory.mktemp("cluster"))
    yield made
    made.stop()


@pytest.fixture
def shards(started):
    started.empty()
    return started.servers


def load_into(server, *arguments, **options):
    return load(CHUNKS, server.url, "--cluster", NAME, *arguments, **options)


def expected():
    return of_recordings(CHUNKS)


def check(shards):
    """Each shard answers with the recording as it is, and its coarse tables have the same sums."""
    for server in shards:
        assert stacks(server, "-p", "all") == expected()
    sums = [shards[0].query(SHOWN.replace("profile_samples", table).replace("uniq(load_id), ", "")
                            + " AND kind NOT IN (SELECT kind FROM profile_kinds WHERE is_snapshot)")
            for table in ("profile_samples", "profile_samples_1h")]
    assert len(set(sums)) == 1 and int(sums[0]) > 0


def test_loaded_twice_and_by_several_at_once(shards):
    loaders = [start("clickhouse", "load", CHUNKS, "--db", shards[number % 2].url, "--cluster", NAME)
               for number in range(4)]
    for loader in loaders:
        _, messages = loader.communicate(timeout=120)
        assert loader.returncode == 0, messages
    check(shards)
    assert "skipped 4 chunks" in load_into(shards[1])
    check(shards)
    assert shards[0].query("SELECT count(), uniq(chunk_hash) FROM profile_loads WHERE last_state = "
                           "'committed'") == "4\t4\n"


def test_killed_at_any_request_and_loaded_again(started, shards):
    """Before or after the server has answered: what shows is all of a load, or nothing."""
    chance = random.Random(7)
    load_into(shards[0])
    sizes = [int(size) for size in shards[0].query(
        "SELECT sum(count) FROM profile_samples GROUP BY load_id").split()]
    wholes = {(number, sum(some)) for number in range(len(sizes) + 1)
              for some in itertools.combinations(sizes, number)}
    undone = 0
    requests = collections.Counter()
    for number in range(1, 100):
        started.empty()
        requests.clear()
        when = chance.choice(["before", "after"])

        def kill(_):
            requests["seen"] += 1
            if requests["seen"] == number:
                requests["killed"] = 1
                loader.send_signal(signal.SIGKILL)

        proxy = Proxy(shards[0].http, **{when: kill})
        loader = start("clickhouse", "load", CHUNKS, "--db", f"http://127.0.0.1:{proxy.port}/",
                       "--cluster", NAME)
        loader.communicate(timeout=120)
        proxy.close()
        # A chunk shows as a whole, or not at all.
        loads, count = map(int, shards[1].query(SHOWN).split())
        assert (loads, count) in wholes
        if not requests["killed"]:
            assert loader.returncode == 0
            break
        undone += "undid" in load_into(shards[number % 2])
        check(shards[number % 2:][:1])
    assert number > 6 and undone > 2


def test_loads_are_replaced(started, shards):
    load_into(shards[0], "--bucket", "1h")
    proxy = Proxy(shards[0].http)
    text = load(CHUNKS, f"http://127.0.0.1:{proxy.port}/", "--cluster", NAME, "--force", "--bucket",
                "1s")
    proxy.close()
    assert "4 chunks (4 replaced)" in text and "without a Keeper they cannot be deleted" in text
    # Where there is a Keeper, rows are deleted on all shards.
    deleted = [line for line in proxy.lines if "ALTER TABLE" in line]
    assert len(deleted) == 1
    assert f"ALTER TABLE profile_samples_local{ON_CLUSTER} DELETE WHERE load_id IN (" in deleted[0]
    check(shards)
    assert "skipped 4 chunks" in load_into(shards[0])
    # The statements of docs/clickhouse.md.
    assert shards[0].query("SELECT uniq(load_id) FROM profile_samples") == "8\n"
    loads = shards[0].query("SELECT arrayStringConcat(groupArray(toString(load_id)), ',') FROM "
                            "profile_loads WHERE last_state = 'replaced'")
    for server in shards:
        for table in ("profile_samples", "profile_samples_1h", "profile_bytes"):
            server.query(f"ALTER TABLE {table}_local DELETE WHERE load_id IN ({loads}) SETTINGS "
                         "mutations_sync = 2")
    assert shards[0].query("SELECT uniq(load_id) FROM profile_samples") == "4\n"
    check(shards)


def test_a_shard_that_is_gone_for_a_moment(started, shards):
    stopped = []

    def stop_shard(line):
        if "INSERT INTO profile_samples " in line and not stopped:
            started.servers[1].stop()
            stopped.append(threading.Timer(0.5, started.start, [1]))
            stopped[0].start()

    proxy = Proxy(shards[0].http, before=stop_shard)
    text = load(CHUNKS, f"http://127.0.0.1:{proxy.port}/", "--cluster", NAME, "--retries", "8")
    proxy.close()
    stopped[0].join()
    assert "trying again" in text
    check(started.servers)


def test_tables_are_made_on_each_shard_where_there_is_no_keeper(shards):
    shards[0].query("CREATE DATABASE fresh")
    url = shards[0].url + "/?database=fresh"
    text = load(CHUNKS, url, "--cluster", NAME, "--create", code=1)
    assert "need a Keeper" in text and "schema --cluster NAME --each-shard" in text
    assert shards[0].query("SHOW TABLES FROM fresh") == ""
    for more in ([], ["--create"]):
        text = load(CHUNKS, shards[0].url, "--cluster", "nowhere", *more, code=1)
        assert "knows no cluster nowhere; there are " in text and NAME in text
    text = run("clickhouse", "schema", "--each-shard", code=2)
    assert "--each-shard: needs --cluster" in text


@pytest.mark.parametrize("model", ["hashed", "otel_profiles"])
def test_every_statement_is_for_the_cluster(model):
    statements = list(schema_statements("--cluster", NAME, "--model", model))
    assert statements and all(statement.count(ON_CLUSTER) == 1 for statement in statements)
    each = list(schema_statements("--cluster", NAME, "--model", model, "--each-shard"))
    assert each == [statement.replace(ON_CLUSTER, "") for statement in statements]
    tables = {line.split()[5] for line in each if line.startswith("CREATE TABLE")}
    assert {name for name in tables if not name.endswith("_local")} == \
        {name.removesuffix("_local") for name in tables}
