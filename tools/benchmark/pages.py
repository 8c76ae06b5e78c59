"""Tables in Markdown, and pages of which a part is written anew."""

import re

from benchmark.commands import fail


def make_table(header, rows):
    """A table in Markdown; columns whose title ends with > are aligned right."""
    lines = [header, ["---:" if title.endswith(">") else "---" for title in header], *rows]
    lines[0] = [title.rstrip(">") for title in header]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def judge_least(value, bar):
    return "met" if value >= bar else f"missed by {bar - value:.3f}"


def judge_most(value, bar, unit):
    return "met" if value <= bar else f"missed by {value - bar:.0f} {unit}"


def rewrite(text, sections):
    """The page with the part between each pair of markers written anew."""
    for name, written in sections.items():
        marker = re.compile(rf"(<!-- {name}: [^\n]*-->\n).*?(<!-- end -->)", re.DOTALL)
        text, count = marker.subn(lambda m: f"{m[1]}\n{written}\n\n{m[2]}", text)
        if count != 1:
            fail(f"expected one '<!-- {name}: ... -->' with '<!-- end -->' in the page, got {count}")
    return text
