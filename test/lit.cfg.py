"""Configuration of the lit test suite: what a test is, and what it may require.

Features that a test may ask for with REQUIRES:
  asan        the build has AddressSanitizer and UndefinedBehaviorSanitizer
  static      the tools are the one statically linked binary
  glibc-2.36  this machine's C library is glibc 2.36 or older
  ptxas       NVIDIA's PTX assembler is installed
  terminal    the system has pseudo terminals; a bare chroot may not

Tests that need a GPU are a suite of their own, in the folder Device.
"""

import importlib.util
import os
import platform
import pty
import shutil

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "RuDNN"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".py"]
config.excludes = ["data", "inputs", "Inputs", "lit.cfg.py"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = config.rudnn_test_exec_root


def find_ptxas():
    """The path of ptxas, or None. Looks where the pipelines look for it."""
    places = [os.environ.get(v) for v in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH")]
    dirs = [os.path.join(p, "bin") for p in places + ["/usr/local/cuda"] if p]
    return shutil.which("ptxas") or shutil.which("ptxas", path=os.pathsep.join(dirs))


def is_glibc_at_most(*version):
    """Whether lit's Python runs on glibc, of this version or an older one."""
    name, found = platform.libc_ver()
    return name == "glibc" and tuple(map(int, found.split("."))) <= version


def has_terminals():
    """Whether a pseudo terminal can be opened."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        return False
    return True


ptxas = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    llvm_config.with_environment("PATH", os.path.dirname(ptxas), append_path=True)
if is_glibc_at_most(2, 36):
    config.available_features.add("glibc-2.36")
if has_terminals():
    config.available_features.add("terminal")
if config.rudnn_static:
    config.available_features.add("static")
if config.rudnn_sanitize:
    config.available_features.add("asan")
    # libLLVM and libMLIR are not instrumented. What LLVM's headers poison on our
    # side (bump allocators, containers) is never unpoisoned on theirs, so both
    # kinds of user poisoning are off; heap, stack and global checks stay.
    asan_options = ["allow_user_poisoning=0", "detect_container_overflow=0"]
    own = os.environ.get("ASAN_OPTIONS")
    config.environment["ASAN_OPTIONS"] = ":".join(asan_options + ([own] if own else []))
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"

# A kernel that never returns fails its test instead of stopping the whole run.
# lit needs psutil to kill what a test started.
if importlib.util.find_spec("psutil"):
    lit_config.maxIndividualTestTime = 600

# The suite in Device is found from here too, and takes the tools from there.
lit_config.params.setdefault("bin", config.rudnn_tools_dir)

llvm_config.use_default_substitutions()
config.substitutions.append(("%python", '"%s"' % config.python_executable))
config.substitutions.append(("%cc", '"%s"' % config.rudnn_c_compiler))
config.substitutions.append(
    ("%rudnn-tune-call", os.path.join(config.test_exec_root, "bin", "tune-call"))
)
config.substitutions.append(("%rudnn-bin", config.rudnn_tools_dir))
config.substitutions.append(("%rudnn-source", os.path.dirname(config.test_source_root)))

llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
tools = [ToolSubst(name, unresolved="fatal") for name in config.rudnn_tools]
llvm_config.add_tool_substitutions(tools, [config.rudnn_tools_dir])
