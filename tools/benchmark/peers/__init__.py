"""Other libraries' norms on a GPU; only a process of `worker` imports these."""
