"""Usage: check_database.py SOURCE RUDNN_OPT

Lowers each op of the database that comes with RuDNN, and counts those that get the
schedule recorded for them."""

import json
import pathlib
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(source / "tools"))
from benchmark.modules import make_module  # noqa: E402

OPERATIONS = {("rstd", "y"): "forward", ("input_grad", "weight_grad"): "backward",
              ("input_grad",): "dx", ("weight_grad",): "dgamma"}


def is_used(entry):
    operation = OPERATIONS[tuple(sorted(entry["results"]))]
    module = make_module(operation, entry["inputs"]["x"], *entry["information"]["x"])
    command = [sys.argv[2], "-", f"--norm-assign-schedule=target=gpu chip={entry['chip']} "
               f"tuning-device='{entry['device']}'"]
    done = subprocess.run(command, input=module, capture_output=True, text=True)
    return f"schedule = {entry['schedule']}" in done.stdout


entries = json.loads((source / "lib/Tuning/database/nvidia-h200.json").read_text())["entries"]
unused = [entry for entry in entries if not is_used(entry)]
for entry in unused:
    print(f"not used: {json.dumps(entry)}")
print(f"{len(entries) - len(unused)} entries are used, {len(unused)} are not")
