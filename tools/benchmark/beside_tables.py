"""The part of the CPU's page on other libraries."""

import statistics

from benchmark.beside import FAMILIES, OPERATIONS, OURS
from benchmark.commands import format_commit
from benchmark.modules import TITLES, describe
from benchmark.pages import make_table
from benchmark.peer_process import get_family

_CASE = ("operation", "dtype", "rows", "columns")


def make_beside(results):
    """A row for each case, with all libraries; then what could not be measured, and on
    what it was."""
    if "beside" not in results:
        return "## Beside others\n\nNothing was measured yet."
    beside = results["beside"]
    keys = dict.fromkeys(tuple(case[name] for name in _CASE) for case in beside["cases"])
    rows = [_make_row(beside["cases"], dict(zip(_CASE, key)))
            for key in sorted(keys, key=lambda key: OPERATIONS.index(key[0]))]
    header = ["operation", "type", "M x N", "ours us (ratio)>",
              *[f"{title} us (ratio)>" for title in FAMILIES.values()], "best of these by ours"]
    parts = ["## Beside others", make_table(header, rows), *_make_failures(beside),
             make_table(["", ""], _describe_run(beside))]
    return "\n\n".join(parts)


def _make_row(cases, case):
    ours = _find_fastest(cases, case, OURS)
    others = {family: _find_fastest(cases, case, family) for family in FAMILIES}
    return [TITLES[case["operation"]], case["dtype"], f"{case['rows']} x {case['columns']}",
            _make_cell(ours), *map(_make_cell, others.values()), _compare(ours, others)]


def _find_fastest(cases, case, family):
    """Of the variants of a library the fastest; one that failed only if all did."""
    known = [c for c in cases if get_family(c["peer"]) == family
             and all(c[name] == value for name, value in case.items())]
    timed = [c for c in known if "error" not in c]
    return min(timed, key=_get_us) if timed else (known[0] if known else None)


def _get_us(measured):
    return statistics.median(r["function"]["median_us"] for r in measured["rounds"])


def _make_cell(measured):
    if not measured:
        return "-"
    if "error" in measured:
        return "failed"
    ratio = statistics.median(r["ratio"] for r in measured["rounds"])
    return f"{_get_us(measured):.0f} ({ratio:.3f})"


def _compare(ours, others):
    times = {family: _get_us(measured) for family, measured in others.items()
             if measured and "error" not in measured}
    if not times or not ours:
        return "-"
    best = min(times, key=times.get)
    return f"{times[best] / _get_us(ours):.2f} ({FAMILIES[best]})"


def _make_failures(beside):
    lines = [f"- {peer}: {answer['error']}" for peer, answer in beside["peers"].items()
             if "error" in answer]
    shapes = {}
    for case in beside["cases"]:
        if "error" in case:
            shapes.setdefault((case["peer"], case["error"]), []).append(describe(case))
    lines += [f"- {peer}, {'; '.join(cases)}: {error}" for (peer, error), cases in shapes.items()]
    return ["Not measured:\n\n" + "\n".join(lines)] if lines else []


def _describe_run(beside):
    versions = {}
    for peer in beside["peers"].values():
        versions.update(peer.get("versions", {}))
    machine, options = beside["machine"], beside["options"]
    return [["date", beside["date"]],
            ["CPU", f"{machine['cpu']}, {machine['cpus']} CPUs"],
            ["load before", f"{machine['load_before']:.2f}"],
            ["commit", format_commit(beside["build"])],
            ["threads", str(options["threads"])],
            ["rounds", f"{options['rounds']} of {options['seconds']:g} s"],
            *[[package, version] for package, version in versions.items()]]
