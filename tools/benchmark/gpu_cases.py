"""What is measured on a GPU, and what is asked for."""

BY_LENGTH = [
    (131072, 128), (32768, 256), (32768, 512), (32768, 1024), (32768, 2048), (32768, 4096),
    (32768, 8192), (32768, 16384), (32768, 32768), (32768, 65536), (16384, 131072),
    (8192, 262144),
]
FEW_ROWS = [(1, 4096), (16, 4096), (128, 4096), (2048, 4096), (16384, 4096)]
OF_MODELS = [(8192, 8192), (8192, 5120), (8192, 11008), (32768, 3584), (32768, 12288)]
SHAPES = {
    "bf16": BY_LENGTH + FEW_ROWS + OF_MODELS,
    "f16": BY_LENGTH[3:9],
    "f32": BY_LENGTH[3:9],
}

# Shapes at which f16 and f32 are compared with others; bf16 is at all of them.
COMPARED = {(32768, 1024), (32768, 4096), (32768, 16384)}

COMPILE_BAR_MS = 300


def make_cases(dtypes, shapes, operations):
    """The cases of all shapes, or of those given."""
    return [{"operation": operation, "dtype": dtype, "rows": rows, "columns": columns}
            for dtype in dtypes
            for rows, columns in (shapes or SHAPES[dtype])
            for operation in operations]


def is_compared(case):
    shape = (case["rows"], case["columns"])
    return (case["operation"] in ("forward", "backward")
            and (case["dtype"] == "bf16" or shape not in SHAPES["bf16"] or shape in COMPARED))


def find_ratio_bar(case):
    """The least ratio to a copy that is asked for, or None."""
    rows, columns = case["rows"], case["columns"]
    if (rows, columns) in OF_MODELS:
        return 0.90 if columns & (columns - 1) else None
    if (rows, columns) not in BY_LENGTH:
        return None
    return _BARS[case["operation"]](columns)


def _forward_bar(columns):
    if columns < 256:
        return None
    if 1024 <= columns <= 32768:
        return 0.95
    return 0.93 if columns <= 65536 else 0.85


def _backward_bar(columns):
    if columns < 256:
        return None
    if 1024 <= columns <= 32768:
        return 0.92
    return {256: 0.82, 512: 0.88}.get(columns, 0.90)


def _masked_bar(columns):
    return 0.95 if 1024 <= columns <= 16384 else None


_BARS = {"forward": _forward_bar, "backward": _backward_bar, "dx": _masked_bar,
         "dgamma": _masked_bar}
