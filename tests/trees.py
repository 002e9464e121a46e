"""Trees for tests: any tree, drawn by hypothesis."""

from hypothesis import strategies as st

from annotated_transformer.lab.corpora.treebank import Tree

NAMES = st.text("ABNPSV$-='`.,ab%1", min_size=1, max_size=4)
LEAVES = st.builds(lambda tag, word: Tree(tag, word=word), NAMES, NAMES)


def phrases(parts):
    return st.builds(lambda label, some: Tree(label, tuple(some)), NAMES, parts)


TREES = st.recursive(
    LEAVES, lambda inner: phrases(st.lists(inner, min_size=1, max_size=4)), max_leaves=12
)
