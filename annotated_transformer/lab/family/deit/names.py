"""What Hugging Face calls the tensors and settings of DeiT with a teacher."""

from annotated_transformer.lab.family.vit import names as vit

REFERENCE = vit.reference(
    "deit",
    {"head.{p}": "cls_classifier.{p}", "distillation_head.{p}": "distillation_classifier.{p}"},
)
