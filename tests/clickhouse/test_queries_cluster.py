"""A cluster of two shards, made of two servers: what it answers is that of one database."""

import json

import pytest
from cluster import Cluster
from program import TESTDATA, load
from queries import ask, sql_of, sql_tree, stacks, tree

FILES = [TESTDATA / "jdk17-chunks.jfr", TESTDATA / "jdk17-kinds.jfr", TESTDATA / "jdk25-kinds.jfr"]


@pytest.fixture(scope="module")
def shards(library, tmp_path_factory):
    cluster = Cluster(library, tmp_path_factory.mktemp("cluster"))
    yield cluster.servers
    cluster.stop()


@pytest.fixture(scope="module")
def loaded(shards):
    for file in FILES:
        load(file, shards[0].url, "--cluster", "two")
    return shards


def test_rows_lie_on_both_shards(loaded):
    for table in ("profile_samples_local", "profile_stacks_local"):
        assert all(int(server.query(f"SELECT count() FROM {table}")) > 0 for server in loaded)


def test_either_shard_answers_for_all(loaded, embedded):
    for file in FILES:
        load(file, embedded.folder, library=embedded.library)
    expected = stacks(embedded, "-p", "all")
    for server in loaded:
        assert stacks(server, "-p", "all") == expected
        for kind in ("cpu", "live", "park"):
            arguments = ["--sample-type", "count"]
            assert tree(server, kind, *arguments) == tree(embedded, kind, *arguments)
            assert sql_tree(server, sql_of("-p", kind, *arguments)) == tree(server, kind, *arguments)


def test_list_and_kinds(loaded):
    listed = json.loads(ask(loaded[1], "list", "--json"))
    assert sorted(each["source"] for each in listed["recordings"]) == sorted(map(str, FILES))
    assert "no samples of the kind wall; stored are the kinds" in ask(
        loaded[0], "top", "-p", "wall", code=1)
