"""The page, and how it stands in a notebook."""

import html
import html.parser
import stat

import pytest

import jfrtree


class Frames(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


def test_it_shows_itself_in_a_frame_that_reaches_nothing(mixed):
    graph = jfrtree.open(mixed).profile("lock").flamegraph(title='<"&> title', height=420)
    parser = Frames()
    parser.feed(graph._repr_html_())
    assert [tag for tag, _ in parser.found] == ["iframe"]
    frame = parser.found[0][1]
    assert frame["sandbox"] == "allow-scripts"
    assert frame["title"] == '<"&> title'
    assert "height: 420px" in frame["style"]
    # What the browser gets for srcdoc is the page, to the letter.
    assert frame["srcdoc"] == graph.html
    assert "<title>&lt;" in graph.html


def test_it_needs_no_network(mixed):
    page = jfrtree.open(mixed).flamegraph().html
    assert "default-src 'none'" in page
    assert "<script src" not in page and "<link rel=\"stylesheet\"" not in page


def test_save(mixed, tmp_path):
    graph = jfrtree.open(mixed).profile("lock").flamegraph()
    path = tmp_path / "lock.html"
    graph.save(path)
    assert path.read_text(encoding="utf-8") == graph.html
    assert stat.S_IMODE(path.stat().st_mode) & stat.S_IRUSR
    graph.save(str(path))
    assert [other.name for other in tmp_path.iterdir()] == ["lock.html"]
    with pytest.raises(jfrtree.IoError) as caught:
        graph.save(tmp_path / "nowhere" / "lock.html")
    assert isinstance(caught.value, FileNotFoundError)


def test_the_page_is_that_of_the_command_line(mixed, tmp_path):
    import subprocess
    import sys

    subprocess.run([sys.executable, "-m", "jfrtree", "convert", str(mixed), "-q", "-p", "lock", "-o",
                    str(tmp_path / "lock.html")], check=True)
    graph = jfrtree.open(mixed).profile("lock").flamegraph()
    assert graph.html == (tmp_path / "lock.html").read_text(encoding="utf-8")


def test_several_kinds_in_one_page(mixed):
    recording = jfrtree.open(mixed)
    assert len(recording.flamegraph(["cpu", "lock"]).html) > len(
        recording.profile("cpu").flamegraph().html)
    assert repr(recording.flamegraph(["lock"])).startswith("<FlameGraph 'jdk17-mixed.jfr', ")
