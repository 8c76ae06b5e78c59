"""The file of what was measured on a GPU: it grows by a case at a time.

    runs:   when, on what, and with which versions; the peers that could not be used
    cases:  operation, dtype, rows, columns, peer ("rudnn": ours), the number of the
            run, and what was measured or the reason why it was not
"""

import json
import os

OURS = "rudnn"
_KEY = ("operation", "dtype", "rows", "columns", "peer")


class Results:
    def __init__(self, path):
        self.path = path
        self.runs, self.cases = [], []

    def load(self):
        """Reads the file; raises OSError or ValueError where it cannot be used."""
        read = json.loads(self.path.read_text())
        if not isinstance(read, dict) or not {"runs", "cases"} <= read.keys():
            raise ValueError("expected an object with runs and cases")
        self.runs, self.cases = read["runs"], read["cases"]

    def save(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        written = self.path.with_suffix(".tmp")
        written.write_text(json.dumps({"runs": self.runs, "cases": self.cases}, indent=1) + "\n")
        os.replace(written, self.path)

    def find(self, case, peer):
        """What is known of a case, or None."""
        key = tuple({**case, "peer": peer}[name] for name in _KEY)
        return next((c for c in self.cases if tuple(c[name] for name in _KEY) == key), None)

    def has(self, case, peer, is_strict):
        """Whether a case needs no further measuring; strictly, only what this very run
        has measured does not."""
        known = self.find(case, peer)
        if not known or not is_strict:
            return bool(known)
        return known["run"] == len(self.runs) - 1 and "error" not in known

    def start_run(self, description):
        """Counts on with the last run if it was under the same conditions."""
        if not self.runs or any(self.runs[-1][name] != value
                                for name, value in description.items()):
            self.runs.append({**description, "peers": {}})

    def add_peer(self, peer, answer):
        self.runs[-1]["peers"][peer] = answer
        self.save()

    def add(self, case, peer, answer):
        known = self.find(case, peer)
        if known:
            self.cases.remove(known)
        self.cases.append({**case, "peer": peer, "run": len(self.runs) - 1, **answer})
        self.save()

    def get_ratio(self, measured):
        """The time of a copy of as many bytes by that of the function. Which of its ways
        to copy a library takes depends on how it was asked: the fastest that was
        measured of about so many bytes on this GPU is what all are held against."""
        rate = max(_get_rate(other["copy"]) for other in self.cases
                   if "copy" in other and self._is_like(other, measured)
                   and _is_near(other["copy"]["bytes"], measured["copy"]["bytes"]))
        return measured["bytes"] / rate / measured["function"]["median_us"]

    def _is_like(self, one, other):
        """Whether both were measured on the same kind of GPU, with the same driver."""
        conditions = [self.runs[case["run"]]["gpu"] for case in (one, other)]
        return conditions[0] == conditions[1]


def _is_near(one, other):
    return abs(one - other) <= 0.02 * other


def _get_rate(copy):
    return copy["bytes"] / copy["median_us"]
