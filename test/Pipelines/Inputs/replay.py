# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what pipelines do by name and by the text that --dump-pass-pipeline prints.

    replay.py "RUDNN-OPT [FLAG...]" NAME...

The flags, if there are any, make the module for the pipelines first.
"""

import shlex
import subprocess
import sys

MODULE = """\
func.func @train(%x: tensor<?x1024xbf16>, %dy: tensor<?x1024xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<1024xf32>,
                 %dx0: tensor<?x1024xbf16>, %dw0: tensor<1024xf32>) -> (tensor<?x1024xbf16>, tensor<1024xf32>) {
  %dx, %dw = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<?x1024xbf16>, tensor<?x1024xbf16>, tensor<?xf32>, tensor<1024xf32>)
      input_grad(%dx0 : tensor<?x1024xbf16>) weight_grad(%dw0 : tensor<1024xf32>) -> tensor<?x1024xbf16>, tensor<1024xf32>
  return %dx, %dw : tensor<?x1024xbf16>, tensor<1024xf32>
}
"""


def run(opt, text, *flags):
    """(standard output, standard error) of a run that must succeed."""
    done = subprocess.run([opt, "-", *flags], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{opt} {' '.join(flags)}\n{done.stderr}")
    return done.stdout, done.stderr


(opt, *before), *names = map(shlex.split, sys.argv[1:])
text = run(opt, MODULE, *before)[0]
for (name,) in names:
    expected, dump = run(opt, text, f"--{name}", "--dump-pass-pipeline")
    pipeline = "".join(dump[dump.index("builtin.module(") :].splitlines())
    got, _ = run(opt, text, f"--pass-pipeline={pipeline}")
    if got != expected:
        sys.exit(f"{name}: its text makes something else of the module")
