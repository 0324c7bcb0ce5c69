"""`jfrtree clickhouse tree` as ClickHouse runs it. What is expected comes from SQL on the same rows,
or from `jfrtree convert`."""

import csv
import json
import os
import random
import subprocess

import pytest

from tree_server import QueryError, Server

NODES = "ord UInt64, level UInt32, value UInt64, self UInt64, label String"
BOTH = NODES + ", valueRight UInt64, selfRight UInt64"
ARRAY = "Array(Tuple(level UInt32, value UInt64, self UInt64, label String))"
FUNCTION = """<function><type>{type}</type><name>{name}</name><return_type>{result}</return_type>
<argument><type>Array(Array(String))</type><name>stacks</name></argument>
<argument><type>Array(UInt64)</type><name>values</name></argument>
<format>{format}</format><command>jfrtree clickhouse tree --function --input-format {format} {more}</command>
<stderr_reaction>throw</stderr_reaction>{settings}</function>"""
HEADER = "<send_chunk_header>1</send_chunk_header>"
FUNCTIONS = "".join([
    FUNCTION.format(type="executable_pool", name="treePool", result=ARRAY, format="RowBinary",
                    more="--chunk-header", settings=HEADER),
    FUNCTION.format(type="executable_pool", name="treePoolPlain", result=ARRAY, format="TSV",
                    more="", settings=""),
    FUNCTION.format(type="executable", name="treeOnce", result=ARRAY, format="TSV", more="",
                    settings=""),
    FUNCTION.format(type="executable", name="flamebearerOnce", result="String", format="RowBinary",
                    more="--format flamebearer", settings=""),
])
# Every kind of character that a format may have to escape, and texts of all lengths.
ODD = ["", "a", "it's", "back\\slash", "tab\there", "line\nfeed", "cr\rhere", "nul\0", "[x]", "a,b",
       "emoji \U0001f525", "\x01\x7f", "com.example.Outer$Inner.<init>", "x" * 300, "b\b\f"]


def random_rows(seed, count):
    chosen = random.Random(seed)
    names = ODD + [f"com.example.Class{i}.method{i % 7}" for i in range(60)]
    rows = {}
    for _ in range(count):
        depth = chosen.randrange(0, 25)
        stack = tuple(names[min(len(names) - 1, int(chosen.expovariate(0.08)))]
                      for _ in range(depth))
        rows[stack] = (chosen.randrange(1, 1000), chosen.randrange(0, 1000))
    rows[("com.example.Deep.recurse",) * 1000] = (17, 3)
    return rows


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    made = Server(tmp_path_factory.mktemp("server"), FUNCTIONS)
    made.query("CREATE TABLE samples (st Array(String), c UInt64, c2 UInt64) "
               "ENGINE = MergeTree ORDER BY tuple()")
    lines = [json.dumps({"st": stack, "c": left, "c2": right})
             for stack, (left, right) in random_rows(49, 1200).items()]
    for part in (lines[::2], lines[1::2]):  # twice the same stacks: they must be summed
        made.query("INSERT INTO samples FORMAT JSONEachRow", "\n".join(lines).encode())
        made.query("INSERT INTO samples FORMAT JSONEachRow", "\n".join(part).encode())
    yield made
    made.close()


# Each prefix of a stack is a node: the plain way, in the order of the frames' bytes.
PREFIXES = """SELECT rowNumberInAllBlocks() AS ord, * FROM (
  WITH grouped AS (SELECT st, sum(c) AS n, sum(c2) AS n2 FROM samples GROUP BY st)
  SELECT toUInt32(length(path)) AS level, sum(n) AS value, sumIf(n, leaf) AS self,
    if(empty(path), 'total', path[-1]) AS label, sum(n2) AS valueRight, sumIf(n2, leaf) AS selfRight
  FROM (SELECT arrayJoin(range(toUInt64(0), length(st) + 1)) AS lv, arraySlice(st, 1, lv) AS path,
    n, n2, length(st) = lv AS leaf FROM grouped)
  GROUP BY path ORDER BY path SETTINGS max_threads = 1)"""
# Running sums of hashes as ids, stacks ranked: the fast way.
RANKED = """WITH grouped AS (SELECT st, sum(c) AS n FROM samples GROUP BY st),
 hashed AS (SELECT st, n, length(st) AS depth, arrayPushFront(st, 'total') AS names,
   arrayPushFront(arrayCumSum(arrayMap((f, i) -> cityHash64(f, i), st, arrayEnumerate(st))),
     toUInt64(0)) AS ids FROM grouped),
 ranked AS (SELECT *, row_number() OVER (ORDER BY st) AS rn FROM hashed)
SELECT toUInt32(any(lv)) AS level, sum(n) AS value, sumIf(n, lv = depth) AS self, any(name) AS label
FROM ranked ARRAY JOIN names AS name, ids AS id, range(length(names)) AS lv
GROUP BY id ORDER BY min(rn), level"""


def executable(arguments, columns=NODES, query="SELECT st, sum(c) FROM samples GROUP BY st",
               form="RowBinary", settings="command_read_timeout = 60000"):
    return (f"SELECT * FROM executable('jfrtree clickhouse tree --input-format {form} {arguments}',"
            f" {form}, '{columns}', ({query}), SETTINGS stderr_reaction = 'throw',"
            f" {settings})")


def nodes(server, *arguments, **more):
    return server.rows(executable(*arguments, **more) + " ORDER BY ord")


@pytest.mark.parametrize("form", ["RowBinary", "TSV"])
def test_is_the_tree_that_sql_makes(server, form):
    found = nodes(server, "--max-nodes 0", form=form)
    expected = [row[:5] for row in server.rows(PREFIXES)]
    assert len(expected) > 5000
    assert found == expected
    assert [row[1:] for row in found] == server.rows(RANKED)


@pytest.fixture(scope="module")
def whole(server):
    """All nodes, which the first test compares with SQL."""
    return nodes(server, "--max-nodes 0")


def test_sums_rows_that_were_not_grouped(server, whole):
    assert nodes(server, "--max-nodes 0", query="SELECT st, c FROM samples") == whole


def test_keeps_the_order_without_order_by(server, whole):
    assert server.rows(executable("--max-nodes 0")) == whole


def test_compares_two_values(server):
    found = nodes(server, "--values 2 --max-nodes 0", BOTH,
                  "SELECT st, sum(c), sum(c2) FROM samples GROUP BY st")
    expected = [row for row in server.rows(PREFIXES) if row[2] != "0" or row[5] != "0"]
    assert [row[1:] for row in found] == [row[1:] for row in expected]


def test_takes_leaf_first_stacks_and_int64(server, whole):
    assert nodes(server, "--leaf-first --max-nodes 0",
                 query="SELECT arrayReverse(st), toInt64(sum(c)) FROM samples GROUP BY st") == whole


@pytest.mark.parametrize("kind, type", [("ids", "UInt64"), ("ids32", "UInt32")])
@pytest.mark.parametrize("form", ["RowBinary", "TSV"])
@pytest.mark.parametrize("header", ["", "--chunk-header"])
def test_takes_ids_and_a_dictionary(server, whole, kind, type, form, header):
    ids = (f"SELECT arrayMap(f -> to{type}(cityHash64(f) % 4000000000), st), sum(c) FROM samples "
           "GROUP BY st")
    names = (f"SELECT DISTINCT to{type}(cityHash64(f) % 4000000000), f FROM samples "
             "ARRAY JOIN st AS f")
    settings = "command_read_timeout = 60000" + (", send_chunk_header = 1" if header else "")
    query = executable(f"--max-nodes 0 --frames {kind} {header}", query=ids, form=form,
                       settings=settings).replace(f"({ids})", f"({ids}), ({names})")
    assert server.rows(query + " ORDER BY ord") == whole


def test_inputs_are_read_at_the_same_time(server):
    """Either may be large and the other late: a write that is not taken ends the query after 2 s."""
    ids = "SELECT [number, number + 1], toUInt64(1) FROM numbers({})"
    names = "SELECT number, repeat('x', 200) || toString(number) FROM numbers({})"
    late = "5) WHERE sleepEachRow(1) = 0 SETTINGS max_block_size = 1"
    many = "200000)"
    for first, second in ((late, many), ("199999)", late.replace("5)", "200001, 5)"))):
        # The late part of the dictionary holds ids that no stack has; the others come first.
        texts = names.replace("numbers({})", f"numbers({second}")
        if second != many:
            texts = f"{names.format(200001)} UNION ALL {texts}"
        query = executable("--frames ids", query="@", settings="command_read_timeout = 60000, "
                           "command_write_timeout = 2000").replace(
            "(@)", f"({ids.replace('numbers({})', f'numbers({first}')}), ({texts})")
        assert server.rows(query)[0][2] in ("5", "199999")


def test_says_which_id_has_no_text(server):
    query = executable("--frames ids", query="@").replace(
        "(@)", "(SELECT [toUInt64(7), 8], toUInt64(1)), (SELECT toUInt64(7), 'seven')")
    with pytest.raises(QueryError, match="the frame id 8 is not in the dictionary"):
        server.rows(query)


def test_executable_table(server, whole):
    server.query(f"CREATE TABLE tree ({NODES}) ENGINE = Executable('jfrtree clickhouse tree "
                 "--chunk-header --max-nodes 0', RowBinary, (SELECT st, sum(c) FROM samples GROUP BY "
                 "st)) SETTINGS send_chunk_header = 1, command_read_timeout = 60000")
    assert server.rows("SELECT * FROM tree ORDER BY ord") == whole


def test_pool_table_answers_again_and_again(server, whole):
    server.query(f"CREATE TABLE pool ({NODES}) ENGINE = ExecutablePool('jfrtree clickhouse tree "
                 "--pool --max-nodes 0', RowBinary, (SELECT st, sum(c) FROM samples GROUP BY st)) "
                 "SETTINGS send_chunk_header = 1, pool_size = 1, command_read_timeout = 60000")
    for _ in range(3):
        assert server.rows("SELECT * FROM pool ORDER BY ord") == whole


@pytest.mark.parametrize("name", ["treePool", "treePoolPlain", "treeOnce"])
def test_function_answers_each_group(server, name):
    # Numbers of samples in three groups, so that there are three trees.
    grouped = ("SELECT length(st) % 3 AS g, st, sum(c) AS n FROM samples WHERE length(st) < 100 "
               "GROUP BY st")
    trees = (f"SELECT g, {name}(groupArray(st), groupArray(n)) AS ts FROM ({grouped}) GROUP BY g "
             "ORDER BY g")
    found = server.rows(f"SELECT g, t.1, t.2, t.3, t.4 FROM ({trees}) ARRAY JOIN ts AS t")
    expected = []
    for group in range(3):
        rows = nodes(server, "", query="SELECT st, sum(c) FROM samples WHERE length(st) < 100 AND "
                     f"length(st) % 3 = {group} GROUP BY st")
        expected += [[str(group)] + row[1:] for row in rows]
    assert found == expected


def test_function_gives_flamebearer(server):
    answer = server.query("SELECT flamebearerOnce([['a','b'],['a']], [3, 2]) FORMAT TSVRaw")
    assert json.loads(answer)["flamebearer"]["numTicks"] == 5


def test_flamebearer_and_collapsed(server):
    text = server.query(executable("--format flamebearer", "json String") + " FORMAT TSVRaw")
    total = int(server.rows("SELECT sum(c) FROM samples")[0][0])
    assert json.loads(text)["flamebearer"]["numTicks"] == total
    lines = server.rows(executable("--format collapsed", "line String"))
    assert sum(int(line[0].rsplit(" ", 1)[1]) for line in lines) == total
    assert len(lines) == int(server.rows("SELECT uniqExact(st) FROM samples")[0][0])


def test_default_is_the_cut_of_convert(server, tmp_path):
    """Names without anything to escape, since collapsed stacks are the way to convert."""
    plain = "SELECT arrayMap(f -> toString(cityHash64(f) % 500), st) AS s, sum(c) AS n FROM samples " \
            "WHERE notEmpty(st) GROUP BY s"
    lines = server.query(f"SELECT arrayStringConcat(s, ';') || ' ' || toString(n) FROM ({plain}) "
                         "FORMAT TSVRaw")
    (tmp_path / "stacks.txt").write_bytes(lines)
    for arguments in ("", "--max-nodes 100", "--min-width 0.5", "--reverse", "--max-nodes 0"):
        made = subprocess.run([os.environ["JFRTREE_PROGRAM"], "convert", tmp_path / "stacks.txt",
                               "--format", "nested-set", "-q", *arguments.split()],
                              capture_output=True, check=True).stdout.decode()
        expected = [list(row) for row in csv.reader(made.splitlines())][1:]
        found = nodes(server, arguments, query=plain)
        assert [row[1:] for row in found] == expected


def test_other_keeps_totals(server):
    found = nodes(server, "--other 20 --max-nodes 0")
    top = "SELECT st, sum(c) AS n FROM samples GROUP BY st ORDER BY n DESC LIMIT 20"
    total, kept = server.rows(f"SELECT (SELECT sum(c) FROM samples), (SELECT sum(n) FROM ({top}))")[0]
    assert found[0][2] == total
    assert [row for row in found if row[4] == "(other)"][0][2:4] == [str(int(total) - int(kept))] * 2


def test_no_rows_make_a_root(server):
    assert nodes(server, "", query="SELECT st, c FROM samples WHERE 0") == [
        ["0", "0", "0", "0", "total"]]
    assert nodes(server, "", query="SELECT st, c FROM samples WHERE 0", form="TSV") == [
        ["0", "0", "0", "0", "total"]]


def test_output_that_is_not_read_to_its_end(server):
    for _ in range(3):
        assert len(server.rows(executable("--max-nodes 0") + " LIMIT 5")) == 5


def test_wrong_rows_are_the_error_of_the_query(server):
    with pytest.raises(QueryError, match="the value -3 is negative"):
        nodes(server, "", query="SELECT ['a'], toInt64(-3)")
    with pytest.raises(QueryError, match="row 1: "):
        nodes(server, "", query="SELECT ['a'], toUInt32(3)")
    with pytest.raises(QueryError, match="row 1: a column with a value is missing"):
        nodes(server, "", query="SELECT ['a']", form="TSV")


def test_error_behind_much_input(server):
    """The rest of the input is read: the server must not see a broken pipe instead."""
    with pytest.raises(QueryError, match="is negative"):
        nodes(server, "", query="SELECT [toString(number)], toInt64(number = 0 ? -1 : 1) FROM "
              "numbers(3000000)")


def test_input_that_comes_late(server):
    """The clock for reading runs from the start: 15 s of waiting need the setting, and no more."""
    slow = ("SELECT st, c FROM (SELECT ['a', 'b'] AS st, toUInt64(number) AS c FROM numbers(5)) "
            "WHERE sleepEachRow(3) = 0 SETTINGS max_block_size = 1, "
            "function_sleep_max_microseconds_per_block = 60000000")
    assert nodes(server, "", query=slow)[0][2] == "10"
