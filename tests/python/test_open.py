"""What can be opened, and what is said of what cannot."""

import array
import gzip
import io
import mmap
import os
import pathlib
import threading

import pytest

import jfrtree

SAMPLES = 755  # jdk.ExecutionSample of jdk17-mixed.jfr, see testdata/README.md


def cpu_samples(source, **options):
    return jfrtree.open(source, **options).profile("cpu").count


class Unseekable:
    """A binary stream that gives few bytes at a time."""

    def __init__(self, data):
        self._stream = io.BytesIO(data)

    def read(self, size):
        return self._stream.read(min(size, 10_000))


def test_paths(mixed):
    assert cpu_samples(str(mixed)) == SAMPLES
    assert cpu_samples(pathlib.Path(mixed)) == SAMPLES


def test_everything_with_a_buffer(mixed):
    data = mixed.read_bytes()
    assert cpu_samples(data) == SAMPLES
    assert cpu_samples(bytearray(data)) == SAMPLES
    assert cpu_samples(memoryview(data)) == SAMPLES
    assert cpu_samples(array.array("B", data)) == SAMPLES
    with open(mixed, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        with jfrtree.open(mapped) as recording:
            assert recording.profile("cpu").count == SAMPLES


def test_file_objects(mixed):
    with open(mixed, "rb") as file:
        recording = jfrtree.open(file)
    # It was read when it was opened, and can be read again and again.
    assert recording.profile("cpu").count == SAMPLES
    assert recording.profile("lock").count == 85
    assert recording.name == "jdk17-mixed.jfr"
    assert cpu_samples(Unseekable(mixed.read_bytes())) == SAMPLES
    with gzip.open(io.BytesIO(gzip.compress(mixed.read_bytes()))) as file:
        assert cpu_samples(file) == SAMPLES


def test_a_file_object_is_read_from_where_it_stands(mixed):
    file = io.BytesIO(b"something before" + mixed.read_bytes())
    file.seek(len(b"something before"))
    assert cpu_samples(file) == SAMPLES


def test_named_pipe(mixed, tmp_path):
    pipe = tmp_path / "pipe.jfr"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(mixed.read_bytes()))
    writer.start()
    recording = jfrtree.open(pipe)
    writer.join()
    assert recording.profile("cpu").count == SAMPLES
    assert recording.info.events["jdk.JavaMonitorEnter"] == 85


def test_compressed_bytes(mixed):
    recording = jfrtree.open(gzip.compress(mixed.read_bytes()))
    assert recording.profile("cpu").count == SAMPLES
    assert recording.info.files[0].container == "gzip"


def test_several_inputs_are_one_recording(mixed, testdata):
    other = testdata / "jdk25-mixed.jfr"  # 517 samples
    inputs = [mixed, other.read_bytes(), io.BytesIO(other.read_bytes())]
    recording = jfrtree.open(inputs)
    assert recording.profile("cpu").count == SAMPLES + 517 + 517
    assert [file.path for file in recording.info.files] == [
        str(mixed), "<bytes 2>", "<BytesIO 3>"]
    assert cpu_samples(iter([mixed, str(other)])) == SAMPLES + 517


def test_folder(mixed, testdata, tmp_path):
    (tmp_path / "a.jfr").symlink_to(mixed)
    (tmp_path / "b.jfr").symlink_to(testdata / "jdk25-mixed.jfr")
    assert cpu_samples(tmp_path) == SAMPLES + 517


def test_collapsed_stacks(tmp_path):
    path = tmp_path / "stacks.collapsed"
    path.write_text("main;run 3\nmain;walk 4\n")
    profile = jfrtree.open(path).profile()
    assert profile.kind == "collapsed"
    assert list(profile) == [(("main", "run"), 3, None), (("main", "walk"), 4, None)]


def test_paths_that_are_odd(mixed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (b"-", b"\xff\xfe.jfr", "größe 漢字.jfr".encode()):
        os.symlink(mixed, name)
        path = os.fsdecode(name)
        recording = jfrtree.open(path)
        assert recording.profile("cpu").count == SAMPLES
        assert recording.name == path


def test_a_missing_file_is_also_a_file_not_found_error(tmp_path):
    path = tmp_path / "missing.jfr"
    with pytest.raises(jfrtree.IoError) as caught:
        jfrtree.open(path)
    error = caught.value
    assert isinstance(error, FileNotFoundError) and isinstance(error, jfrtree.Error)
    assert (error.errno, error.filename, error.file) == (2, str(path), str(path))
    assert str(error) == f"{path}: No such file or directory"


def test_a_file_that_is_gone_when_it_is_read(mixed, tmp_path):
    path = tmp_path / "a.jfr"
    path.write_bytes(mixed.read_bytes())
    recording = jfrtree.open(path)
    path.unlink()
    with pytest.raises(FileNotFoundError) as caught:
        recording.profile("cpu")
    assert isinstance(caught.value, jfrtree.IoError)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("data, code", [
    (b"", "empty_input"),
    (b"This is no recording. " * 20, "not_a_recording"),
    (b"FLR\0\0\2\0\1", "too_short"),
    (b"FLR\0\0\0\0\x09" + bytes(100), "unsupported_version"),
])
def test_what_is_no_recording_is_refused_at_once(data, code):
    with pytest.raises(jfrtree.FormatError) as caught:
        jfrtree.open(data)
    assert caught.value.code == code
    assert caught.value.file == "<bytes>"


def test_wrong_types(mixed):
    for source in (42, None, object(), {"path": "x"}):
        with pytest.raises(TypeError, match="expected a path, bytes"):
            jfrtree.open(source)
    with pytest.raises(TypeError, match="binary mode"):
        with open(mixed, encoding="latin-1") as file:
            jfrtree.open(file)
    with pytest.raises(jfrtree.UsageError, match="empty list"):
        jfrtree.open([])
    with pytest.raises(ValueError, match="threads"):
        jfrtree.open(mixed, threads=0)


def test_what_read_raises_goes_on(mixed):
    class Broken:
        def read(self, size):
            raise ConnectionResetError("the other side went away")

    with pytest.raises(ConnectionResetError, match="went away"):
        jfrtree.open(Broken())


def test_labels(mixed):
    assert jfrtree.open(mixed, labels={"service": "cart"}).labels == ({"service": "cart"},)
    both = [{"host": "a"}, {"host": "b"}]
    assert jfrtree.open([mixed, mixed], labels=both).labels == ({"host": "a"}, {"host": "b"})
    with pytest.raises(jfrtree.UsageError, match="labels"):
        jfrtree.open(mixed, labels=both)
    with pytest.raises(TypeError, match="labels"):
        jfrtree.open(mixed, labels={"service": 1})


def test_a_closed_recording(mixed):
    with jfrtree.open(mixed) as recording:
        profile = recording.profile("lock")
    assert profile.count == 85
    assert "closed" in repr(recording)
    with pytest.raises(jfrtree.UsageError, match="closed"):
        recording.profile("cpu")
    data = bytearray(mixed.read_bytes())
    recording = jfrtree.open(data)
    with pytest.raises(BufferError):
        data.clear()
    recording.close()
    data.clear()


def test_limits(mixed):
    assert "chunk_bytes" in {limit.name for limit in jfrtree.limits}
    with pytest.raises(jfrtree.UsageError, match="no limit is called 'bytes'"):
        jfrtree.open(mixed, limits={"bytes": 1})
    with pytest.raises(jfrtree.LimitError, match="frame_bytes"):
        jfrtree.open(mixed, limits={"frame_bytes": 1000}).profile("cpu")


def test_threads_make_no_difference(mixed):
    one = jfrtree.open(mixed, threads=1).profile("alloc")
    four = jfrtree.open(mixed, threads=4).profile("alloc")
    assert list(one) == list(four)
