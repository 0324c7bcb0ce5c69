"""Tables of what was measured, and the part of docs/growth.md that is made from them."""

import re

from growing import plotting

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def shown_exponent(exponent):
    return "–" if exponent is None else f"{exponent:.2f}"


def rows(result):
    """Cells of a dimension: two rows for each command."""
    for command in result["commands"]:
        cpu = [f"{cost:.3f}" for cost in command["cpu_s"]]
        memory = [f"{cost:.0f}" for cost in command["peak_mb"]]
        yield [command["name"] + ", s", *cpu, shown_exponent(command["cpu_exponent"])]
        yield [command["name"] + ", MB", *memory, shown_exponent(command["memory_exponent"])]


def heading(result):
    return [result["name"], *(f"{size:,}" for size in result["sizes"]), "exponent"]


def plain_table(result):
    table = [heading(result), *rows(result)]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]),
                   *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))])
        for row in table)


def markdown(result):
    """The section of a dimension."""
    head = heading(result)
    lines = [f"### {result['name'].capitalize()}", "", result["says"], "",
             f"![CPU and memory by {result['name']}](images/growth-{result['name']}.svg)", "",
             "| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows(result)]
    return "\n".join(lines)


def image(result):
    def series(cost):
        return [(command["name"], command[cost]) for command in result["commands"]]
    return plotting.plot(result["name"], result["sizes"], series("cpu_s"), series("peak_mb"))


def write_docs(docs, results):
    """Puts the tables between the marks in growth.md, and the plots beside the other images."""
    page = docs / "growth.md"
    sections = "\n\n".join(markdown(result) for result in results)
    measured = f"{BEGIN}\n\n{sections}\n\n{END}"
    before = page.read_text()
    after, count = re.subn(f"{BEGIN}.*{END}", lambda _: measured, before, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"{page}: the marks {BEGIN} and {END} are not there once")
    page.write_text(after)
    for result in results:
        (docs / "images" / f"growth-{result['name']}.svg").write_text(image(result))
