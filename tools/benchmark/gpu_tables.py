"""The tables of the GPU's pages, from what was measured."""

from benchmark.commands import format_commit
from benchmark.gpu_cases import BY_LENGTH, COMPILE_BAR_MS, find_ratio_bar
from benchmark.gpu_results import OURS
from benchmark.modules import TITLES, describe
from benchmark.pages import judge_least, judge_most, make_table
from benchmark.peer_process import FAMILIES, get_family

NOTHING = "Nothing was measured yet."


def format_us(time):
    """With about as many digits as repeat."""
    digits = 2 if time < 10 else 1 if time < 1000 else 0
    return f"{time:.{digits}f}"


def get_us(measured):
    return measured["function"]["median_us"]


def list_cases(results, operations):
    """The cases of these operations that anything is known of, longer rows later."""
    keys = {(c["operation"], c["dtype"], c["rows"], c["columns"]) for c in results.cases
            if c["operation"] in operations}
    order = list(operations)
    cases = [dict(zip(("operation", "dtype", "rows", "columns"), key)) for key in keys]
    return sorted(cases, key=lambda c: (order.index(c["operation"]), c["dtype"], c["columns"],
                                        c["rows"]))


def find_fastest(results, case, family):
    """Of the variants of a peer the fastest; one that failed only if all did."""
    known = [c for c in results.cases if get_family(c["peer"]) == family
             and all(c[name] == value for name, value in case.items())]
    timed = [c for c in known if "function" in c]
    return min(timed, key=get_us) if timed else (known[0] if known else None)


def find_best_peer(results, case):
    found = [find_fastest(results, case, family) for family in FAMILIES]
    return min((c for c in found if c and "function" in c), key=get_us, default=None)


def make_own_cells(results, case):
    """us, GB/s, ratio, bar and whether it is met."""
    ours, bar = results.find(case, OURS), find_ratio_bar(case)
    asked = f">= {bar:.2f}" if bar else ""
    if not ours or "error" in ours:
        return ["failed" if ours else "-", "", "", asked, "missed" if ours and bar else ""]
    ratio = results.get_ratio(ours)
    return [format_us(get_us(ours)), f"{ours['bytes'] / get_us(ours) / 1e3:.0f}", f"{ratio:.3f}",
            asked, judge_least(ratio, bar) if bar else ""]


def make_peer_cell(measured):
    if not measured:
        return "-"
    return "failed" if "error" in measured else format_us(get_us(measured))


def compare(results, case):
    ours, best = results.find(case, OURS), find_best_peer(results, case)
    if not best or not ours or "error" in ours:
        return "-"
    return f"{get_us(best) / get_us(ours):.2f} ({FAMILIES[get_family(best['peer'])]})"


def make_speed(results):
    own = ["type", "M x N", "us>", "GB/s>", "ratio>", "bar", ""]
    header = own + [f"{title} us>" for title in FAMILIES.values()] + ["best of these by ours"]
    parts = []
    for operation in ("forward", "backward"):
        rows = [[case["dtype"], f"{case['rows']} x {case['columns']}",
                 *make_own_cells(results, case),
                 *[make_peer_cell(find_fastest(results, case, family)) for family in FAMILIES],
                 compare(results, case)]
                for case in list_cases(results, [operation])]
        if rows:
            title = TITLES[operation]
            parts.append(f"## {title[0].upper()}{title[1:]}\n\n{make_table(header, rows)}")
    return "\n\n".join(parts + make_failures(results)) or NOTHING


def make_failures(results):
    """A list of what could not be measured, with the reasons."""
    lines = [f"- {peer}: {answer['error']}" for run in results.runs
             for peer, answer in run["peers"].items() if "error" in answer]
    shapes = {}
    for case in results.cases:
        if "error" in case:
            shapes.setdefault((case["peer"], case["error"]), []).append(describe(case))
    lines += [f"- {peer}, {'; '.join(cases)}: {error}" for (peer, error), cases in shapes.items()]
    return ["Not measured:\n\n" + "\n".join(dict.fromkeys(lines))] if lines else []


def make_masked(results):
    rows = [[TITLES[case["operation"]], case["dtype"], f"{case['rows']} x {case['columns']}",
             *make_own_cells(results, case)] for case in list_cases(results, ["dx", "dgamma"])]
    header = ["operation", "type", "M x N", "us>", "GB/s>", "ratio>", "bar", ""]
    return "## One gradient\n\n" + make_table(header, rows) if rows else NOTHING


def make_compile(results):
    """For each operation and type the case that took longest."""
    worst = {}
    for case in results.cases:
        if "compile_ms" in case:
            key = (case["operation"], case["dtype"])
            worst[key] = max(worst.get(key, case), case, key=lambda c: c["compile_ms"]["total"])
    rows = [[TITLES[operation], dtype, f"{case['rows']} x {case['columns']}",
             f"{case['compile_ms']['total']:.0f}", f"<= {COMPILE_BAR_MS} ms",
             judge_most(case["compile_ms"]["total"], COMPILE_BAR_MS, "ms")]
            for (operation, dtype), case in sorted(worst.items())]
    header = ["operation", "type", "M x N", "ms>", "bar", ""]
    title = "## From module text to callable function\n\n"
    return title + make_table(header, rows) if rows else NOTHING


def make_machine(results):
    """A column for each run of which something is shown."""
    used = sorted({case["run"] for case in results.cases})
    runs = [results.runs[number] for number in used]
    if not runs:
        return NOTHING
    versions = {}
    for run in runs:
        for peer in run["peers"].values():
            versions.update(dict.fromkeys(peer.get("versions", {})))

    def find_version(run, package):
        found = [peer["versions"][package] for peer in run["peers"].values()
                 if package in peer.get("versions", {})]
        return found[0] if found else "-"

    rows = [
        ["date", *[run["date"] for run in runs]],
        ["GPU", *[f"{run['gpu']['name']}, {run['gpu']['memory']}" for run in runs]],
        ["driver", *[run["gpu"]["driver"] for run in runs]],
        ["clocks at most", *[f"{run['gpu']['sm_clock']}, memory {run['gpu']['memory_clock']}"
                             for run in runs]],
        ["commit", *[format_commit(run["build"]) for run in runs]],
        ["LLVM", *[run["build"]["llvm"] for run in runs]],
        ["options of norm-to-nvvm", *[run["pipeline_options"] or "none" for run in runs]],
        *[[package, *[find_version(run, package) for run in runs]] for package in versions],
    ]
    return "## Machine\n\n" + make_table(["", *["" for _ in runs]], rows)


def make_summary(results):
    """The short table: bf16 by the length of rows, as ratios to a copy."""
    def format_ratio(measured):
        return f"{results.get_ratio(measured):.2f}" if measured and "function" in measured else "-"

    rows = []
    for count, columns in BY_LENGTH:
        cells = []
        for operation in ("forward", "backward"):
            case = {"operation": operation, "dtype": "bf16", "rows": count, "columns": columns}
            best = find_best_peer(results, case)
            name = f" ({FAMILIES[get_family(best['peer'])]})" if best else ""
            cells += [format_ratio(results.find(case, OURS)), format_ratio(best) + name]
        if any(cell != "-" for cell in cells):
            rows.append([f"{count} x {columns}", *cells])
    header = ["bf16, M x N", "forward>", "best other", "backward>", "best other"]
    return make_table(header, rows) if rows else NOTHING


def make_links(plot, numbers):
    return (f"![Ratio to a copy by the length of rows, forward and backward]({plot})\n\n"
            f"All numbers: [{numbers}]({numbers}).")


def make_sections(results):
    return {"machine": make_machine(results), "speed": make_speed(results),
            "masked": make_masked(results), "compile": make_compile(results)}


def make_summary_sections(results):
    return {"gpu-speed": make_summary(results)}
