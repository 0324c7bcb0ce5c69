"""Following the repository of a running JVM."""

import os
import pathlib
import random
import subprocess
import time

import pytest
from engine import Server
from following import Follower, Program, need_java, wait_until
from ports import free_ports
from program import TESTDATA, load, stored_sums, sums_of


@pytest.fixture
def repository(tmp_path):
    need_java()
    return tmp_path / "repository"


@pytest.fixture
def program(repository):
    program = Program(repository)
    yield program
    if program.process.poll() is None:
        program.kill()


def chunk_files(repository):
    return sorted(repository.glob("*/*.jfr"))


def has_open(process, path):
    """Whether a process has a file open."""
    for link in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
        try:
            if os.readlink(link) == str(path):
                return True
        except FileNotFoundError:
            continue
    return False


def is_stored(server, sums):
    def compare():
        try:
            return stored_sums(server) == sums
        except RuntimeError as error:
            assert "UNKNOWN_TABLE" in str(error)  # the follower is about to make them
            return False

    return compare


def test_each_chunk_is_loaded_once_when_it_is_finished(program, repository, server, tmp_path):
    program.tell("work", 200)
    program.tell("rotate")
    finished = len(chunk_files(repository)) - 1
    follower = Follower(repository, database=server.url,
                        arguments=("--create", "--label", "service=app"))
    follower.wait_for_chunks(finished)
    for i in range(3):
        program.tell("work", 100 + i)
        program.tell("rotate")
        finished = len(chunk_files(repository)) - 1
        follower.wait_for_chunks(finished)
    program.tell("work", 50)
    dump = tmp_path / "all.jfr"
    program.tell("dump", dump)
    wait_until(is_stored(server, sums_of(dump)), "the last chunk")
    text = follower.stop()
    assert "skipped" not in text and "jfr:" not in text
    # The file that the JVM assembled holds nothing new.
    assert "0 chunks" in load(dump, server.url, "--label", "service=app")
    assert stored_sums(server) == sums_of(dump)


def test_the_last_chunk_of_a_jvm_that_ends(program, repository, server, tmp_path):
    at_exit = tmp_path / "exit.jfr"
    program.tell("write-at-exit", at_exit)
    program.tell("work", 100)
    program.tell("rotate")
    follower = Follower(repository, database=server.url, arguments=("--create",))
    program.tell("work", 77)
    newest = chunk_files(repository)[-1]
    wait_until(lambda: has_open(follower.process, newest), "the open chunk")
    program.end()
    assert not chunk_files(repository)
    wait_until(is_stored(server, sums_of(at_exit)), "the last chunk")
    assert "removed" not in follower.stop()


def test_a_jvm_that_is_killed(program, repository, server, tmp_path):
    follower = Follower(repository, database=server.url,
                        arguments=("--create", "--settle", "500ms"))
    program.tell("work", 100)
    program.tell("rotate")
    program.tell("work", 300)
    newest = chunk_files(repository)[-1]
    header_size = 68
    # What was flushed can be read; the JVM does it now and then.
    wait_until(lambda: int.from_bytes(newest.read_bytes()[8:16], "big") > header_size, "a flush")
    time.sleep(1)  # longer than the time to settle: it is not taken while the JVM has it open
    assert "never finished" not in follower.text()
    program.kill()
    expected = sums_of(repository, "--allow-problems")
    wait_until(is_stored(server, expected), "the chunk that was not finished")
    follower.wait_for("never finished")
    assembled = tmp_path / "assembled.jfr"
    jfr = pathlib.Path(os.path.realpath(subprocess.check_output(["which", "java"], text=True)
                                        .strip())).parent / "jfr"
    subprocess.run([jfr, "assemble", newest.parent, assembled], check=True,
                   stdout=subprocess.DEVNULL)
    assert stored_sums(server) == sums_of(assembled, "--allow-problems")
    assert follower.stop().count("never finished") == 1


def test_loaders_that_are_killed_lose_nothing(program, repository, server, tmp_path):
    moments = random.Random()
    for round_ in range(6):
        follower = Follower(repository, database=server.url, arguments=("--create",))
        program.tell("work", 30 + round_)
        program.tell("rotate")
        time.sleep(moments.uniform(0, 0.4))
        follower.kill()
    dump = tmp_path / "all.jfr"
    program.tell("dump", dump)
    follower = Follower(repository, database=server.url, arguments=("--create",))
    wait_until(is_stored(server, sums_of(dump)), "all chunks")
    follower.stop()
    assert stored_sums(server) == sums_of(dump)
    assert server.query("SELECT count() FROM profile_hidden_loads WHERE load_id NOT IN "
                        "(SELECT load_id FROM profile_loads WHERE last_state != 'started')") == \
        "0\n"


def test_two_followers_of_one_folder_load_each_chunk_once(program, repository, server, tmp_path):
    followers = [Follower(repository, database=server.url,
                          arguments=("--create", "--settle", "200ms")) for _ in range(2)]
    for i in range(4):
        program.tell("work", 40 + i)
        program.tell("rotate")
    dump = tmp_path / "all.jfr"
    program.tell("dump", dump)
    expected = sums_of(dump)
    wait_until(is_stored(server, expected), "all chunks")
    for follower in followers:
        follower.stop()
    assert stored_sums(server) == expected
    assert server.query("SELECT count() = uniq(chunk_hash) FROM profile_loads "
                        "WHERE last_state = 'committed'") == "1\n"


def test_a_server_that_goes_away_and_comes_back(program, repository, library, tmp_path):
    ports = free_ports(2)
    folder = tmp_path / "server"
    follower = Follower(repository, database=f"http://127.0.0.1:{ports[0]}",
                        arguments=("--create",))
    try:
        # It is waited for from the beginning.
        follower.wait_for("trying again until it works")
        program.tell("work", 50)
        program.tell("rotate")
        server = Server(library, folder, ports=ports)
        follower.wait_for("jfrtree: loaded ")
        first = tmp_path / "first.jfr"
        program.tell("dump", first)
        wait_until(is_stored(server, sums_of(first)), "the first chunks")
        server.stop()
        for i in range(3):
            program.tell("work", 20 + i)
            program.tell("rotate")
        follower.wait_for("trying again until it works", 2)
        # What the JVM deletes meanwhile is not lost.
        oldest_new = chunk_files(repository)[-3]
        wait_until(lambda: has_open(follower.process, oldest_new), "the chunk")
        dump = tmp_path / "all.jfr"
        program.tell("dump", dump)
        oldest_new.unlink()
        server = Server(library, folder, ports=ports)
        try:
            wait_until(is_stored(server, sums_of(dump)), "the rest")
            text = follower.stop()
            assert text.count("trying again until it works") == 2
            assert "works again after" in text and "removed" not in text
        finally:
            server.stop()
    finally:
        if follower.process.poll() is None:
            follower.kill()


def test_a_chunk_that_is_deleted_before_it_is_complete_is_said(repository, server):
    repository.mkdir()
    data = (TESTDATA / "jdk17-chunks.jfr").read_bytes()
    file = repository / "part.jfr"
    file.write_bytes(data[:-100])
    follower = Follower(repository, database=server.url, arguments=("--create",))
    follower.wait_for_chunks(3)
    file.unlink()
    follower.wait_for("part.jfr: was removed before it was complete")
    follower.stop()
