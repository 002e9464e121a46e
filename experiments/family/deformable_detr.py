"""How fast Deformable DETR learns: the same schedule as DETR's, curves side by side.

    python -m experiments.family.deformable_detr

What is compared, and how, stands in `experiments.family.detr`; this is its second command. Chapter:
*Detection and prompts*.
"""

from experiments.family.detr import DEFORMABLE_STUDY as STUDY

if __name__ == "__main__":
    STUDY.main()
