"""Runs the commands of a page of the documentation and checks what it shows.

In a page, a block of ```mlir that begins with `// NAME.mlir` is a file; a block
of ```console holds commands after `$ `; the ```mlir block that directly follows
is a part of what they print. Lines of it must be there in the same order, and
next to each other where no line `...` is between them. Within a line `...`
stands for anything. Names of values and affine maps are free, and so are spaces.

usage: run_page.py PAGE TOOL_DIRECTORY WORKING_DIRECTORY
"""

import os
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)


def normalize(line):
    line = re.sub(r"%[\w$.-]+(#\d+)?", "%", line)
    return " ".join(re.sub(r"#map\w*", "#map", line).split())


def make_pattern(line):
    parts = [re.escape(part) for part in normalize(line).split("...")]
    return re.compile(".*".join(parts).replace(r"\ .*", " ?.*"))


def find_group(group, lines, start):
    """Index after the lines that `group` matches, from `start` on, or None."""
    for at in range(start, len(lines) - len(group) + 1):
        if all(p.fullmatch(line) for p, line in zip(group, lines[at:])):
            return at + len(group)
    return None


def find_missing(shown, output):
    """The first lines of `shown` that `output` lacks, or None."""
    lines = [normalize(line) for line in output.splitlines()]
    at = 0
    for part in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE):
        at = find_group([make_pattern(line) for line in part.splitlines()], lines, at)
        if at is None:
            return part
    return None


def run_commands(text, folder, tools):
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    output = ""
    for command in text.splitlines():
        if not command.startswith("$ "):
            sys.exit(f"error: expected '$ COMMAND', got '{command}'")
        done = subprocess.run(command[2:], shell=True, cwd=folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != 0:
            sys.exit(f"error: exit code {done.returncode} of {command[2:]}\n{done.stderr}")
        output += done.stdout
    return output


def main():
    page, tools, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    output, commands, checked, end = None, 0, 0, -1
    text = page.read_text()
    for block in BLOCK.finditer(text):
        kind, content = block.groups()
        follows = block.start() == end
        end = block.end()
        name = re.match(r"// (\w+\.mlir)\n", content)
        if kind == "console":
            output = run_commands(content, folder, tools.resolve())
            commands += 1
        elif kind == "mlir" and name:
            (folder / name[1]).write_text(content)
        elif kind == "mlir" and follows and output is not None:
            missing = find_missing(content, output)
            if missing is not None:
                sys.exit(f"error: the page shows, and its command did not print:\n{missing}"
                         f"---- it printed:\n{output}")
            checked += 1
        else:
            sys.exit(f"error: neither file, commands nor what they print:\n{content}")
    print(f"{commands} blocks of commands ran, {checked} printed what the page shows")


main()
