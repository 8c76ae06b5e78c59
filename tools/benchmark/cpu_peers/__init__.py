"""Other libraries' norms on a CPU; only a process of `worker` imports these."""
