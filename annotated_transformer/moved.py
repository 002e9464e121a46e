"""Old names of modules: they work for one version more, with a warning that names the new place.

`import annotated_transformer.family` gives `annotated_transformer.lab.family`, the same module.
"""

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

PACKAGE = "annotated_transformer"
MOVED = {
    "variants.positions": "variants",
    "training.run.sitting": "training.run.identity",
    "training.run.rules": "training.run.identity",
    "fast.memory": "storage.machine",
    "text.tally": "text.lines",
    "training.recipe.presence": "training.recipe.loading",
    "training.run.card": "lab.model_card",
    "training.step_explicit": "lab.step_explicit",
    "training.run.places": "training.run.manifest",
    "training.run.progress": "training.run.states",
    "training.run.start": "training.run.beginning",
    "training.run.record": "training.run.finish",
    "training.run.report": "training.run.finish",
    "training.run.tensorboard": "training.run.writer",
    "analysis": "lab.analysis",
    "arguments": "cli.arguments",
    "baselines": "lab.baselines",
    "commands": "cli.commands",
    "corpora.digits": "lab.corpora.digits",
    "corpora.downloads": "lab.corpora.downloads",
    "corpora.english_classes": "lab.corpora.english_classes",
    "corpora.english_korean": "lab.corpora.english_korean",
    "corpora.english_trees": "lab.corpora.english_trees",
    "corpora.grammar": "lab.corpora.grammar",
    "corpora.multi30k": "lab.corpora.multi30k",
    "corpora.numbers": "lab.corpora.numbers",
    "corpora.scenes": "lab.corpora.scenes",
    "corpora.treebank": "lab.corpora.treebank",
    "corpora.wmt14": "lab.corpora.wmt14",
    "corpora.wsj": "lab.corpora.wsj",
    "decoding.all_at_once": "lab.variants.all_at_once",
    "decoding.kept": "fast.attention",
    "exercises": "lab.exercises",
    "export.browser": "lab.page_model",
    "export.onnx_graphs": "export.onnx",
    "family": "lab.family",
    "family.adaptive": "lab.family.dit.adaptive",
    "family.backbone": "lab.family.detr.backbone",
    "family.bart": "lab.family.bart.model",
    "family.bert": "lab.family.bert.model",
    "family.boxes": "lab.family.detr.boxes",
    "family.clicks": "lab.family.sam.clicks",
    "family.condition": "lab.family.dit.condition",
    "family.deformable_attention": "lab.family.deformable_detr.attention",
    "family.deformable_detr": "lab.family.deformable_detr.model",
    "family.deit": "lab.family.deit.model",
    "family.detr": "lab.family.detr.model",
    "family.diffusion": "lab.family.dit.diffusion",
    "family.dit": "lab.family.dit.model",
    "family.electra": "lab.family.electra.model",
    "family.frechet": "lab.family.dit.frechet",
    "family.gaps": "lab.family.bert.gaps",
    "family.gpt": "lab.family.gpt.model",
    "family.image_encoder": "lab.family.sam.image_encoder",
    "family.maps": "lab.family.deformable_detr.maps",
    "family.marian": "lab.family.marian.model",
    "family.marian_tokenizer": "lab.family.marian.tokenizer",
    "family.mask_decoder": "lab.family.sam.mask_decoder",
    "family.mix": "lab.family.segformer.mix",
    "family.noise_schedules": "lab.family.dit.noise_schedules",
    "family.objects": "lab.family.detr.objects",
    "family.placed": "lab.family.detr.placed",
    "family.resnet": "lab.family.detr.resnet",
    "family.sam": "lab.family.sam.model",
    "family.sampling": "lab.family.gpt.sampling",
    "family.segformer": "lab.family.segformer.model",
    "family.swin": "lab.family.swin.model",
    "family.t5": "lab.family.t5.model",
    "family.t5_distances": "lab.family.t5.distances",
    "family.t5_parts": "lab.family.t5.parts",
    "family.vit": "lab.family.vit.model",
    "family.windows": "lab.family.swin.windows",
    "fast.packed": "decoding.packed",
    "figures": "lab.figures",
    "records": "lab.records",
    "serving.atomic": "storage.atomic",
    "serving.browser": "lab.page_model",
    "serving.ctranslate2_export": "export.ctranslate2",
    "serving.export": "export.formats",
    "serving.machine": "storage.machine",
    "serving.onnx_export": "export.onnx",
    "serving.onnx_graphs": "export.onnx",
    "serving.provenance": "lab.provenance",
    "serving.reading": "storage.reading",
    "serving.shipped": "shipped",
    "serving.side_by_side": "decoding.workers",
    "serving.storage": "saving",
    "serving.streaming": "cli.streaming",
    "serving.texts": "translation",
    "source": "lab.source",
    "storage.provenance": "lab.provenance",
    "tables": "lab.tables",
    "variants.all_at_once": "lab.variants.all_at_once",
    "variants.grouped": "lab.variants.grouped",
    "variants.linear": "lab.variants.linear",
    "variants.positions.grouped": "lab.variants.grouped",
    "variants.positions.linear": "lab.variants.linear",
    "variants.positions.tiled": "lab.variants.tiled",
    "variants.positions.window": "lab.variants.window",
    "variants.tiled": "lab.variants.tiled",
    "variants.window": "lab.variants.window",
}
EMPTIED = frozenset({"serving"})
"""Folders that are gone; only the old names of their modules are left."""


def new_name(old: str) -> str | None:
    """Return the name that a module has now, or None where it did not move."""
    parts = old.split(".")
    if parts[0] != PACKAGE:
        return None
    for end in range(len(parts), 1, -1):
        if home := MOVED.get(".".join(parts[1:end])):
            return ".".join([PACKAGE, home, *parts[end:]])
    return None


class OldNames(MetaPathFinder, Loader):
    """Find a module by its old name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for an old name, and None for all others."""
        emptied = fullname.removeprefix(f"{PACKAGE}.") in EMPTIED
        if not emptied and new_name(fullname) is None:
            return None
        return ModuleSpec(fullname, self, is_package=emptied)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Import the module where it is now, and warn."""
        new = new_name(spec.name)
        if new is None:
            return None
        warnings.warn(f"{spec.name} is now {new}", FutureWarning, stacklevel=2)
        module = importlib.import_module(new)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own spec back, which the import of the old name replaced."""
        if module.__spec__ is not None and module.__spec__.loader_state is not None:
            module.__spec__ = module.__spec__.loader_state


def install() -> None:
    """Let old names be imported."""
    if not any(isinstance(finder, OldNames) for finder in sys.meta_path):
        sys.meta_path.insert(0, OldNames())
