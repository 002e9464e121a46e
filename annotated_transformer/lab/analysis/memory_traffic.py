"""How many numbers attention moves between slow and fast memory, as formulas.

Chapter: *The cost of n squared*. One head and n tokens, whose queries, keys and
values have width d and lie in slow memory; so does the output in the end. What
is loaded for one product or one softmax is counted once. Masks are not counted:
the causal one is computed from the positions.

Source: Dao et al. 2022, sections 2.2 and 3.2.
"""

from typing import NamedTuple

from annotated_transformer.checks import check_positive


class Traffic(NamedTuple):
    """Numbers that cross; times the bytes of a number, the bytes."""

    reads: int
    """From slow memory to fast memory."""
    writes: int
    """Back."""

    @property
    def total(self) -> int:
        """Both ways."""
        return self.reads + self.writes


def plain_traffic(n: int, d: int) -> Traffic:
    """Count for equation 1 in three steps: 3 n d + 2 n^2 read, n d + 2 n^2 written.

    The scores read Q and K, the softmax reads the scores, and the average reads
    the weights and V. Scores, weights and output are written.
    """
    return Traffic(3 * n * d + 2 * n * n, n * d + 2 * n * n)


def tiled_traffic(
    n: int, d: int, query_block: int, key_block: int = 128, *, causal: bool = False
) -> Traffic:
    """Count for `tiled_attention`: n d (1 + 2 n / query_block) read and n d written.

    Every block of queries reads all keys and values once, or with `causal`
    those of the blocks that begin at or before its last query. Without `causal` the
    size of a block of keys makes no difference.

    Raises:
        ValueError: a block without tokens.
    """
    check_positive("query_block", query_block)
    check_positive("key_block", key_block)
    keys = 0
    for start in range(0, n, query_block):
        seen = min(start + query_block, n) if causal else n
        whole_blocks = -(-seen // key_block) * key_block
        keys += min(whole_blocks, n)
    return Traffic(n * d + 2 * keys * d, n * d)


def fast_memory(d: int, query_block: int, key_block: int) -> int:
    """Count the numbers that a tile holds in fast memory at once.

    Queries, keys, values, scores, and of the output so far the values, the sum
    and the highest score.
    """
    return 2 * query_block * d + 2 * key_block * d + query_block * key_block + 2 * query_block


def explicit_bytes(n: int, n_heads: int, bytes_per_value: int = 4, *, copies: int = 2) -> int:
    """Count the bytes of all heads' scores and weights, both of which `attention` forms.

    With a mask it holds 3 `copies` at once: the scores, the same with the mask
    applied, and the weights.
    """
    return copies * n_heads * n * n * bytes_per_value


def check_fits(what: str, needed: float, free: float) -> None:
    """Refuse what would fill the memory, before it is asked for; both in bytes.

    Raises:
        ValueError: naming both.
    """
    if needed > free:
        raise ValueError(
            f"{what} needs {needed / 2**30:,.1f} GiB for scores and weights, and "
            f"{free / 2**30:,.1f} GiB are free: take a shorter text, or attend in tiles"
        )
