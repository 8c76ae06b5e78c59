# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check that a report of --tune is consistent, and that a cache has its winner.

Usage: check-report.py REPORT CACHE
"""

import json
import sys

report, cache = (json.load(open(path)) for path in sys.argv[1:])
tuning = report["tuning"]
candidates = tuning["candidates"]
schedules = [c["schedule"] for c in candidates]
assert len(set(schedules)) == len(schedules), schedules
assert tuning["chosen"] == schedules[0] and tuning["winner"] in schedules
assert tuning["winner_us"] <= tuning["chosen_us"], tuning
assert tuning["margin"] == 0 or tuning["margin"] >= 0.01, tuning
assert tuning["left_out"] >= 0 and tuning["budget_s"] == 1, tuning
assert all(c["median_us"] > 0 for c in candidates), candidates
assert report["ok"] and report["tuning_cache"] == sys.argv[2]

(entry,) = cache["entries"]
assert cache["format"] == "rudnn-tuning-cache" and cache["version"] == 1
assert entry["schedule"] == tuning["winner"], entry
assert entry["microseconds"] == tuning["winner_us"], entry
assert entry["margin"] == tuning["margin"], entry
assert entry["rows"] == 16 and entry["dynamic_rows"] and entry["columns"] == 64, entry
assert entry["threads"] == 2 and "driver" not in entry, entry
assert entry["information"]["x"] == [9, 64], entry
