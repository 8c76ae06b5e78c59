"""How long a tool goes on."""

import time


class Budget:
    """Says when no further case is to be begun."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds if seconds else float("inf")

    def is_left(self):
        return time.monotonic() < self.end
