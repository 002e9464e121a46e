"""Counts of n words in a row: the language model before networks.

Chapter: *Language models*. Interpolated Kneser-Ney smoothing with one discount
for all orders: what a context has seen gives up a little, and what is given up
goes to the next shorter context. That one counts in how many contexts a word
was new, not how often it came. Left out: a discount for each count.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

Context = tuple[int, ...]


class NGrams:
    """Probabilities of the next token given the last `order` - 1 ones.

    Args:
        texts: ids of texts, each with its begin and its end.
        order: length of the counted sequences, the next token included.
        vocab_size: number of token ids.
        discount: what every count gives up, between 0 and 1.

    Raises:
        ValueError: an order below 1, a discount outside (0, 1), or no text.

    Source: Kneser and Ney 1995; interpolated: Chen and Goodman 1999, section 2.7.
    """

    def __init__(
        self, texts: Iterable[Sequence[int]], order: int, vocab_size: int, discount: float = 0.75
    ) -> None:
        if order < 1:
            raise ValueError(f"order={order} must be at least 1")
        if not 0 < discount < 1:
            raise ValueError(f"discount={discount} must be between 0 and 1")
        self.order, self.vocab_size = order, vocab_size
        self.discount = discount
        self.followers: dict[Context, Counter[int]] = defaultdict(Counter)
        """What followed each context, and how often, or in how many contexts."""
        grams: set[Context] = set()
        for text in texts:
            for end in range(1, len(text)):
                begin = max(0, end - order + 1)
                context, token = tuple(text[begin:end]), text[end]
                self.followers[context][token] += 1
                grams.add((*context, token))
        if not grams:
            raise ValueError("there is no text to count in")
        # Each longer sequence, counted once, is one new context for the shorter ones.
        for length in range(order, 1, -1):
            longer = [gram for gram in grams if len(gram) == length]
            for gram in longer:
                self.followers[gram[1:-1]][gram[-1]] += 1
                grams.add(gram[1:])
        self.totals = {context: counts.total() for context, counts in self.followers.items()}

    def probability(self, token: int, before: Sequence[int]) -> float:
        """Return p(token | before), where only the last `order` - 1 tokens count."""
        p = 1 / self.vocab_size
        longest = min(self.order - 1, len(before))
        # From the empty context to the longest, each mixed with the one before.
        for length in range(longest + 1):
            context = tuple(before[len(before) - length :])
            if counts := self.followers.get(context):
                given_up = self.discount * len(counts)
                discounted = max(counts[token] - self.discount, 0.0)
                p = (discounted + given_up * p) / self.totals[context]
        return p

    def log_probability(self, text: Sequence[int]) -> float:
        """Sum the log probabilities of a text's tokens after its begin, in nats."""
        return sum(math.log(self.probability(text[end], text[:end])) for end in range(1, len(text)))

    def perplexity(self, texts: Sequence[Sequence[int]]) -> float:
        """Return exp of the mean negative log probability of a token, ends included."""
        total = sum(self.log_probability(text) for text in texts)
        return math.exp(-total / sum(len(text) - 1 for text in texts))
