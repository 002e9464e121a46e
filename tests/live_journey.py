"""What passes through minimal.py on one sentence, step by step, and the gradients."""

import math
from collections.abc import Callable
from unittest.mock import patch

import torch

from annotated_transformer import minimal

ENCODER, DECODER = "encoder.layers.0", "decoder.layers.0"
# What each step ends with: modules under their names, what attention has inside under names below.
ENCODER_STEPS = [
    ["source_embedding"],
    ["source_positions"],
    [f"{ENCODER}.self_attention.{part}" for part in "qkv"],
    [f"{ENCODER}.self_attention.scores"],
    [f"{ENCODER}.self_attention.weights"],
    [f"{ENCODER}.self_attention.heads"],
    [f"{ENCODER}.self_attention"],
    [f"{ENCODER}.after_attention"],
    [f"{ENCODER}.feed_forward.units"],
    [f"{ENCODER}.feed_forward"],
    [f"{ENCODER}.after_feed_forward"],
    ["encoder"],
]
DECODER_STEPS = [
    ["target_positions"],
    [f"{DECODER}.after_attention"],
    [f"{DECODER}.after_cross_attention"],
    [f"{DECODER}.after_feed_forward"],
    ["decoder"],
    ["output"],
    ["probabilities"],
]


class Journey:
    """A pass of minimal.py over a sentence and its translation; tensors by name, with no batch."""

    def __init__(self, translator, text):
        tokenizer = translator.tokenizer
        self.target = translator(text)
        self.source = tokenizer.source_ids(text)
        self.written = tokenizer.target_ids(self.target)[:-1]
        self.model = minimal.Transformer(translator.model.config).eval()
        self.model.load_state_dict(translator.model.state_dict())
        self._whole = {}
        self._run()
        self.seen = {name: tensor.detach()[0] for name, tensor in self._whole.items()}
        self.next = self.seen["output"].argmax(-1).tolist()

    def _keep(self, name, tensor):
        tensor.retain_grad()
        self._whole[name] = tensor

    def _run(self):
        hooks = []
        for name, module in self.model.named_modules():
            hooks.append(module.register_forward_hook(self._hook(name)))
            if isinstance(module, minimal.MultiHeadAttention):
                hooks.append(module.register_forward_pre_hook(self._enter(name)))
            if isinstance(module, minimal.FeedForward):
                outer = self._units(f"{name}.units")
                hooks.append(module.outer.register_forward_pre_hook(outer))
        ids = torch.tensor([self.source]), torch.tensor([self.written])
        with patch.object(minimal, "attention", self._attention):
            logits = self.model(*ids)
        for hook in hooks:
            hook.remove()
        assert torch.equal(logits, self.model(*ids))  # looking changes nothing
        self._keep("probabilities", logits.softmax(-1))

    def _hook(self, name) -> Callable:
        def keep(module, inputs, output):
            if name not in self._whole:  # one embedding serves both, and the source comes first
                self._keep(name, output)

        return keep

    def _enter(self, name) -> Callable:
        def enter(module, inputs):
            self._attends = name

        return enter

    def _units(self, name) -> Callable:
        return lambda module, inputs: self._keep(name, inputs[0])

    def _attention(self, q, k, v, mask):
        """Equation 1 in three lines, each of which is kept."""
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
        heads = weights @ v
        parts = {"q": q, "k": k, "v": v, "scores": scores, "weights": weights, "heads": heads}
        for name, tensor in parts.items():
            self._keep(f"{self._attends}.{name}", tensor)
        return heads

    def readers(self):
        """For each source token, the row of the decoder whose last cross-attention sees it most."""
        last = f"decoder.layers.{self.model.config.n_layers - 1}"
        weights = self.seen[f"{last}.cross_attention.weights"]
        return weights.mean(0).argmax(0).tolist()

    def gradients(self, row):
        """Norms of the gradient of a row's loss: at each source token's steps, and at the row's."""
        for tensor in self._whole.values():
            tensor.grad = None
        probability = self._whole["probabilities"][0, row, self.next[row]]
        (-probability.log()).backward(retain_graph=True)
        return {
            "encoder": [
                [self._norm(names, token) for names in ENCODER_STEPS]
                for token in range(len(self.source))
            ],
            "decoder": [self._norm(names, row) for names in DECODER_STEPS],
        }

    def _norm(self, names, row):
        parts = [self._whole[name].grad[0].select(-2, row) for name in names]
        return float(torch.cat([part.flatten() for part in parts]).norm())
