import re
p='/tmp/long_sentences/book/claims.md'
s=open(p,encoding='utf-8').read()
NEW='''## Long texts

Attention costs more than the feed-forward network from four times the width of the model on.
: **Qualified.** In multiplications, with the paper's widths: {prf:ref}`thm-long-crossing`, `tests/analysis/test_layer_products.py::test_of_the_paper_s_base_model_it_is_the_width_of_the_network`. In time, on one processor and with the base model's 2,048, ??: `book/results/benchmark_long_sentences.json`, {numref}`fig-long-cost`.

FlashAttention is an approximation.
: **Refuted.** Two blocks of a softmax merge exactly; only the order of the sums, and so the rounding, differs: {prf:ref}`thm-long-merge`, `tests/variants/test_tiled.py::test_tiles_give_the_output_of_the_formula_to_a_millionth`.

FlashAttention makes attention linear in the length.
: **Qualified.** Its memory. The multiplications stay, and from 2,048 to 16,384 tokens the time of PyTorch's kernel on a processor grew with the power ??: `book/results/benchmark_long_sentences.json`.

A window makes attention linear in the length.
: **Qualified.** If what lies outside is not computed; with a mask over all scores it costs what all pairs cost: {prf:ref}`thm-long-window`, `tests/variants/test_window.py::test_the_cost_grows_with_the_length_and_the_window_and_not_with_the_square`, `book/results/benchmark_long_sentences.json`.

Linear attention computes the same as attention, faster.
: **Refuted.** It has other weights, whose matrix has at most the rank of the head's width: {ref}`ex-long-rank`, `tests/variants/test_linear.py::test_the_weights_are_the_definition`.

Linear attention is a recurrent network.
: **Confirmed.** In its causal form, with a state of fixed size: {prf:ref}`thm-long-recurrence`, `tests/variants/test_linear.py::test_token_by_token_a_state_of_fixed_size_gives_the_same`.

A state of fixed size can learn to keep what will be asked for.
: **Refuted.** Not of every text: it has no more answers than bits, {prf:ref}`thm-long-recall`. Trained linear attention failed long before the bound: with heads of width d, 39 to 64 % of the answers were right at 2d pairs, where softmax attention had all: `book/results/recall.json`, {numref}`fig-long-recall`.

Cheaper attention translates worse.
: **Open.** In runs of 1,000 updates on our short sentences, a window of two tokens and linear attention were ahead of full attention with each of three seeds, and windows of 4 and 8 were level with it: `book/results/short_sight.json`. None had finished learning. Longer runs on longer sentences would decide.

Grouped-query attention saves computation.
: **Qualified.** Not of scores, which are as many; a search has fewer keys and values to keep and to read: `tests/variants/test_grouped.py::test_the_bytes_are_those_of_the_tensors_that_are_kept`. ??: `book/results/benchmark_long_sentences.json`.

A model that knows positions only relative to each other works at twice the length of its training.
: **Refuted.** Neither rotary encodings nor ALiBi wrote more than 21 % of the strings of 16 letters after training up to 8, in copying or reversing, from any of three seeds: `book/results/twice_as_long.json`, {numref}`fig-long-twice`.

A Transformer has to write one token after another.
: **Refuted.** Without the causal mask it writes all at once, {prf:ref}`thm-long-independent`, `tests/variants/test_all_at_once.py::test_a_search_that_writes_token_by_token_finds_the_same`. On our corpus, where no sentence has a second translation, it has 45 to 50 % of new sentences right after three times the updates, and the usual decoder about 88: `book/results/all_at_once.json`.

'''
if '## Long texts' in s:
    i=s.index('## Long texts'); j=s.index('## The family'); s=s[:i]+NEW+s[j:]
else:
    s=s.replace('## The family\n',NEW+'## The family\n',1)
counts={}
for v in re.findall(r'^: \*\*(\w+)\.\*\*',s,flags=re.M): counts[v.lower()]=counts.get(v.lower(),0)+1
for k in ('confirmed','qualified','refuted','open'):
    s=re.sub(rf'\| {k} \| \d+ \|',f'| {k} | {counts[k]} |',s)
print(counts)
open(p,'w',encoding='utf-8').write(s)
