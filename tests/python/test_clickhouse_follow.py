"""Folders that are followed from Python."""

import shutil
import subprocess
import sys
import textwrap
import threading
import time

import database
import pytest

import jfrtree
from jfrtree import clickhouse, testing


class Enough(Exception):
    pass


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with database.server(tmp_path_factory.mktemp("server")) as started:
        yield started


@pytest.fixture(params=["folder", "server"])
def place(request, tmp_path):
    """An empty database."""
    if request.param == "folder":
        pytest.importorskip("chdb")
        return str(tmp_path / "profiles.chdb")
    started = request.getfixturevalue("server")
    name = "db_" + "".join(letter for letter in tmp_path.name if letter.isalnum())
    started.query(f"CREATE DATABASE {name}")
    return f"{started.url}/?database={name}"


@pytest.fixture
def followed(tmp_path):
    folder = tmp_path / "followed"
    folder.mkdir()
    return folder


def count_of(place, kind, **where):
    with clickhouse.connect(place) as connection:
        return connection.profile(kind, where=where or None).count


def test_what_is_there_is_loaded_once(testdata, followed, place):
    shutil.copy(testdata / "jdk17-mixed.jfr", followed / "cart-1.jfr")
    (followed / "below").mkdir()
    shutil.copy(testdata / "jdk17-chunks.jfr", followed / "below" / "shop-1.jfr")
    recordings = {name: jfrtree.open(testdata / f"jdk17-{path}.jfr")
                  for name, path in (("cart", "mixed"), ("shop", "chunks"))}
    told = []
    result = clickhouse.follow(followed, place, until_idle="0", create=True, news=told.append,
                               label_from_path="(?P<service>[a-z]+)-[0-9]+[.]jfr",
                               labels={"zone": "a"}, kinds=["cpu", "lock"], bucket="1m")
    chunks = sum(len(one.info.chunks) for one in recordings.values())
    assert (result.chunks, result.skipped_chunks, result.problems) == (chunks, 0, ())
    assert sum(one.chunks for one in told) == chunks
    assert sum(one.sample_rows for one in told) == result.sample_rows > 0
    assert sum(one.bytes for one in told) == result.bytes > 0
    assert result.samples == {
        kind: sum(one.info.profiles[kind].samples for one in recordings.values()
                  if kind in one.profiles) for kind in ("cpu", "lock")}
    for service, recording in recordings.items():
        assert count_of(place, "cpu", service=service, zone="a") == recording.profile("cpu").count

    again = clickhouse.follow([followed], place, until_idle="0", kinds=["cpu", "lock"],
                              label_from_path="(?P<service>[a-z]+)-[0-9]+[.]jfr",
                              labels={"zone": "a"})
    assert (again.chunks, again.skipped_chunks, again.sample_rows) == (0, chunks, 0)


def test_files_that_come_later_and_an_end_by_the_caller(mixed, followed, place):
    told = []

    def put():
        time.sleep(0.3)
        shutil.copy(mixed, followed / "late.jfr.part")
        (followed / "late.jfr.part").rename(followed / "late.jfr")

    def news(what):
        told.append((threading.get_ident(), what))
        if what.chunks:
            raise Enough

    with clickhouse.connect(place) as connection:
        connection.create_tables()
        # The file comes only if other threads of Python run meanwhile.
        putting = threading.Thread(target=put)
        putting.start()
        with pytest.raises(Enough):
            clickhouse.follow(followed, connection, poll="50ms", news=news)
        putting.join()
        assert connection.profile("cpu").count == jfrtree.open(mixed).profile("cpu").count
    assert {thread for thread, _ in told} == {threading.get_ident()}
    assert [what.chunks for _, what in told if what.chunks] == [1]


INTERRUPTED = """
    import os, signal, sys, threading, time
    import jfrtree

    signal.signal(signal.SIGINT, signal.default_int_handler)
    told = []
    pressed = []

    def press():
        time.sleep(float(sys.argv[3]))
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    def news(what):
        told.append(what.chunks)
        if not pressed and len(told) == 1:
            threading.Thread(target=press).start()

    try:
        jfrtree.clickhouse.follow(sys.argv[2], sys.argv[1], create=True, poll="20ms", news=news,
                                  kinds=["cpu"])
    except KeyboardInterrupt:
        print(time.monotonic() - pressed[0], sum(told))
"""


@pytest.fixture(scope="module")
def recordings():
    return [testing.random_recording(seed=seed, kinds=["cpu"], chunks=1, samples=200, stacks=20,
                                     start_ns=(1_700_000_000 + seed) * 1_000_000_000)
            for seed in range(20)]


@pytest.mark.parametrize("seconds", ["0", "0.05", "0.5"])
def test_ctrl_c_loses_nothing(recordings, followed, place, seconds):

    def put():
        for number, recording in enumerate(recordings):
            recording.write(followed / f"{number}.part")
            (followed / f"{number}.part").rename(followed / f"{number}.jfr")
            time.sleep(0.02)

    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(INTERRUPTED), place, followed, seconds],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    put()
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    time_taken, told = out.split()
    # The batch at hand may take ten seconds, a busy machine longer.
    assert float(time_taken) < 30
    with clickhouse.connect(place) as connection:
        loaded = sum(row["chunks"] for row in connection.catalogue().recordings)
    assert int(told) == loaded > 0

    rest = clickhouse.follow(followed, place, until_idle="0", kinds=["cpu"])
    assert (rest.chunks, rest.skipped_chunks) == (len(recordings) - loaded, loaded)
    assert rest.undone_loads == 0
    totals = [recording.totals()["cpu"].count for recording in recordings]
    assert count_of(place, "cpu") == sum(totals)


def test_what_is_found_is_warned_of_and_told(mixed, followed, place):
    data = mixed.read_bytes()
    (followed / "cut.jfr").write_bytes(data[:300_000])
    (followed / "whole.jfr").write_bytes(data)
    told = []
    with pytest.warns(jfrtree.RecordingWarning, match="cut.jfr"):
        result = clickhouse.follow(followed, place, create=True, settle="10ms", poll="20ms",
                                   until_idle="200ms", news=told.append)
    assert result.problems and all(one.file == str(followed / "cut.jfr")
                                   for one in result.problems)
    assert [one for what in told for one in what.problems] == list(result.problems)
    # A warning that is to be an error ends following.
    import warnings

    with warnings.catch_warnings(), pytest.raises(jfrtree.RecordingWarning):
        warnings.simplefilter("error")
        clickhouse.follow(followed, place, settle="10ms", poll="20ms")


def test_a_server_that_is_away_is_waited_for(followed):
    told = []

    def news(what):
        told.extend(what.messages)
        raise Enough

    url = "http://127.0.0.1:9"
    with pytest.raises(Enough):
        clickhouse.follow(followed, url, news=news)
    assert len(told) == 1 and "trying again until it works" in told[0]
    with pytest.raises(jfrtree.DatabaseError) as raised:
        clickhouse.follow(followed, url, retries=0)
    assert raised.value.fault == "unreachable"


def test_wrong_arguments(followed, tmp_path, server):
    # What is wrong is said before a server is waited for.
    away = "http://127.0.0.1:9"
    for options, error, text in (
            ({"poll": "5ms"}, jfrtree.UsageError, "poll: '5ms' is not between 10ms and 1d"),
            ({"settle": "2d"}, jfrtree.UsageError, "settle: '2d' is not between 0 and 1d"),
            ({"until_idle": "soon"}, jfrtree.UsageError, "until_idle: 'soon'"),
            ({"until_idle": 5}, TypeError, "until_idle"),
            ({"start": "+10s"}, jfrtree.UsageError, "start: of a folder"),
            ({"end": "-10s"}, jfrtree.UsageError, "end: of a folder"),
            ({"label_from_path": "("}, jfrtree.UsageError, "label_from_path"),
            ({"labels": {"a": 1}}, TypeError, "labels"),
            ({"limits": {"nonsense": 1}}, jfrtree.UsageError, "nonsense"),
            ({"threads": 0}, jfrtree.UsageError, "threads"),
            ({"news": 5}, TypeError, "news"),
            ({"force": True}, TypeError, "force"),
            ({"strict": True}, TypeError, "strict")):
        with pytest.raises(error, match=text):
            clickhouse.follow(followed, away, **options)
    with pytest.raises(jfrtree.IoError, match="missing: cannot follow a folder"):
        clickhouse.follow(tmp_path / "missing", away)
    with pytest.raises(jfrtree.UsageError, match="no folder"):
        clickhouse.follow([], away)
    (tmp_path / "file").touch()
    with pytest.raises(jfrtree.IoError, match="no folder"):
        clickhouse.follow(tmp_path / "file", away)
    server.query("CREATE DATABASE without_tables")
    with pytest.raises(jfrtree.DatabaseError) as raised:
        clickhouse.follow(followed, server.url + "/?database=without_tables", until_idle="0")
    assert raised.value.fault == "missing_table"
