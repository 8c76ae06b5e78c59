"""What tools/benchmark-cpu and tools/benchmark-gpu are made of."""
