"""Other libraries on the CPU, each case of each in a process of its own
(cpu_peers/worker.py), in rounds with ours."""

from benchmark.modules import describe
from benchmark.peer_process import PeerError, PeerProcess, get_family

OURS = "rudnn"
PEERS = ["eager", "compile", "onnxruntime", "onnxruntime/simplified", "xla"]
FAMILIES = {"eager": "torch eager", "compile": "torch.compile", "onnxruntime": "onnxruntime",
            "xla": "XLA:CPU"}
DTYPES, OPERATIONS = ["f32", "bf16"], ["forward", "backward"]

# Results are as large as x: what a library frees is to serve its next call, instead of
# being taken from the system again, page by page, within the time that is measured.
_MALLOC = "glibc.malloc.mmap_threshold=4294967296:glibc.malloc.trim_threshold=17179869184:" \
          "glibc.malloc.hugetlb=1"


def make_cases(dtypes, shapes):
    return [{"operation": operation, "dtype": dtype, "rows": rows, "columns": columns}
            for rows, columns in shapes for dtype in dtypes if dtype in DTYPES
            for operation in OPERATIONS]


def can_do(peer, case):
    """onnxruntime has no backward outside its package for training."""
    return get_family(peer) != "onnxruntime" or case["operation"] == "forward"


class Beside:
    """What is known of the peers and of the cases, ours among them."""

    def __init__(self, threads, seconds):
        self.threads, self.seconds = threads, seconds
        self.peers, self.measured = {}, {}

    def measure(self, case, peers, ours):
        """A round of a case by all peers, after `ours`, which rudnn-runner reported."""
        self._add(case, OURS, ours)
        for peer in peers:
            if "error" not in self.peers.get(peer, {}) and can_do(peer, case) \
                    and "error" not in self.measured.get(_make_key(case, peer), {}):
                self._ask(peer, {**case, "bytes": ours["bytes"]})

    def _ask(self, peer, case):
        environment = {"OMP_NUM_THREADS": str(self.threads), "NPROC": str(self.threads),
                       "JAX_PLATFORMS": "cpu", "GLIBC_TUNABLES": _MALLOC}
        process = None
        try:
            with PeerProcess(peer, str(self.threads), str(self.seconds), environment=environment,
                             worker="benchmark.cpu_peers.worker") as process:
                self._add_peer(peer, process.versions)
                if "error" not in process.versions:
                    self._add(case, peer, process.ask(case))
        except PeerError as error:
            if process is None:
                self._add_peer(peer, {"error": str(error)})
            else:
                self._add(case, peer, {"error": str(error)})

    def _add_peer(self, peer, answer):
        self.peers[peer] = answer
        if "error" in answer:
            print(f"{peer}: {answer['error']}", flush=True)

    def _add(self, case, peer, answer):
        new = {"operation": case["operation"], "dtype": case["dtype"], "rows": case["rows"],
               "columns": case["columns"], "peer": peer, "rounds": []}
        measured = self.measured.setdefault(_make_key(case, peer), new)
        if "error" in answer:
            measured["error"] = shown = answer["error"]
        else:
            measured["rounds"].append(answer)
            shown = f"{answer['function']['median_us']:.0f} us, {answer['ratio']:.3f} of memcpy"
        print(f"{describe(case)}: {peer}: {shown}", flush=True)


def _make_key(case, peer):
    return case["operation"], case["dtype"], case["rows"], case["columns"], peer


def measure(cases, peers, run_ours, options):
    """All cases once before any again; `run_ours` gives what rudnn-runner reports of one."""
    beside = Beside(options.threads, options.seconds)
    for number in range(options.rounds):
        print(f"beside others, round {number + 1} of {options.rounds}", flush=True)
        for case in cases:
            beside.measure(case, peers, run_ours(case)["bench"])
    return {"peers": beside.peers, "cases": list(beside.measured.values())}
