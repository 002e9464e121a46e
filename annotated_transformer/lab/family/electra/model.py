"""ELECTRA: an encoder that finds the tokens which another encoder has replaced.

Chapter: *Language models*. Both networks are encoders. The generator is small
and fills gaps, as BERT does; the discriminator reads what it wrote and says of
every token whether it is the original. Afterwards the generator is thrown away.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.distributions import Categorical
from torch.nn import functional as F

from annotated_transformer.checks import check_count, check_number
from annotated_transformer.config import head_width
from annotated_transformer.lab.checks import check_gaps, has_values
from annotated_transformer.lab.family.bert.model import BERT
from annotated_transformer.lab.family.electra import names as electra
from annotated_transformer.lab.family.member import Member
from annotated_transformer.lab.family.reader import Reader, ReaderConfig
from annotated_transformer.layers import ACTIVATIONS


@dataclass(frozen=True, kw_only=True)
class ELECTRAConfig(ReaderConfig):
    """Sizes of the discriminator; those of its generator follow."""

    generator_share: int = 0
    """How many times narrower the generator is; 0: there is none (any more)."""
    weight: float = 50.0
    """Of the discriminator's loss in the sum (section 2)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("generator_share", self.generator_share, least=0)
        check_number("weight", self.weight)

    def generator(self) -> "ELECTRAConfig":
        """Return the generator: as many layers, but narrower (section 3.2)."""
        sizes: Any = {
            name: max(1, getattr(self, name) // self.generator_share)
            for name in ("d_model", "d_ff", "n_heads")
        }
        width = head_width(sizes["d_model"], sizes["n_heads"])
        # It shares the embeddings, so that their width does not follow.
        sizes |= {
            "d_k": width,
            "d_v": width,
            "d_embedding": int(self.d_embedding),
        }
        return replace(self, **sizes, generator_share=0)


class Generator(BERT):
    """BERT again, with layers that may be narrower than its embeddings."""

    Config: ClassVar[type[ReaderConfig]] = ELECTRAConfig
    source = "Clark et al. 2020"
    reference = electra.GENERATOR


class ELECTRA(Member):
    """Logits that a token was replaced, at each position.

    Source: Clark et al. 2020, sections 2 and 3.
    """

    Config = ELECTRAConfig
    source = "Clark et al. 2020"
    reference = electra.DISCRIMINATOR

    def __init__(self, config: ELECTRAConfig) -> None:
        super().__init__(config)
        self.reader = Reader(config)
        self.dense = nn.Linear(config.d_model, config.d_model)
        self.activate = ACTIVATIONS[config.activation]
        self.output = nn.Linear(config.d_model, 1)
        self.generator: Generator | None = None
        if config.generator_share:
            self.generator = Generator(config.generator())
            for name in ("embedding", "segments", "positions"):
                shared = getattr(self.reader, name)
                setattr(self.generator.reader, name, shared)
        self.initialise(config.branch_gain)

    def forward(
        self,
        ids: Int[Tensor, "batch length"],
        segments: Int[Tensor, "batch length"] | None = None,
    ) -> Float[Tensor, "batch length"]:
        """Return logits above 0 where the token was rather replaced than not."""
        x = self.activate(self.dense(self.reader(ids, segments)))
        return self.output(x).squeeze(-1)

    def check_batch(
        self, ids: Any, original: Any, chosen: Any, **_: Any
    ) -> None:
        """Refuse texts that do not belong together: see `check_gaps`."""
        sizes = self.config.vocab_size, self.config.max_length
        check_gaps(ids, original, chosen, *sizes)
        if has_values(original) and not bool(
            (original != self.config.padding_id).any()
        ):
            raise ValueError(
                "the original texts are padding alone: there is nothing to learn"
            )

    def loss(
        self,
        ids: Int[Tensor, "batch length"],
        original: Int[Tensor, "batch length"],
        chosen: Bool[Tensor, "batch length"],
        *,
        everywhere: bool = True,
    ) -> Float[Tensor, ""]:
        """Return the generator's loss at the gaps plus `weight` times the discriminator's.

        `ids` has gaps at the chosen positions. The discriminator is asked about
        all real tokens, or, if not `everywhere`, about the chosen ones alone.

        Raises:
            ValueError: the generator was thrown away.
        """
        if self.generator is None:
            raise ValueError(
                "there is no generator: set generator_share, 4 for instance"
            )
        logits = self.generator(ids)[chosen]
        filled = self.replaced(original, chosen, logits)
        asked = original != self.config.padding_id if everywhere else chosen
        found = F.binary_cross_entropy_with_logits(
            self(filled)[asked], (filled != original)[asked].to(logits.dtype)
        )
        gaps = F.cross_entropy(logits, original[chosen])
        return gaps + self.config.weight * found

    def replaced(
        self,
        original: Int[Tensor, "batch length"],
        chosen: Bool[Tensor, "batch length"],
        logits: Float[Tensor, "gap vocab"],
    ) -> Int[Tensor, "batch length"]:
        """Return the text with a token drawn from the generator at each chosen position.

        A draw that happens to be the original counts as the original.
        """
        drawn = Categorical(logits=logits).sample()
        filled = original.clone()
        filled[chosen] = drawn
        return filled
