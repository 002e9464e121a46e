"""Speed and memory, ratios against peers in one run; `python -m benchmarks.NAME` per table."""
