"""The role {claim}: a number that a record says, with its claim behind it.

A page writes the text and where it comes from, so that it can be read in a notebook too:

    {claim}`6.5 times (5.8 to 6.8, three rounds) <cache_is_faster@tokens=64>`

The build computes the text again from the record, and stops if it differs or if the claim does not
hold as often as it says. `python -m annotated_transformer.lab.evidence --write` writes the texts.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxRole

from korean_claims import count_alone, in_korean, sentence
from words import KOREAN, say

HYPHEN = re.compile(r"(?<![\w-])-(?=\d)")


def typeset(told: str) -> str:
    """Return what a claim says with minus signs, for which the program writes hyphens."""
    return HYPHEN.sub("\N{MINUS SIGN}", told)


class Claimed(SphinxRole):
    """The text of a claim; pointing at it shows what was claimed, and by which record."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Compute the text again, and refuse one that differs."""
        # Imported here, because a build of pages without claims has no need of PyTorch.
        from annotated_transformer.lab.evidence import claim  # noqa: PLC0415
        from annotated_transformer.lab.evidence.pages import ROLE, mention, stale  # noqa: PLC0415

        source = f"{{claim}}`{self.text}`"
        found = ROLE.fullmatch(source)
        if found is None:
            raise ExtensionError(f"{self.env.docname}: write a text and a <name> in {source}")
        known = mention(found)
        text = known.text
        if self.env.config.language == KOREAN:
            # The Korean page has it as the English one, or in Korean already.
            said = known.computed()
            text = in_korean(said)
            source = known.anew(said) if known.text == text else source
        if wrong := stale(source):
            raise ExtensionError(f"{self.env.docname}: {'; '.join(wrong)}")
        behind = claim(known.name)
        names = ", ".join(record.name for record in behind.records)
        says, count = behind.says, behind.told("count")
        if self.env.config.language == KOREAN:
            says, count = sentence(says), count_alone(count)
        told = f"{says}, {count} ({say('record {link}', link=names)})"
        return [nodes.abbreviation(source, typeset(text), explanation=told)], []


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_role("claim", Claimed())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
