"""What Hugging Face calls the tensors and settings of DeiT with a teacher."""

from annotated_transformer.lab.family.names import vit

REFERENCE = vit.reference(
    "deit",
    {"head.{p}": "cls_classifier.{p}", "distillation_head.{p}": "distillation_classifier.{p}"},
)
