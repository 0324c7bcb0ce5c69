"""Profiles that go into ClickHouse and come back: a folder with chdb, and a server."""

import concurrent.futures
import datetime
import json
import pickle
import re
import shutil
import subprocess
import sys
import textwrap

import database
import pytest

import jfrtree
from jfrtree import clickhouse

HOSTILE = "c'a\"r\\t😀\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with database.server(tmp_path_factory.mktemp("server")) as started:
        yield started


@pytest.fixture
def folder(tmp_path):
    pytest.importorskip("chdb")
    return tmp_path / "profiles.chdb"


@pytest.fixture(params=["folder", "server"])
def place(request, tmp_path):
    """An empty database."""
    if request.param == "folder":
        return str(request.getfixturevalue("folder"))
    started = request.getfixturevalue("server")
    name = "db_" + "".join(letter for letter in tmp_path.name if letter.isalnum())
    started.query(f"CREATE DATABASE {name}")
    return f"{started.url}/?database={name}"


def load(source, place, **options):
    return clickhouse.load(source, place, create=True, **options)


RECORDINGS = ["jdk17-mixed", "jdk17-chunks", "jdk17-kinds", "jdk17-lambdas", "jdk25-cputime",
              "jdk25-kinds", "jdk25-virtual"]


def test_every_profile_comes_back(testdata, place):
    paths = [testdata / f"{name}.jfr" for name in RECORDINGS]
    for path in paths:
        load(path, place, labels={"service": path.stem})
    with clickhouse.connect(place) as connection:
        for path in paths:
            recording = jfrtree.open(path)
            where = {"service": path.stem}
            assert connection.kinds(where=where) == list(recording.profiles)
            read = connection.profiles(where=where)
            for kind, profile in recording.read_profiles(normalize=True).items():
                back = read[kind]
                assert [stack for stack, _, _ in back] == [stack for stack, _, _ in profile], kind
                for (stack, count, value), (_, count_back, value_back) in zip(profile, back):
                    # An unknown value is stored as 0.
                    assert (count_back, value_back or 0) == (count, value or 0), (kind, stack)
                assert back.count == profile.count
                if kind not in ("cpu", "wall", "native", "live"):  # all values are known
                    assert back.samples.to_pylist() == profile.samples.to_pylist(), kind
                    assert back.totals == profile.totals


def test_loaded_twice(mixed, place):
    first = load(mixed, place)
    again = load(mixed, place)
    assert (first.chunks, first.skipped_chunks) == (1, 0)
    assert (again.chunks, again.skipped_chunks, again.sample_rows) == (0, 1, 0)
    # 755 samples of cpu, 357,563,926 ns of 85 waits for locks: testdata/README.md.
    assert first.samples["cpu"] == 755
    with clickhouse.connect(place) as connection:
        assert connection.profile("lock").total == 357_563_926
        anew = connection.load(mixed, force=True)
        assert (anew.chunks, anew.replaced_chunks) == (1, 1)
        assert connection.profile("lock").total == 357_563_926


def test_labels_with_quotes_and_emoji(mixed, place):
    load(mixed, place, labels={"service": HOSTILE, "a'b": "😀\\"})
    where = {"service": HOSTILE, "a'b": ["😀\\", "other"]}
    with clickhouse.connect(place) as connection:
        assert connection.profile("cpu", where=where).count == 755
        assert connection.flamegraph("cpu", where=where).title == f"service={HOSTILE}, a'b=😀\\, " \
            "a'b=other"
        assert connection.profile("cpu", where={"c": None}).count == 755
        catalogue = connection.catalogue()
        assert catalogue.services.to_pylist()[0]["service"] == HOSTILE
        label = catalogue.labels.to_pylist()[0]
        assert (label["key"], label["value"]) == ("a'b", "😀\\")
        with pytest.raises(jfrtree.ProfileNotFound, match="no samples") as raised:
            connection.profile("cpu", where={"service": "' OR 1 --"})
        assert "cpu" in raised.value.available
        rows = connection.execute(
            "SELECT {name:String} = service, count() FROM profile_samples GROUP BY service",
            {"name": HOSTILE})
        assert rows.split(b"\t")[0] == b"1"


def test_labels_of_paths_and_of_recordings(mixed, place):
    recording = jfrtree.open(mixed, labels={"service": "one", "zone": "x"})
    load(recording, place, labels={"service": "two"}, label_from_path=r"(?P<jdk>jdk\d+)")
    with clickhouse.connect(place) as connection:
        assert connection.kinds(where={"service": "two", "zone": "x", "jdk": "jdk17"})
        assert connection.kinds(where="service=one") == []


def test_what_is_made_of_a_profile(mixed, place, tmp_path):
    load(mixed, place)
    recording = jfrtree.open(mixed)
    with clickhouse.connect(place) as connection:
        profile = connection.profile("alloc")
        graph = connection.flamegraph("alloc", start="2020-01-01T00:00:00Z")
        both = connection.flamegraph(["cpu", "alloc"], title="two")
        top = connection.top("alloc", 3)
        kinds = connection.kinds()
    # The connection is not needed any more.
    expected = recording.profile("alloc", normalize=True)
    assert profile.to_collapsed() == expected.to_collapsed()
    assert top.to_pylist() == expected.top(3).to_pylist()
    assert profile.tree.to_pylist() == expected.tree.to_pylist()
    assert profile.stacks.to_pylist() == expected.stacks.to_pylist()
    profile.write(tmp_path / "out.collapsed")
    assert (tmp_path / "out.collapsed").read_text() == expected.to_collapsed()
    assert "<iframe" in graph._repr_html_() and "sandbox" in graph._repr_html_()
    assert both.title == "two" and len(both.html) > len(graph.html)
    assert kinds[0] == "cpu"
    same = jfrtree.diff(expected, profile)
    assert all(row["self_left"] == row["self_right"] for row in same.table)


def test_ranges_of_time(mixed, place):
    recording = jfrtree.open(mixed)
    load(recording, place, bucket="1s")
    start = recording.info.start
    second = datetime.timedelta(seconds=1)
    middle = start.replace(microsecond=0) + 3 * second
    with clickhouse.connect(place) as connection:
        early = connection.profile("cpu", end=middle)
        late = connection.profile("cpu", start=middle, end=datetime.timedelta(hours=1))
        assert early.count == recording.profile("cpu", end=middle).count
        assert early.count + late.count == 755
        assert connection.profile("cpu", start=middle, end="+1h").count == late.count
        assert connection.profile("cpu", start=middle.timestamp()).count == late.count
        with pytest.raises(jfrtree.ProfileNotFound):
            connection.profile("cpu", start="now")
        comparison = connection.diff("cpu", end=middle, other_start=middle, absolute=True)
        assert (comparison.left.count, comparison.right.count) == (early.count, late.count)
        with pytest.raises(jfrtree.ProfileNotFound):
            connection.diff("cpu", other_start="now")
        for wrong, text in [({"start": "+1s"}, "start"), ({"end": "+1s"}, "end"),
                            ({"start": middle, "end": start}, "end"), ({"start": "x"}, "start"),
                            ({"start": datetime.datetime(2024, 1, 1)}, "time zone")]:
            with pytest.raises(jfrtree.UsageError, match=text) as raised:
                connection.profile("cpu", **wrong)
            assert "--" not in str(raised.value)


def test_two_sets_of_labels(testdata, place):
    before, after = testdata / "jdk17-mixed.jfr", testdata / "jdk25-mixed.jfr"
    load(before, place, labels={"service": "orders", "version": "1"})
    load(after, place, labels={"service": "orders", "version": "2"})
    with clickhouse.connect(place) as connection:
        comparison = connection.diff(where={"service": "orders", "version": "1"},
                                     other_where={"version": "2"})
        expected = jfrtree.diff(jfrtree.open(before), jfrtree.open(after), "cpu")
        assert comparison.kind == "cpu"
        assert comparison.table.to_pylist() == expected.table.to_pylist()
        assert comparison._names == ("service=orders version=1", "service=orders version=2")
        with pytest.raises(jfrtree.UsageError, match="other_start"):
            connection.diff("cpu")


def test_threads_and_most_stacks(mixed, place):
    load(mixed, place, by_thread=True, kinds=["cpu"])
    recording = jfrtree.open(mixed)
    with clickhouse.connect(place) as connection:
        assert connection.kinds() == ["cpu"]
        names = connection.execute("SELECT DISTINCT thread FROM profile_samples").decode()
        name = next(name for name in names.splitlines() if name.startswith("reporting-1 "))
        one = connection.profile("cpu", where={"thread": name})
        assert one.count == recording.profile("cpu", thread="^reporting-1$").count == 158
        threads = connection.profile("cpu", by_thread=True)
        assert threads.has_thread_frame and threads.count == 755
        few = connection.profile("cpu", max_stacks=3)
        assert len(few) == 4 and few.count == 755
        assert any(stack == ("(other)",) for stack, _, _ in few)


def test_sql_of_your_own(mixed, place):
    pyarrow = pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    load(mixed, place)
    query = "SELECT kind, sum(count) AS n FROM profile_samples WHERE kind = {k:String} " \
        "GROUP BY kind;"
    with clickhouse.connect(place) as connection:
        table = connection.query(query, {"k": "lock"})
        assert (len(table), table.column_names) == (1, ["kind", "n"])
        assert table.to_pylist() == [{"kind": "lock", "n": 85}]
        assert pyarrow.table(table).column("n").to_pylist() == [85]
        assert isinstance(table.to_pandas(), pandas.DataFrame)
        assert polars.DataFrame(table).rows() == [("lock", 85)]
        for several in ("SELECT 1; SELECT 2", "SELECT 1 FORMAT TSV"):
            with pytest.raises(jfrtree.Error):
                connection.query(several)
        times = connection.query("SELECT toDateTime64('2024-01-31 18:00:00.123456789', 9, 'UTC') "
                                 "AS t, map('a', 1) AS m")
        assert times.to_pylist(nanoseconds=True) == [{"t": 1706724000123456789, "m": {"a": 1}}]
        assert times.to_pylist()[0]["t"] == datetime.datetime(
            2024, 1, 31, 18, 0, 0, 123456, tzinfo=datetime.timezone.utc)
        assert connection.execute(
            "SELECT {a:DateTime}, {b:Bool}, {c:Int8}, {d:Date} FORMAT CSV",
            {"a": datetime.datetime(2024, 1, 31, 19, tzinfo=datetime.timezone(
                datetime.timedelta(hours=1))), "b": True, "c": -1,
             "d": datetime.date(2024, 2, 29)},
        ) == b'"2024-01-31 18:00:00",true,-1,"2024-02-29"\n'
        assert connection.execute("SELECT 1") == b"1\n"
        with pytest.raises(TypeError, match="JSONExtract"):
            connection.execute("SELECT {a:String}", {"a": ["x"]})


def test_the_statement_for_grafana_gives_the_tree(mixed, place):
    load(mixed, place)
    with clickhouse.connect(place) as connection:
        statement = connection.sql("alloc")
        assert statement == clickhouse.sql("alloc")
        rows = [json.loads(line) for line in
                connection.execute(statement + "\nFORMAT JSONEachRow").splitlines()]
        nested = connection.profile("alloc").to_nested_set(max_nodes=0)
    assert [(row["level"], int(row["value"]), int(row["self"]), row["label"]) for row in rows] == \
        [(row["level"], row["value"], row["self"], row["label"]) for row in nested]
    assert "$__fromTime" in clickhouse.sql("cpu", macros="official")
    with pytest.raises(jfrtree.UsageError, match="macros"):
        clickhouse.sql("cpu", macros="official", start="-1h")
    with pytest.raises(jfrtree.UsageError, match="macros"):
        clickhouse.sql("cpu", macros="nonsense")


def test_catalogue(mixed, place):
    load(mixed, place, labels={"service": "cart", "host": "a"})
    info = jfrtree.open(mixed).info
    with clickhouse.connect(place) as connection:
        catalogue = connection.catalogue()
    recording = catalogue.recordings.to_pylist(nanoseconds=True)[0]
    assert (recording["service"], recording["host"], recording["chunks"]) == ("cart", "a", 1)
    assert (recording["start"], recording["end"]) == (info.start_ns, info.end_ns)
    assert recording["source"] == str(mixed)
    assert catalogue.kinds.column_names == ["service", "kind", "is_snapshot", "first", "last"]
    kinds = {row["kind"] for row in catalogue.kinds.to_pylist()}
    assert kinds == set(info.profiles)
    with clickhouse.connect(place) as connection:
        assert len(connection.catalogue(services="cart").kinds) == len(kinds)
        assert len(connection.catalogue(services=["other"], end="now").kinds) == 0
        assert not catalogue.has_more_recordings
    frame = pytest.importorskip("pandas") and catalogue.kinds.to_pandas()
    assert str(frame["first"].dtype) == "datetime64[ns, UTC]"


def test_rows_are_what_the_command_line_writes(mixed, tmp_path):
    for table in ("samples", "stacks", "bytes"):
        for name in ("native", "rowbinary", "tsv", "jsoneachrow"):
            done = subprocess.run(
                [sys.executable, "-m", "jfrtree", "clickhouse", "rows", mixed, "--table", table,
                 "--format", name, "--label", "service=cart"], capture_output=True, check=True)
            assert clickhouse.rows(mixed, table=table, format=name,
                                   labels={"service": "cart"}) == done.stdout
    assert clickhouse.rows(mixed, tmp_path / "rows") is None
    assert (tmp_path / "rows").read_bytes() == clickhouse.rows(mixed)
    for wrong in ({"table": "x"}, {"format": "x"}, {"bucket": "1ms"}, {"bucket": "x"},
                  {"model": "x"}):
        with pytest.raises(jfrtree.UsageError, match=next(iter(wrong))):
            clickhouse.rows(mixed, **wrong)
    with pytest.raises(TypeError, match="colour"):
        clickhouse.rows(mixed, colour="red")


def test_rows_that_were_inserted_by_hand(mixed, place):
    with clickhouse.connect(place) as connection:
        connection.create_tables()
        connection.create_tables()
        for table, column in (("stacks", "frames"), ("samples", "count")):
            text = clickhouse.rows(mixed, table=table, format="jsoneachrow").decode()
            connection.execute(f"INSERT INTO profile_{table} FORMAT JSONEachRow\n{text}")
        assert connection.profile("cpu").count == 755


def test_schema(place):
    script = clickhouse.schema(retention=datetime.timedelta(days=30), database="profiles")
    done = subprocess.run([sys.executable, "-m", "jfrtree", "clickhouse", "schema", "--retention",
                           "30", "--database", "profiles"], capture_output=True, text=True,
                          check=True)
    assert script == done.stdout
    for wrong in (0, datetime.timedelta(hours=5)):
        with pytest.raises(jfrtree.UsageError, match="retention"):
            clickhouse.schema(retention=wrong)


def test_nothing_is_there(place):
    with clickhouse.connect(place) as connection:
        for call in (connection.kinds, connection.profile, connection.catalogue,
                     connection.flamegraph):
            with pytest.raises(jfrtree.DatabaseError) as raised:
                call()
            assert raised.value.fault == "missing_table"
            assert "--" not in str(raised.value)


def test_a_server_is_not_filled_unasked(mixed, server):
    server.query("CREATE DATABASE bare")
    with pytest.raises(jfrtree.DatabaseError, match="create=True") as raised:
        clickhouse.load(mixed, server.url + "/?database=bare")
    assert raised.value.fault == "missing_table"


def test_create_makes_the_database_too(mixed, server, tmp_path):
    url = server.url + "/?database=made"
    with pytest.raises(jfrtree.DatabaseError) as raised:
        clickhouse.load(mixed, url)
    assert raised.value.fault == "missing_table"
    assert clickhouse.load(mixed, url, create=True).chunks == 1
    with clickhouse.connect(url, database="made too", create=True) as connection:
        connection.create_tables()
        assert connection.load(mixed).chunks == 1
    shutil.copy(mixed, tmp_path / "a.jfr")
    followed = clickhouse.follow(tmp_path, server.url + "/?database=followed", create=True,
                                 until_idle="1s")
    assert followed.chunks == 1


def test_wrong_password(tmp_path, mixed):
    with database.server(tmp_path / "db", database.config_with_users(tmp_path)) as started:
        load(mixed, started.url.replace("//", "//loader:pass%20word@"))
        with clickhouse.connect(started.url, user="loader", password="pass word") as connection:
            assert connection.profile("cpu").count == 755
        user_alone = started.url.replace("//", "//loader@")
        with clickhouse.connect(user_alone, password="pass word") as connection:
            assert connection.execute("SELECT currentUser()") == b"loader\n"
        for place, options in (
                (user_alone, {"user": "other", "password": "pass word"}),
                (started.url.replace("//", "//loader:s3cret@"), {}),
                (started.url, {"user": "loader", "password": "s3cret"})):
            with pytest.raises(jfrtree.DatabaseError) as raised:
                clickhouse.connect(place, **options)
            assert raised.value.fault == "denied"
            assert "s3cret" not in str(raised.value) + repr(raised.value) + str(raised.value.file)
        connection = clickhouse.connect(started.url.replace("//", "//loader:pass%20word@"))
        assert "pass" not in repr(connection)
        connection.close()


def test_a_server_that_is_not_there():
    with pytest.raises(jfrtree.DatabaseError) as raised:
        clickhouse.connect("http://u:s3cret@127.0.0.1:9")
    assert raised.value.fault == "unreachable"
    assert "s3cret" not in str(raised.value)
    error = pickle.loads(pickle.dumps(raised.value))
    assert (error.fault, str(error)) == ("unreachable", str(raised.value))
    with pytest.raises(jfrtree.UsageError):
        clickhouse.connect("ftp://host")


def test_a_server_that_is_silent():
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        with pytest.raises(jfrtree.DatabaseError) as raised:
            clickhouse.connect(f"http://127.0.0.1:{listener.getsockname()[1]}", timeout=1)
    assert raised.value.fault == "unreachable"
    assert "--" not in str(raised.value)


def test_connections_stay_in_their_process(mixed, place):
    load(mixed, place)
    connection = clickhouse.connect(place)
    with pytest.raises(TypeError, match="connect in"):
        pickle.dumps(connection)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(lambda kind: connection.profile(kind).count,
                               ["cpu", "lock", "alloc", "park"] * 3))
    assert counts == [755, 85, 2043, 388] * 3
    connection.close()
    connection.close()
    with pytest.raises(jfrtree.UsageError, match="closed"):
        connection.kinds()
    assert repr(connection).endswith("closed>")


def test_progress_and_calls_from_it(mixed, place):
    seen = []
    with clickhouse.connect(place) as connection:

        def report(done, total):
            seen.append((done, total))
            connection.kinds()

        with pytest.raises(jfrtree.UsageError, match="middle"):
            connection.load([mixed] * 50, create=True, progress=report)
        connection.load(mixed, create=True, progress=lambda *numbers: seen.append(numbers))
        assert connection.profile("cpu").count == 755
    size = mixed.stat().st_size
    assert seen[-1] == (size, size)


INTERRUPTED = """
    import os, signal, sys, threading, time
    import jfrtree

    signal.signal(signal.SIGINT, signal.default_int_handler)
    connection = jfrtree.clickhouse.connect(sys.argv[1])
    recording = jfrtree.open([sys.argv[2]] * 3000, threads=2)
    connection.create_tables()
    pressed = []

    def press():
        time.sleep(0.3)
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    try:
        {call}
    except KeyboardInterrupt:
        print(time.monotonic() - pressed[0], connection.execute("SELECT 1"))
    else:
        print("not interrupted")
"""


@pytest.mark.parametrize("call", [
    "connection.load(recording, force=True)",
    "connection.execute('SELECT sum(cityHash64(number)) FROM numbers(1000000000000)')",
])
def test_ctrl_c(place, testdata, call):
    script = textwrap.dedent(INTERRUPTED.format(call=call))
    done = subprocess.run(
        [sys.executable, "-c", script, place, testdata / "jdk17-many-stacks.jfr"],
        capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    seconds, rest = done.stdout.split(" ", 1)
    # A tenth of a second is promised; a busy machine may take longer. Either would go on for minutes.
    assert float(seconds) < 10 and rest == "b'1\\n'\n"


def test_problems_are_warnings(testdata, place):
    with pytest.warns(jfrtree.RecordingWarning, match="never finished") as caught:
        result = load(testdata / "jdk17-unfinished.jfr", place)
    assert result.problems and caught[0].filename == __file__


def test_a_folder_that_another_process_has(folder, mixed):
    load(mixed, folder)
    script = "import sys, jfrtree; c = jfrtree.clickhouse.connect(sys.argv[1]); print(1, flush=True);" \
        " sys.stdin.read(); c.close()"
    with subprocess.Popen([sys.executable, "-c", script, folder], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"1\n"
        with pytest.raises(jfrtree.DatabaseError, match="another process") as raised:
            clickhouse.connect(folder)
        assert raised.value.fault == "in_use" and raised.value.file == str(folder)
        other.stdin.close()
        assert other.wait(30) == 0
    with clickhouse.connect(folder) as connection:
        assert connection.profile("cpu").count == 755


def test_one_folder_at_a_time(folder, mixed, tmp_path):
    load(mixed, folder)
    with clickhouse.connect(folder) as connection, clickhouse.connect(folder) as second:
        assert connection.kinds() == second.kinds()
        with pytest.raises(jfrtree.DatabaseError, match="one folder at a time") as raised:
            load(mixed, tmp_path / "other.chdb")
        assert raised.value.fault == "in_use"
        # After a statement that failed in the middle of its rows nothing of them is left.
        with pytest.raises(jfrtree.DatabaseError):
            second.execute("SELECT throwIf(number = 3) FROM numbers(5) SETTINGS max_block_size = 1")
        assert second.execute("SELECT 7") == b"7\n"
    assert load(mixed, tmp_path / "other.chdb").chunks == 1


def test_a_folder_that_is_not_there(folder, mixed, tmp_path):
    connection = clickhouse.connect(folder)
    with pytest.raises(jfrtree.DatabaseError, match="no such folder"):
        connection.kinds()
    assert not folder.exists()
    assert connection.load(mixed).chunks == 1
    connection.close()
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").write_text("x")
    with pytest.raises(jfrtree.DatabaseError, match="other files"):
        clickhouse.connect(tmp_path / "full")


def test_databases_of_a_folder(folder, mixed):
    with clickhouse.connect(folder, database="one") as connection:
        connection.load(mixed)
        assert connection.execute("SELECT currentDatabase()") == b"one\n"
    with clickhouse.connect(folder, database="two") as connection:
        with pytest.raises(jfrtree.DatabaseError):
            connection.kinds()


def test_the_script_of_the_documentation(testdata, server, tmp_path, monkeypatch, capsys):
    text = (database.ROOT / "docs/clickhouse.md").read_text(encoding="utf-8")
    script = re.search(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]
    server.query("CREATE DATABASE script")
    for words, others in (("http://loader@localhost:8123/?database=profiles",
                           server.url + "/?database=script"),
                          ("/recordings", str(tmp_path)), ("> 60", ">= 0")):
        assert words in script
        script = script.replace(words, others)
    for name in ("jdk17-mixed", "jdk25-mixed"):
        (tmp_path / "cart" / name).mkdir(parents=True)
        shutil.copy(testdata / f"{name}.jfr", tmp_path / "cart" / name / "one.jfr")

    class Enough(Exception):
        pass

    def sleep(seconds):
        raise Enough

    for counts in ("1 chunks, 0 known", "0 chunks, 1 known"):
        with monkeypatch.context() as patched, pytest.raises(Enough):
            patched.setattr("time.sleep", sleep)
            exec(compile(script, "docs/clickhouse.md", "exec"), {})
        assert capsys.readouterr().out.count(counts) == 2
    with clickhouse.connect(server.url + "/?database=script") as connection:
        where = {"service": "cart", "host": "jdk17-mixed"}
        assert connection.profile("cpu", where=where).count == 755


def test_the_command_line_uses_chdb(folder, mixed):
    def run(*arguments):
        done = subprocess.run([sys.executable, "-m", "jfrtree", "clickhouse", *map(str, arguments),
                               "--db", folder], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done

    assert "1 chunk" in run("load", mixed, "--label", "service=cart").stderr
    collapsed = run("flamegraph", "-p", "lock", "--format", "collapsed").stdout
    assert collapsed == jfrtree.open(mixed).profile("lock", normalize=True).to_collapsed()
    assert "cart" in run("list").stdout


WITHOUT_CHDB = """
    import importlib.util, sys
    find = importlib.util.find_spec
    importlib.util.find_spec = lambda name, *rest: None if name == "chdb" else find(name, *rest)
    import jfrtree
    try:
        with jfrtree.clickhouse.connect(sys.argv[1]) as connection:
            connection.load(sys.argv[2])
            print(connection.profile("lock").total, "chdb" in sys.modules)
    except jfrtree.DatabaseError as error:
        print(error.fault, error)
"""


def without_chdb(folder, recording, **environment):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(WITHOUT_CHDB), folder, recording],
        capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", **environment,
                                             "PYTHONPATH": ":".join(sys.path)}, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_without_chdb_the_library_is_used(tmp_path, mixed):
    library = database.find_library()
    assert without_chdb(tmp_path / "db", mixed, JFRTREE_LIBCHDB=library) == "357563926 False\n"


def test_without_any_engine_the_error_says_how_to_get_one(tmp_path, mixed):
    text = without_chdb(tmp_path / "db", mixed, JFRTREE_LIBCHDB=str(tmp_path / "missing.so"))
    assert text.startswith("no_library ")
    assert "pip install" in text and "JFRTREE_LIBCHDB" in text and "--" not in text.replace(
        "scripts/setup --clickhouse", "")


def test_wrong_arguments(folder):
    for wrong in ({"compression": "brotli"}, {"connect_timeout": 0}, {"timeout": -1}):
        with pytest.raises(jfrtree.UsageError, match=next(iter(wrong))):
            clickhouse.connect("http://127.0.0.1:9", **wrong)
    connection = clickhouse.connect(folder)
    connection.create_tables()
    for call, error, text in (
            (lambda: connection.profile(["cpu"]), TypeError, "kind"),
            (lambda: connection.profiles("cpu"), TypeError, "kinds"),
            (lambda: connection.profiles([]), jfrtree.UsageError, "kinds"),
            (lambda: connection.profiles(colour=1), TypeError, "colour"),
            (lambda: connection.profile("cpu", where="x"), jfrtree.UsageError, "where"),
            (lambda: connection.profile("cpu", where={"a": 1}), TypeError, "where"),
            (lambda: connection.profile("cpu", max_stacks=0), jfrtree.UsageError, "max_stacks"),
            (lambda: connection.load(b"", labels={"a": 1}), TypeError, "labels"),
            (lambda: connection.load(b"", labels="a=1"), TypeError, "labels: expected a mapping"),
            (lambda: connection.load(b"", leak=True), TypeError, "leak")):
        with pytest.raises(error, match=text):
            call()
    connection.close()
