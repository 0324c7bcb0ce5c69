"""Following a folder that recordings are copied to."""

import collections
import gzip
import os
import pathlib
import signal
import struct

import pytest
from following import Follower, copy_slowly, wait_until
from program import TESTDATA, load, run, stored_sums, sums_of

RECORDINGS = pathlib.Path(os.environ.get("JFRTREE_RECORDINGS", "absent"))
CHUNKS = TESTDATA / "jdk17-chunks.jfr"
MIXED = TESTDATA / "jdk17-mixed.jfr"


def chunks_of(path):
    """The chunks of a recording by the sizes in their headers, as bytes."""
    data = path.read_bytes()
    chunks = []
    while data:
        size, = struct.unpack_from(">q", data, 8)
        chunks.append(data[:size])
        data = data[size:]
    return chunks


@pytest.fixture
def drop(tmp_path):
    folder = tmp_path / "drop"
    folder.mkdir()
    return folder


@pytest.fixture
def follow(server, drop):
    followers = []

    def begin(*arguments, folders=(drop,)):
        followers.append(Follower(*folders, database=server.url,
                                  arguments=("--create", *arguments)))
        return followers[-1]

    yield begin
    for follower in followers:
        if follower.process.poll() is None:
            follower.kill()


def test_files_are_loaded_as_they_come(follow, server, drop):
    (drop / "first.jfr").write_bytes(CHUNKS.read_bytes())
    (drop / ".hidden.jfr").write_bytes(MIXED.read_bytes())
    (drop / "other.jfr.part").write_bytes(MIXED.read_bytes())
    follower = follow("--label-from-path", "(?P<service>[a-z]+)[.]jfr")
    follower.wait_for_chunks(4)
    assert stored_sums(server) == sums_of(CHUNKS)
    # A rename into place, into a folder that was not there before.
    (drop / "deep" / "er").mkdir(parents=True)
    os.rename(drop / "other.jfr.part", drop / "deep" / "er" / "second.jfr")
    follower.wait_for_chunks(5)
    assert stored_sums(server) == sums_of(CHUNKS) + sums_of(MIXED)
    assert server.query("SELECT DISTINCT service FROM profile_samples ORDER BY service") == \
        "first\nsecond\n"
    # What is there already, what is no recording, and what goes away again are nothing new.
    (drop / "again.jfr").write_bytes(CHUNKS.read_bytes())
    (drop / "first.jfr").unlink()
    (drop / "third.jfr").write_bytes(chunks_of(MIXED)[0] + chunks_of(CHUNKS)[0])
    (drop / "readme.txt").write_text("text")
    text = follower.stop()
    assert follower.loaded_chunks() == 5
    assert "problem" not in text and "removed" not in text


def test_chunks_of_a_file_that_grows_are_loaded_one_by_one(follow, server, drop):
    follower = follow()
    file = drop / "growing.jfr"
    chunks = chunks_of(CHUNKS)
    assert len(chunks) == 4
    for i, chunk in enumerate(chunks):
        with open(file, "ab") as output:
            output.write(chunk[:len(chunk) // 2])
            output.flush()
            follower.wait_for_chunks(i)
            output.write(chunk[len(chunk) // 2:])
        follower.wait_for_chunks(i + 1)
    text = follower.stop()
    assert stored_sums(server) == sums_of(CHUNKS)
    # No chunk was read again.
    assert "skipped" not in text


def test_a_file_that_is_copied_slowly_is_not_damaged(follow, server, drop):
    follower = follow("--settle", "1d")
    for _ in copy_slowly(MIXED, drop / "slow.jfr", 10):
        wait_until(lambda: follower.lines, "a line")
    follower.wait_for_chunks(1)
    # Nor one that has its size from the beginning.
    data = CHUNKS.read_bytes()
    with open(drop / "reserved.jfr", "wb") as file:
        os.posix_fallocate(file.fileno(), 0, len(data))
        head = len(chunks_of(CHUNKS)[0]) + 100
        file.write(data[:head])
        file.flush()
        follower.wait_for_chunks(2)
        file.write(data[head:])
    follower.wait_for_chunks(5)
    text = follower.stop()
    assert "problem" not in text and "jfr:" not in text
    assert stored_sums(server) == sums_of(CHUNKS) + sums_of(MIXED)


def test_compressed_files_are_loaded_when_they_are_whole(follow, server, drop):
    follower = follow("--settle", "1d")
    packed = drop / "packed.jfr.gz"
    source = drop / "source"
    source.write_bytes(gzip.compress(CHUNKS.read_bytes()))
    for end in copy_slowly(source, packed, 5):
        if end < source.stat().st_size:
            assert follower.loaded_chunks() == 0
    follower.wait_for_chunks(4)
    # The first half of a stream without a writer waits for the rest.
    data = gzip.compress(MIXED.read_bytes())
    other = drop / "other.jfr.gz"
    other.write_bytes(data[:len(data) // 2])
    (drop / "plain.jfr").write_bytes(chunks_of(CHUNKS)[0])
    follower.wait_for("jfrtree: loaded", 1)
    with open(other, "ab") as file:
        file.write(data[len(data) // 2:])
    follower.wait_for_chunks(5)
    assert "bad_compression" not in follower.stop()
    assert stored_sums(server) == sums_of(CHUNKS) + sums_of(MIXED)


def test_damaged_files_are_said_once_and_the_rest_goes_on(follow, server, drop):
    (drop / "text.jfr").write_text("this is no recording at all")
    (drop / "empty.jfr").write_bytes(b"")
    chunks = chunks_of(CHUNKS)
    (drop / "broken.jfr").write_bytes(chunks[0] + b"x" * 1000 + chunks[1])
    (drop / "cut.jfr").write_bytes(chunks[2] + chunks[3][:-64])
    (drop / "packed.jfr.gz").write_bytes(gzip.compress(MIXED.read_bytes())[:1000])
    follower = follow("--settle", "300ms")
    for name in ("text.jfr", "empty.jfr", "broken.jfr", "cut.jfr", "packed.jfr.gz"):
        follower.wait_for("/" + name)
    (drop / "good.jfr").write_bytes(MIXED.read_bytes())
    wait_until(lambda: stored_sums(server).keys() >= sums_of(MIXED).keys(), "the good file")
    follower.stop()
    for name in ("text.jfr", "empty.jfr", "broken.jfr"):
        assert follower.text().count("/" + name) == 1, follower.text()
    # What can be read counts, as for `convert`.
    readable = [sums_of(drop / name, "--allow-problems")
                for name in ("broken.jfr", "cut.jfr", "good.jfr")]
    assert stored_sums(server) == sum(readable, collections.Counter())
    # The rest of the copy comes after all: the chunk is replaced, not counted twice.
    (drop / "cut.jfr").write_bytes(chunks[2] + chunks[3])
    again = follow("--until-idle", "0")
    again.wait_for_end()
    assert "(1 replaced)" in again.text()
    assert stored_sums(server) == sums_of(CHUNKS) + sums_of(MIXED)


def test_a_run_for_cron_ends_when_all_is_loaded(server, drop):
    (drop / "a.jfr").write_bytes(CHUNKS.read_bytes())
    arguments = ("clickhouse", "load", "--follow", drop, "--db", server.url, "--create",
                 "--until-idle", "0")
    assert "4 chunks" in run(*arguments)
    assert "skipped 4 chunks" in run(*arguments)
    (drop / "b.jfr").write_bytes(MIXED.read_bytes())
    assert "1 chunk," in run(*arguments)
    # A file that was cut long ago is taken as it is.
    (drop / "cut.jfr").write_bytes(chunks_of(CHUNKS)[0][:-100])
    assert "cut.jfr" not in run(*arguments)
    assert "cut.jfr" in run(*arguments, "--settle", "0", code=3)
    assert "cut.jfr" in run(*arguments, "--settle", "0", "--allow-problems")
    assert stored_sums(server) == sums_of(CHUNKS) + sums_of(MIXED)


def test_an_unfinished_chunk_is_replaced_by_what_it_becomes(server, tmp_path):
    """Also by plain loads."""
    chunk = chunks_of(CHUNKS)[0]
    file = tmp_path / "a.jfr"
    file.write_bytes(chunk[:-64])
    load(file, server.url, "--create", code=3)
    assert stored_sums(server) == sums_of(file, "--allow-problems")
    file.write_bytes(chunk)
    assert "(1 replaced)" in load(file, server.url)
    whole = sums_of(file)
    assert stored_sums(server) == whole
    file.write_bytes(chunk[:-64])
    assert "0 chunks" in load(file, server.url, code=3)
    file.write_bytes(chunk[:-65])
    assert "0 chunks" in load(file, server.url, code=3)
    assert stored_sums(server) == whole
    assert server.query("SELECT uniq(load_id) FROM profile_samples") == "1\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_end_it_cleanly(follow, server, drop, number):
    (drop / "a.jfr").write_bytes(CHUNKS.read_bytes())
    follower = follow()
    follower.wait_for_chunks(4)
    text = follower.stop(number)
    assert "loaded into" in text
    assert server.query("SELECT count() FROM profile_loads WHERE last_state = 'started'") == "0\n"


def test_into_a_folder_with_the_engine_in_the_program(embedded, drop):
    follower = Follower(drop, database=embedded.folder, library=embedded.library)
    (drop / "a.jfr").write_bytes(CHUNKS.read_bytes())
    follower.wait_for_chunks(4)
    (drop / "b.jfr").write_bytes(MIXED.read_bytes())
    follower.wait_for_chunks(5)
    follower.stop()
    assert stored_sums(embedded) == sums_of(CHUNKS) + sums_of(MIXED)


def test_settings_of_the_first_chunk_of_async_profiler_hold_for_later_ones(follow, server, drop):
    source = RECORDINGS / "grafana_jfr-parser__FastSlow_2024_01_16_180855.jfr.gz"
    if not source.is_file():
        pytest.skip("the recording is not there")
    whole = drop / "whole"
    whole.write_bytes(gzip.decompress(source.read_bytes()))
    chunks = chunks_of(whole)
    expected = sums_of(whole)
    assert any(key[0][0] == "wall" and key[1] == "value" and number > 0
               for key, number in expected.items())
    follower = follow()
    for i, chunk in enumerate(chunks):
        with open(drop / "profile.jfr", "ab") as file:
            file.write(chunk)
        follower.wait_for_chunks(i + 1)
        if i == 1:  # also where another follower goes on
            follower.kill()
            follower = follow()
            follower.wait_for("following ")
            with open(drop / "profile.jfr", "ab") as file:
                file.write(b"".join(chunks[2:]))
            follower.wait_for_chunks(len(chunks) - 2)
            break
    follower.stop()
    assert stored_sums(server) == expected


def test_chunks_of_another_loader_are_asked_for_again(follow, server, drop):
    """A loader of another machine that was killed: nobody but the clock tells that it is gone."""
    load(CHUNKS, server.url, "--create")
    server.query("INSERT INTO profile_chunks SELECT * REPLACE ('started' AS state, 1 AS load_id, "
                 "'loader elsewhere 1 1' AS notes, now64(6) - INTERVAL 50 MINUTE AS changed) "
                 "FROM (SELECT * FROM profile_chunks WHERE state = 'committed')")
    server.query("ALTER TABLE profile_chunks DELETE WHERE load_id != 1 "
                 "SETTINGS mutations_sync = 2")
    server.query("TRUNCATE TABLE profile_samples")
    (drop / "a.jfr").write_bytes(CHUNKS.read_bytes())
    follower = follow("--settle", "200ms")
    follower.wait_for("another loader has begun a chunk", 8)
    assert follower.loaded_chunks() == 0
    server.query("INSERT INTO profile_chunks SELECT * REPLACE "
                 "(now64(6) - INTERVAL 70 MINUTE AS changed) "
                 "FROM (SELECT * FROM profile_chunks WHERE load_id = 1)")
    server.query("ALTER TABLE profile_chunks DELETE WHERE load_id = 1 "
                 "AND changed > now64(6) - INTERVAL 1 HOUR SETTINGS mutations_sync = 2")
    follower.wait_for_chunks(4)
    follower.stop()
    assert stored_sums(server) == sums_of(CHUNKS)


def test_usage(drop, tmp_path):
    command = ("clickhouse", "load", "--follow", drop)
    assert "beside it" in run(*command, CHUNKS, code=2)
    for option in (["--force"], ["--strict"], ["--from", "+1s"], ["--poll", "1ms"],
                   ["--settle", "soon"], ["--until-idle", "2d"]):
        assert option[0] in run(*command, *option, code=2)
    assert "--poll" in run("clickhouse", "load", CHUNKS, "--poll", "1s", code=2)
    absent = tmp_path / "absent"
    assert "not there" in run("clickhouse", "load", "--follow", absent, "--db", tmp_path / "db",
                              code=1, library=os.environ.get("JFRTREE_LIBCHDB"))
