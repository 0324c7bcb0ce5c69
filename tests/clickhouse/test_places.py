"""Folders, URLs and databases that are there, are not there, or are somebody else's."""

import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest
from program import PROGRAM, TESTDATA, load, run, start, stored_sums, sums_of

MIXED = TESTDATA / "jdk17-mixed.jfr"


def test_a_missing_recording_makes_no_folder(tmp_path, library):
    folder = tmp_path / "new.chdb"
    text = run("clickhouse", "load", tmp_path / "none.jfr", "--db", folder, library=library, code=1)
    assert "none.jfr: cannot open: No such file" in text
    assert not folder.exists()


def test_reading_leaves_an_empty_folder_empty(tmp_path, library):
    text = run("clickhouse", "list", "--db", tmp_path, library=library, code=1)
    assert "the folder is empty; jfrtree clickhouse load fills it" in text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_a_folder_that_may_not_be_written_is_refused_with_words(library):
    with tempfile.TemporaryDirectory() as name:
        shown = pathlib.Path(name)
        (shown / "db" / "store").mkdir(parents=True)
        program = shutil.copy(PROGRAM, shown)
        for path in (shown, shown / "db"):
            path.chmod(0o755)
        nobody = 65534
        done = subprocess.run([program, "clickhouse", "list", "--db", shown / "db"], user=nobody,
                              group=nobody, extra_groups=[], capture_output=True, text=True)
    assert done.returncode == 1
    assert "this user may not write into the folder" in done.stderr


@pytest.mark.parametrize("place", ["localhost:8123", "127.0.0.1:8123/", "ch.example.org:9000/x"])
@pytest.mark.parametrize("command", [("load", MIXED), ("list",)])
def test_a_server_without_a_scheme_is_no_folder(tmp_path, monkeypatch, place, command):
    monkeypatch.chdir(tmp_path)
    text = run("clickhouse", *command, "--db", place, code=2)
    assert f"'{place}' would be a folder: a server is http://{place} or https://{place}" in text
    assert list(tmp_path.iterdir()) == []


def test_a_folder_may_have_such_a_name(tmp_path, monkeypatch, library):
    monkeypatch.chdir(tmp_path)
    load(MIXED, "./localhost:8123", library=library)
    assert "cpu" in run("clickhouse", "list", "--db", "localhost:8123", library=library)


def test_a_folder_that_is_open_elsewhere_is_waited_for(embedded):
    load(MIXED, embedded.folder, library=embedded.library)
    with embedded.held():
        for command in (("list",), ("load", MIXED, "--retries", "0")):
            text = run("clickhouse", *command, "--db", embedded.folder, library=embedded.library, code=1)
            assert "another process has the folder open, and only one can" in text
            assert "Code: 76" not in text
        loader = start("clickhouse", "load", TESTDATA / "jdk17-chunks.jfr", "--db", embedded.folder,
                       library=embedded.library)
        assert "waiting for it" in loader.stderr.readline()
    _, messages = loader.communicate(timeout=120)
    assert loader.returncode == 0 and "4 chunks" in messages
    assert stored_sums(embedded) == sums_of(MIXED) + sums_of(TESTDATA / "jdk17-chunks.jfr")


def test_create_makes_the_database_too(started_server):
    for number, arguments in enumerate([("--database", "a `new` one"), ()]):
        url = started_server.url + ("" if arguments else "/?database=by_url")
        assert "UNKNOWN_DATABASE" in load(MIXED, url, *arguments, code=1)
        load(MIXED, url, *arguments, "--create")
        name = "a `new` one" if arguments else "by_url"
        rows = started_server.query("SELECT count() > 0 FROM profile_samples", database=name)
        assert rows == "1\n", number


def test_the_printed_schema_makes_its_database(started_server):
    for statement in run("clickhouse", "schema", "--database", "printed").split(";\n"):
        if statement.strip():
            started_server.query(statement)
    load(MIXED, started_server.url, "--database", "printed")
    assert started_server.query("SELECT count() > 0 FROM printed.profile_samples") == "1\n"
