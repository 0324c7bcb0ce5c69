"""What is given wrong is said by the name of the argument."""

import pytest

import jfrtree


@pytest.fixture
def recording(mixed):
    return jfrtree.open(mixed)


@pytest.mark.parametrize(("options", "error", "text"), [
    ({"tid": "x"}, TypeError, "tid"),
    ({"tid": -1}, TypeError, "tid"),
    ({"skip": 2**64}, TypeError, "skip"),
    ({"depth": 2**64}, TypeError, "depth"),
    ({"by_thread": "no"}, TypeError, "by_thread"),
    ({"lines": "x"}, TypeError, "lines"),
    ({"event": ""}, jfrtree.UsageError, "event"),
    ({"event": 5}, TypeError, "event"),
    ({"kind": ""}, jfrtree.UsageError, "kind"),
])
def test_of_profile(recording, options, error, text):
    with pytest.raises(error, match=text):
        recording.profile(**options)


@pytest.mark.parametrize("options", [
    {"threads": 10**20}, {"limits": {"chunk_bytes": -1}}, {"limits": {"chunk_bytes": 2**64}},
])
def test_of_open(mixed, options):
    with pytest.raises(TypeError, match=next(iter(options))):
        jfrtree.open(mixed, **options)


def test_several_profiles_are_kinds(recording):
    for arguments in ({"event": "jdk.ThreadPark"}, {"kinds": []}):
        with pytest.raises(jfrtree.UsageError, match=next(iter(arguments))):
            recording.read_profiles(**arguments)
        with pytest.raises(jfrtree.UsageError, match=next(iter(arguments))):
            recording.flamegraph(**arguments)
    with pytest.raises(jfrtree.UsageError, match="columns"):
        recording.events("jdk.ThreadPark", columns=[])


def test_a_diff_of_events(recording):
    comparison = jfrtree.diff(recording, recording, event="jdk.ThreadPark")
    assert comparison.kind == "jdk.ThreadPark"
    assert comparison.left.count == recording.info.events["jdk.ThreadPark"]


def test_a_file_needs_a_path(recording, capfd):
    with pytest.raises(TypeError, match="path"):
        recording.profile("cpu").write(None, "html")
    assert capfd.readouterr().out == ""


def test_readers_of_streams_raise_what_is_wrong_with_the_input(mixed, tmp_path):
    pytest.importorskip("pyarrow")
    pytest.importorskip("polars")
    data = mixed.read_bytes()
    events = jfrtree.open(data + data[:300_000], strict=True).events("jdk.ThreadPark")
    for read in (events.to_arrow, events.to_polars, events.to_pandas,
                 lambda: list(events.batches()),
                 lambda: events.write_parquet(tmp_path / "events.parquet")):
        with pytest.raises(jfrtree.FormatError) as raised:
            read()
        assert raised.value.chunk == 2
    assert list(tmp_path.iterdir()) == []


def test_an_input_is_not_overwritten(mixed, tmp_path):
    copy = tmp_path / "copy.jfr"
    copy.write_bytes(mixed.read_bytes())
    before = copy.read_bytes()
    (tmp_path / "link.jfr").symlink_to(copy)
    profile = jfrtree.open(copy).profile("cpu")
    of_folder = jfrtree.open(tmp_path).profile("cpu")
    merged = jfrtree.merge([jfrtree.open(mixed).profile("cpu"), profile])
    for write in (
            lambda: profile.write(copy, "html"),
            lambda: profile.write(tmp_path / "link.jfr", "parquet"),
            lambda: of_folder.write(copy, "collapsed"),
            lambda: merged.write(copy, "html"),
            lambda: jfrtree.diff(merged, profile).write(copy, "html"),
            lambda: jfrtree.clickhouse.rows(copy, copy)):
        with pytest.raises(jfrtree.UsageError, match="overwritten"):
            write()
    assert copy.read_bytes() == before
    of_folder.write(tmp_path / "beside.collapsed")
    of_folder.write(tmp_path / "beside.collapsed")


@pytest.mark.parametrize("given", ["path", "folder", "file object", "relative path"])
def test_pages_and_tables_do_not_overwrite_an_input(mixed, tmp_path, monkeypatch, given):
    copy = tmp_path / "copy.jfr"
    copy.write_bytes(mixed.read_bytes())
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "link").hardlink_to(copy)
    monkeypatch.chdir(tmp_path)
    if given == "file object":
        with open("copy.jfr", "rb") as file:
            recording = jfrtree.open(file)
    else:
        recording = jfrtree.open({"path": copy, "folder": tmp_path}.get(given, "copy.jfr"))
    profile = recording.profile("cpu")
    graphs = (profile.flamegraph(), recording.flamegraph(["cpu", "lock"]),
              jfrtree.diff(profile, profile).flamegraph())
    tables = (profile.samples, profile.stacks, profile.tree, profile.top(),
              jfrtree.diff(profile, profile).table, recording.events("jdk.ThreadPark"))
    monkeypatch.chdir("elsewhere")
    for graph in graphs:
        for path in (copy, "../copy.jfr") if given == "folder" else (copy, "link"):
            with pytest.raises(jfrtree.UsageError, match="same file as an input"):
                graph.save(path)
    pytest.importorskip("pyarrow")
    for table in tables:
        with pytest.raises(jfrtree.UsageError, match="same file as an input"):
            table.write_parquet(copy)
    monkeypatch.chdir(tmp_path)
    assert copy.read_bytes() == mixed.read_bytes()
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["copy.jfr"]
    profile.flamegraph().save(tmp_path / "page.html")
    profile.samples.write_parquet(tmp_path / "samples.parquet")
    recording.events("jdk.ThreadPark").write_parquet(tmp_path / "events.parquet")
    if given == "path":  # what is known is the file, not its name
        copy.unlink()
        profile.flamegraph().save(copy)
        assert copy.read_bytes()[:15] == b"<!DOCTYPE html>"


def test_only_pages_have_titles(recording, tmp_path):
    profile = recording.profile("cpu")
    profile.write(tmp_path / "out.html", title="x")
    for format in ("collapsed", "parquet", "flamebearer"):
        with pytest.raises(jfrtree.UsageError, match="title"):
            profile.write(tmp_path / "out", format, title="x")
    with pytest.raises(jfrtree.UsageError, match="title"):
        jfrtree.diff(profile, profile).write(tmp_path / "out.json", title="x")
    assert [path.name for path in tmp_path.iterdir()] == ["out.html"]


@pytest.mark.parametrize(("height", "error"), [
    (0, jfrtree.UsageError), (-5, jfrtree.UsageError), ("600px", TypeError), (1.5, TypeError),
])
def test_height_of_a_flame_graph(recording, height, error):
    with pytest.raises(error, match="height"):
        recording.profile("cpu").flamegraph(height=height)


def test_parquet_as_bytes(recording, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    import io

    profile = recording.profile("lock")
    profile.write(tmp_path / "out.parquet")
    table = parquet.read_table(io.BytesIO(profile.to_bytes("parquet")))
    assert table.equals(parquet.read_table(tmp_path / "out.parquet"))
    assert sum(table.column("count").to_pylist()) == 85
    for call in (lambda: profile.to_bytes("nonsense"), lambda: profile.write("x.nonsense")):
        with pytest.raises(jfrtree.UsageError, match="parquet"):
            call()


@pytest.mark.parametrize(("options", "words"), [
    ({"state": "NOWHERE"}, "state: no thread state"),
    ({"min_duration": "1ms"}, "min_duration: no event"),
    ({"context": "nothing=1"}, "context: no event"),
])
def test_messages_have_names_of_keywords(recording, options, words):
    with pytest.raises(jfrtree.ProfileNotFound) as raised:
        recording.profile("cpu", **options)
    assert words in str(raised.value) and "--" not in str(raised.value)


def test_limits_are_raised_by_keywords(mixed):
    for limits in ({"profile_frames": 10}, {"chunk_bytes": 5000}):
        name = next(iter(limits))
        with pytest.raises(jfrtree.LimitError, match=r"limits=\{'" + name + r"': N\}") as raised:
            jfrtree.open(mixed, limits=limits).profile("cpu")
        assert "--" not in str(raised.value)
    with pytest.warns(jfrtree.RecordingWarning, match="stack_frames"):
        profile = jfrtree.open(mixed, limits={"stack_frames": 3}).profile("cpu")
    found = [one for one in (*profile.notes, *profile.problems) if "stack_frames" in str(one)]
    assert found and all("limits={'stack_frames': N}" in one.message for one in found)


def test_warnings_are_those_of_the_caller(mixed):
    data = mixed.read_bytes()
    polars = pytest.importorskip("polars")
    events = jfrtree.open(data + data[:300_000]).events("jdk.ThreadPark")
    with pytest.warns(jfrtree.RecordingWarning) as caught:
        polars.DataFrame(events)
    assert caught[0].filename == __file__
    with pytest.warns(jfrtree.RecordingWarning) as caught:
        events.to_pandas()
    assert caught[0].filename == __file__
