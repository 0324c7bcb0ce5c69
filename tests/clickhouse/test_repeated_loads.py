"""What a load says and does about chunks that are there already."""

import pytest
from program import TESTDATA, load, stored_sums, sums_of

MIXED = TESTDATA / "jdk17-mixed.jfr"
CHUNKS = TESTDATA / "jdk17-chunks.jfr"


@pytest.fixture(params=["embedded", "server"])
def place(request):
    """A folder or a server: its database, and options of the program."""
    database = request.getfixturevalue(request.param)
    if request.param == "embedded":
        return database, database.folder, {"library": database.library}
    return database, database.url, {}


def test_other_labels_are_told_and_change_nothing(place):
    database, where, options = place
    load(MIXED, where, "--create", "--label", "zone=a", **options)
    stored = stored_sums(database)
    text = load(MIXED, where, "--label", "zone=b", **options)
    assert "1 chunk is there already with other labels, and stays as it is: --force" in text
    assert "0 chunks, 0 rows of samples, 0 stacks" in text
    # Of another service it is found later, by its hash alone.
    text = load(MIXED, where, "--label", "zone=a", "--label", "service=cart", **options)
    assert "with other labels" in text and "0 chunks, 0 rows of samples, 0 stacks" in text
    assert stored_sums(database) == stored
    assert database.query("SELECT DISTINCT service FROM profile_stacks") == "default\n"
    text = load(MIXED, where, "--label", "zone=a", **options)
    assert "skipped 1 chunk" in text and "with other" not in text
    assert "1 replaced" in load(MIXED, where, "--label", "zone=b", "--force", **options)
    assert database.query("SELECT DISTINCT labels FROM profile_samples FINAL WHERE load_id NOT IN "
                          "(SELECT load_id FROM profile_hidden_loads)") == "{'zone':'b'}\n"


@pytest.mark.parametrize("first, second", [
    (("-p", "cpu"), ()), ((), ("-p", "cpu")), (("-p", "cpu"), ("-p", "alloc")),
    ((), ("--bucket", "1m")), ((), ("--exclude", "Thread")), ((), ("--no-normalize",))])
def test_another_selection_is_told(embedded, first, second):
    options = {"library": embedded.library}
    load(CHUNKS, embedded.folder, *first, **options)
    text = load(CHUNKS, embedded.folder, *second, **options)
    assert "4 chunks are there already with other kinds, filters, frames or buckets" in text
    assert "with other" not in load(CHUNKS, embedded.folder, *first, **options)


def test_a_cut_copy_is_replaced_by_the_whole_whatever_its_name(place, tmp_path):
    """The recording does not say of which process it is."""
    database, where, options = place
    cut = tmp_path / "cut.jfr"
    cut.write_bytes(MIXED.read_bytes()[:200_000])
    load(cut, where, "--create", code=3, **options)
    assert sum(map(int, database.query("SELECT sum(count) FROM profile_samples").split())) > 0
    assert "1 replaced" in load(MIXED, where, **options)
    assert stored_sums(database) == sums_of(MIXED)
    assert "skipped 1 chunk" in load(cut, where, code=3, **options)
    assert stored_sums(database) == sums_of(MIXED)
