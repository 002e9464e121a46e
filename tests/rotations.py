"""An oracle for rotary positions: one matrix for each pair and each position."""

import math

import torch


def turned_by_blocks(x, positions, base=10_000.0):
    """One 2 x 2 rotation matrix for each pair and each position."""
    d_k, turned = x.size(-1), torch.empty_like(x)
    for row, position in enumerate(positions):
        for i in range(d_k // 2):
            angle = position * base ** (-2 * i / d_k)
            cos, sin = math.cos(angle), math.sin(angle)
            matrix = torch.tensor([[cos, -sin], [sin, cos]], dtype=torch.float64)
            pair = slice(2 * i, 2 * i + 2)
            turned[..., row, pair] = x[..., row, pair] @ matrix.T
    return turned
