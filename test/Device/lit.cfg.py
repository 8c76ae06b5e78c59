"""Configuration of the tests that need a GPU: a suite of its own, that runs where
there is nothing of the build but the tools, with lit and Python alone.

    lit test/Device --param bin=FOLDER_OF_THE_TOOLS

Without the parameter, and without a GPU, its tests are unsupported.

Feature that a test may ask for with REQUIRES:
  compute-sanitizer   NVIDIA's checker of kernels is installed
"""

import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "RuDNN-Device"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))

tools = os.path.abspath(lit_config.params.get("bin", "no-tools"))
config.test_exec_root = os.path.join(os.path.dirname(tools), "check-gpu")


def has_gpu():
    """Whether the tools are there and find a GPU."""
    runner = os.path.join(tools, "rudnn-runner")
    if not os.path.isfile(runner):
        return False
    os.makedirs(config.test_exec_root, exist_ok=True)
    done = subprocess.run([runner, "-", "--device=cuda"], input=b"func.func @nothing() { return }",
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode == 0


config.unsupported = not has_gpu()
if shutil.which("compute-sanitizer"):
    config.available_features.add("compute-sanitizer")

# One test at a time has the GPU, with as many processes as there are cores.
lit_config.parallelism_groups["gpu"] = 1
config.parallelism_group = "gpu"
config.environment["PATH"] = tools + os.pathsep + os.environ["PATH"]
# Where the driver keeps what it compiled.
config.environment["HOME"] = os.environ.get("HOME", "/")
cases = os.path.join(os.path.dirname(config.test_source_root), "Cases")
config.substitutions += [
    ("%python", f'"{sys.executable}" -B'),
    ("%cases", cases),
    ("%examples", os.path.join(os.path.dirname(config.test_source_root), "Examples")),
    ("%jobs", str(os.cpu_count())),
]
