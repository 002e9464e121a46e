"""The model of the page against Python's, with the weights as they were trained: logits, hooks."""

import pytest
import torch
from live_engine import tensor

from annotated_transformer import Transformer, TransformerConfig, Translator, minimal
from annotated_transformer.inspection import evaluation_mode, record_attention
from annotated_transformer.lab.page_model import model_scripts
from annotated_transformer.tokenizer import Tokenizer

PAIRS = [
    ("I am a student", "나는 학생이다"),
    ("The doctor met the judge who rode the camel", "그 의사는 그 낙타를 탄 판사를 만났다"),
    ("Anna bought three books and two apples", "안나는 책 세 권과 사과 두 개를 샀다"),
    ("pizza 🙂", "피자"),
]
LENGTHS = [(1, 1), (2, 5), (127, 128), (128, 31)]


@pytest.fixture(scope="module")
def model():
    return Translator.load("english_korean").model


def ids_of(translator, source, target):
    tokenizer = translator.tokenizer
    return tokenizer.source_ids(source), tokenizer.target_ids(target)[:-1]


@pytest.fixture(scope="module")
def rows(exact_engine):
    """Source and target ids: of sentences, and of chance, up to the longest."""
    random = [[torch.randint(1, 3000, (n,)).tolist() for n in lengths] for lengths in LENGTHS]
    return [*(ids_of(exact_engine.translator, *pair) for pair in PAIRS), *random]


def logits_in_page(engine, source, target):
    body = "return bytes(model.decode(input[1], model.encode(input[0])))"
    return tensor(engine.run(body, [source, target]))


def test_the_weights_are_those_of_the_model(exact_engine, model):
    own = dict(model.named_parameters())
    for name, parameter in exact_engine.translator.model.named_parameters():
        assert torch.equal(parameter, own[name])


def test_logits_are_equal(exact_engine, model, rows):
    for source, target in rows:
        with evaluation_mode(model):
            wanted = model(torch.tensor([source]), torch.tensor([target]))[0]
        found = logits_in_page(exact_engine, source, target)
        assert (found - wanted).abs().max() <= 1e-4


def test_logits_of_a_model_of_other_sizes_are_equal(exact_engine):
    """Widths that are no multiples of four, keys and values that differ, a large epsilon."""
    tokenizer = Tokenizer.train(["the cat sees a dog", "나는 학생이다"] * 4, vocab_size=290)
    sizes = {"d_model": 10, "n_heads": 2, "d_k": 3, "d_v": 7, "d_ff": 13, "n_layers": 3}
    config = TransformerConfig(vocab_size=290, max_length=9, epsilon=0.1, **sizes)
    other = Transformer(config)
    for parameter in other.parameters():
        torch.nn.init.normal_(parameter)
    scripts = model_scripts("other", other, tokenizer, bits=32)
    source, target = [5, 17, 289, 30, 2], [1, 44, 60, 7, 8, 9, 280, 281, 282]
    with evaluation_mode(other):
        wanted = other(torch.tensor([source]), torch.tensor([target]))[0]
    body = """const parts = [];
    const receive = A.receive;
    AnnotatedTransformer.receive = (name, number, count, text) => { parts[number] = text; };
    for (const script of input[2]) document.head.append(A.h('script', {textContent: script}));
    AnnotatedTransformer.receive = receive;
    const other = new A.Translator(A.unpack(parts)).model;
    return bytes(other.decode(input[1], other.encode(input[0])))"""
    found = tensor(exact_engine.run(body, [source, target, scripts]))
    assert (found - wanted).abs().max() <= 1e-4 * wanted.abs().max()


@pytest.fixture(scope="module")
def simple(model):
    """The paper's model in one file, with the weights of the shipped one."""
    simple = minimal.Transformer(model.config)
    simple.load_state_dict(model.state_dict())
    return simple.eval()


def python_hooks(simple, model, source, target):
    """Return what the hooks of the page have to be given, by name."""
    passed = {}

    def listen(name):
        def write(module, inputs, output):
            passed.setdefault(name, []).append((inputs[0][0], output[0]))

        return write

    for name, module in simple.named_modules():
        module.register_forward_hook(listen(name))
    ids = torch.tensor([source]), torch.tensor([target])
    with torch.no_grad():
        simple(*ids)
    with evaluation_mode(model), record_attention(model) as attentions:
        model(*ids)
    found = {"target_embedding": passed["source_embedding"][1][1]}
    inside = {"w_query": "q", "w_key": "k", "w_value": "v", "inner": "inner"}
    for name, ((x, y), *_) in passed.items():
        path, _, part = name.rpartition(".")
        if part in inside:
            found[f"{path}.{inside[part]}"] = y
        elif part == "w_output":
            found[f"{path}.heads"] = x
        elif part == "layer_norm":
            found[f"{path}.sum"] = x
        elif name and part not in ("dropout", "outer"):
            found[name] = y
    for side in ("source", "target"):
        encoding = found[f"{side}_positions"] - found[f"{side}_embedding"]
        found[f"{side}_positions.encoding"] = encoding
    for path, weights in attentions.items():
        q, k = (
            found[f"{path}.{x}"].unflatten(1, (model.config.n_heads, -1)).transpose(0, 1)
            for x in "qk"
        )
        found[f"{path}.scores"] = q @ k.transpose(1, 2) / q.size(-1) ** 0.5
        found[f"{path}.weights"] = weights[0]
    return found


def test_hooks_are_given_what_passes_through_the_modules(exact_engine, simple, model):
    source, target = ids_of(exact_engine.translator, *PAIRS[1])
    wanted = python_hooks(simple, model, source, target)
    body = """const found = {};
    const hook = (name, tensor) => { found[name] = bytes(tensor); };
    model.decode(input[1], model.encode(input[0], hook), hook);
    return found"""
    found = exact_engine.run(body, [source, target])
    assert found.keys() == wanted.keys()
    for name, sent in found.items():
        assert torch.allclose(tensor(sent), wanted[name], atol=1e-4), name


HEAD = "decoder.layers.0.cross_attention"
CHANGES = {
    "temperature": "name.endsWith('.scores') "
    "&& tensor.data.forEach((score, i, all) => { all[i] = score / 2; })",
    "head": f"name === '{HEAD}.heads' && tensor.rows().forEach((row) => row.fill(0, 32, 64))",
    "network": "name === 'encoder.layers.1.feed_forward' && tensor.data.fill(0)",
    "unit": "name === 'decoder.layers.1.feed_forward.inner' "
    "&& tensor.rows().forEach((row) => { row[7] = row[300] = -1; })",
    "positions": "name === 'source_positions.encoding' && tensor.data.fill(0)",
    "memory": "if (name === 'encoder') return new A.Tensor(tensor.shape, tensor.data.toReversed())",
    "key": "name === 'encoder.layers.0.self_attention.scores' "
    "&& tensor.data.forEach((_, i, a) => { if (i % tensor.shape[2] === 2) a[i] = -Infinity; })",
}


def changed(simple, name):
    """What the same change makes of the weights in Python: pairs of a tensor and its new value."""
    if name == "temperature":
        scale = [p for n, p in simple.named_parameters() if n.endswith("w_query.weight")]
        return [(p, p / 2) for p in scale]
    if name == "head":
        weight = simple.get_parameter(f"{HEAD}.w_output.weight")
        return [(weight, torch.cat([weight[:, :32], 0 * weight[:, 32:64], weight[:, 64:]], 1))]
    if name == "network":
        outer = simple.get_submodule("encoder.layers.1.feed_forward.outer")
        return [(outer.weight, 0 * outer.weight), (outer.bias, 0 * outer.bias)]
    if name == "unit":
        weight = simple.get_parameter("decoder.layers.1.feed_forward.outer.weight")
        kept = torch.ones(512)
        kept[[7, 300]] = 0
        return [(weight, weight * kept)]
    if name == "positions":
        encoding = simple.source_positions.encoding
        return [(encoding, 0 * encoding)]
    return []


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_hook_changes_takes_effect(exact_engine, model, name):
    """Alone and while a search decodes, with keys and values kept from step to step."""
    simple = minimal.Transformer(model.config)
    simple.load_state_dict(model.state_dict())
    source, target = ids_of(exact_engine.translator, *PAIRS[1])
    ids = torch.tensor([source]), torch.tensor([target])
    with torch.no_grad():
        before = simple(*ids)[0]
        for tensor_, value in changed(simple, name):
            tensor_.copy_(value)
        memory = simple.encode(ids[0])
        if name == "memory":
            memory = memory.flip(1, 2)
        if name == "key":
            memory = without_key(simple, ids[0], 2)
        wanted = simple.decode(ids[1], memory, ids[0])[0]
    body = f"""const hook = (name, tensor) => {{ {CHANGES[name]} }};
    const memory = model.encode(input[0], hook);
    const prefixes = new A.Prefixes(model, memory, hook);
    const steps = input[1].map((token) => bytes(prefixes.step([token])));
    return [bytes(model.decode(input[1], memory, hook)), steps]"""
    whole, steps = exact_engine.run(body, [source, target])
    assert (wanted - before).abs().max() > 0.05
    assert (tensor(whole) - wanted).abs().max() <= 1e-4
    assert (torch.cat([tensor(step) for step in steps]) - wanted).abs().max() <= 1e-4


def without_key(simple, source, key):
    """The memory when no token of the first layer looks at one of the keys."""
    mask = torch.ones(1, 1, 1, source.size(1), dtype=torch.bool)
    first = mask.clone()
    first[..., key] = False
    x = simple.source_positions(simple.source_embedding(source))
    for layer, allowed in zip(simple.encoder.layers, (first, mask), strict=True):
        x = layer(x, allowed)
    return x


def test_a_query_that_may_look_nowhere_takes_nothing(exact_engine):
    body = """const scores = new A.Tensor([1, 2, 2], Float32Array.of(-Infinity, -Infinity, 1, 1));
    return bytes(A.softmax(scores, () => true))"""
    assert tensor(exact_engine.run(body)).tolist() == [[[0, 0], [0.5, 0.5]]]


def test_prefixes_that_branch_are_decoded_as_if_each_were_alone(exact_engine):
    """Steps of a search: prefixes end, double and change places; keys and values are shared."""
    draw = torch.Generator().manual_seed(3)
    parents, tokens, width = [], [], 1
    for _ in range(6):
        following = int(torch.randint(1, 5, (), generator=draw))
        tokens.append(torch.randint(3, 3000, (width,), generator=draw).tolist())
        parents.append(torch.randint(0, width, (following,), generator=draw).tolist())
        width = following
    body = """const [source, tokens, parents] = input;
    const memory = model.encode(source);
    const prefixes = new A.Prefixes(model, memory);
    let [written, most] = [[[]], 0];
    tokens.forEach((row, n) => {
        written = written.map((ids, i) => [...ids, row[i]]);
        const logits = prefixes.step(row);
        written.forEach((ids, i) => {
            const alone = model.decode(ids, memory).rows().at(-1);
            const apart = alone.map((value, id) => Math.abs(value - logits.row(i)[id]));
            most = Math.max(most, ...apart);
        });
        prefixes.select(parents[n]);
        written = parents[n].map((parent) => written[parent]);
    });
    return most"""
    source = exact_engine.translator.tokenizer.source_ids("I am a student")
    assert len({len(p) for p in parents}) > 2
    assert exact_engine.run(body, [source, tokens, parents]) <= 1e-4
