"""The norms that are measured: modules with one function each."""

ELEMENT_BYTES = {"f32": 4, "f16": 2, "bf16": 2}
TITLES = {
    "forward": "forward",
    "backward": "backward, both gradients",
    "dx": "backward, dx only",
    "dgamma": "backward, dgamma only",
}
OPERATIONS = list(TITLES)


def describe(case):
    return f"{case['operation']} {case['dtype']} {case['rows']} x {case['columns']}"


def make_module(operation, dtype, rows, columns):
    """The text of a module with one function: gamma and its gradient in the
    element type of x, results in buffers of the caller. `rows` may be "?"."""
    x, rstd = f"tensor<{rows}x{columns}x{dtype}>", f"tensor<{rows}xf32>"
    gamma = f"tensor<{columns}x{dtype}>"
    if operation == "forward":
        return f"""\
func.func @forward(%x: {x}, %gamma: {gamma}, %y0: {x}, %rstd0: {rstd}) -> ({x}, {rstd}) {{
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : {x}, {gamma})
      outs(%y0, %rstd0 : {x}, {rstd}) -> {x}, {rstd}
  return %y, %rstd : {x}, {rstd}
}}
"""
    arguments = [("%x", x), ("%dy", x), ("%rstd", rstd)]
    results, destinations = [], []
    if operation != "dgamma":
        arguments.append(("%gamma", gamma))
        results.append(("%dx", x))
        destinations.append(f"input_grad(%dx0 : {x})")
    if operation != "dx":
        results.append(("%dgamma", gamma))
        destinations.append(f"weight_grad(%dgamma0 : {gamma})")
    inputs = ", ".join(name for name, _ in arguments)
    types = ", ".join(type for _, type in arguments)
    arguments += [(name + "0", type) for name, type in results]
    names = ", ".join(name for name, _ in results)
    made = ", ".join(type for _, type in results)
    declared = ", ".join(f"{name}: {type}" for name, type in arguments)
    return f"""\
func.func @{operation}({declared}) -> ({made}) {{
  {names} = norm.rms_norm_backward ins({inputs} : {types})
      {" ".join(destinations)} -> {made}
  return {names} : {made}
}}
"""
