/**
 * The Transformer of the paper in plain JavaScript: annotated_transformer/minimal.py, class by class.
 *
 * In the order of section 3, with Python's names, and with its weights as they are: `weights` below is
 * a Map from "encoder.layers.0.self_attention.w_query.weight" and the like to tensors. There is one
 * sentence and no batch, so there is no padding either; dropout has nothing to do after training.
 *
 * Every forward pass takes a hook, so that one can look at what passes, and change it:
 *
 *   const hook = (name, tensor) => {
 *     if (name.endsWith(".cross_attention.weights")) seen.push(tensor);       // look
 *     if (name === "encoder.layers.1.feed_forward") tensor.data.fill(0);      // change in place
 *     if (name === "encoder") return otherMemory;                             // exchange
 *   };
 *   const memory = model.encode(sourceIds, hook);        // (source, d_model)
 *   const logits = model.decode(targetIds, memory, hook); // (target, vocab)
 *
 * A module gives its output under its Python path ("encoder.layers.0.self_attention",
 * "encoder.layers.0", "source_embedding", "encoder": the memory, "decoder", "output": the logits).
 * Inside of the modules there are, with d = n_heads * d_k:
 *
 *   PATH.q PATH.k PATH.v    of an attention, all heads side by side   (length, d)
 *   PATH.scores             q k^T / sqrt(d_k), before the mask        (heads, query, key)
 *   PATH.weights            softmax of the scores                     (heads, query, key)
 *   PATH.heads              weights v, before w_output; head h is in columns h * d_v ...  (query, d)
 *   PATH.inner              of a feed-forward network, before ReLU: 0 switches a unit off (length, d_ff)
 *   PATH.sum                of after_attention and the like: x + sublayer, before LayerNorm (length, d_model)
 *   source_positions.encoding, target_positions.encoding   what will be added (length, d_model)
 *
 * While a search decodes (`Prefixes`), the rows are the newest tokens of its prefixes instead of the
 * positions of a sentence; keys are then those of each prefix. A change that is the same for all rows
 * (a temperature, a head, a unit) can be made by one hook in both.
 */
"use strict";

window.AnnotatedTransformer ??= {};

(() => {
  /** Numbers with a shape, the last axis the fastest: Float32Array in row-major order. */
  class Tensor {
    constructor(shape, data = new Float32Array(shape.reduce((size, n) => size * n, 1))) {
      this.shape = shape;
      this.data = data;
    }

    /** Row i of a matrix; writing into it changes the tensor. */
    row(i) {
      const width = this.shape[1];
      return this.data.subarray(i * width, (i + 1) * width);
    }

    /** All rows of a matrix. */
    rows() {
      return Array.from({ length: this.shape[0] }, (_, i) => this.row(i));
    }
  }

  /** Sum of a[i + n] * b[j + n] over n < width: four sums at a time take half as long as one. */
  function dot(a, i, b, j, width) {
    let s = 0, t = 0, u = 0, v = 0, n = 0;
    for (; n + 3 < width; n += 4) {
      s += a[i + n] * b[j + n];
      t += a[i + n + 1] * b[j + n + 1];
      u += a[i + n + 2] * b[j + n + 2];
      v += a[i + n + 3] * b[j + n + 3];
    }
    for (; n < width; n++) s += a[i + n] * b[j + n];
    return s + t + u + v;
  }

  /** x W^T + b: (length, in) to (length, out), with W (out, in) as in torch.nn.Linear. */
  function linear({ data: x, shape: [length, width] }, { data: w, shape: [out] }, bias) {
    const y = new Tensor([length, out]);
    let i = 0;
    for (; i + 3 < length; i += 4) fourRows(x, i, w, out, width, y.data);
    for (; i < length; i++) {
      for (let o = 0; o < out; o++) y.data[i * out + o] = dot(x, i * width, w, o * width, width);
    }
    if (bias) y.rows().forEach((row) => row.forEach((_, o) => { row[o] += bias.data[o]; }));
    return y;
  }

  /** Rows i to i + 3 of that product: reading a weight once for four rows takes half the time. */
  function fourRows(x, i, w, out, width, y) {
    const a = i * width, b = a + width, c = b + width, d = c + width;
    for (let o = 0; o < out; o++) {
      let s = 0, t = 0, u = 0, v = 0;
      for (let n = 0, place = o * width; n < width; n++, place++) {
        const weight = w[place];
        s += x[a + n] * weight;
        t += x[b + n] * weight;
        u += x[c + n] * weight;
        v += x[d + n] * weight;
      }
      y[i * out + o] = s;
      y[(i + 1) * out + o] = t;
      y[(i + 2) * out + o] = u;
      y[(i + 3) * out + o] = v;
    }
  }

  /** x + y, component by component. */
  function add(x, y) {
    return new Tensor(x.shape, x.data.map((value, i) => value + y.data[i]));
  }

  /** softmax over the last axis, as far as mask(query, key) allows; zeros where it allows nothing. */
  function softmax(scores, mask) {
    const [heads, queries, keys] = scores.shape;
    const weights = new Tensor(scores.shape);
    for (let row = 0; row < heads * queries; row++) {
      const start = row * keys;
      let [largest, sum] = [-Infinity, 0];
      for (let j = 0; j < keys; j++) {
        if (mask(row % queries, j)) largest = Math.max(largest, scores.data[start + j]);
      }
      if (largest === -Infinity) continue;
      for (let j = 0; j < keys; j++) {
        if (mask(row % queries, j)) sum += Math.exp(scores.data[start + j] - largest);
      }
      for (let j = 0; j < keys; j++) {
        if (!mask(row % queries, j)) continue;
        weights.data[start + j] = Math.exp(scores.data[start + j] - largest) / sum;
      }
    }
    return weights;
  }

  /**
   * softmax(Q K^T / sqrt(d_k)) V for all heads (section 3.2.1, equation 1).
   *
   * q is (query, heads * d_k); seen[i] has the keys and values that query i may look at, a list of
   * rows each. Returns (query, heads * d_v).
   */
  function attention(q, seen, mask, nHeads, tap) {
    const [queries, width] = q.shape;
    const keys = seen[0].keys.length;
    const dK = width / nHeads;
    const dV = seen[0].values[0].length / nHeads;
    const products = new Tensor([nHeads, queries, keys]);
    const heads = new Tensor([queries, nHeads * dV]);
    const each = (visit) => {
      for (let h = 0; h < nHeads; h++)
        for (let i = 0; i < queries; i++)
          for (let j = 0; j < keys; j++) visit(h, i, j, (h * queries + i) * keys + j);
    };
    each((h, i, j, place) => {
      const product = dot(q.data, i * width + h * dK, seen[i].keys[j], h * dK, dK);
      products.data[place] = product / Math.sqrt(dK);
    });
    const weights = tap("weights", softmax(tap("scores", products), mask));
    each((h, i, j, place) => {
      const value = seen[i].values[j];
      const start = i * nHeads * dV;
      for (let n = h * dV; n < (h + 1) * dV; n++) {
        heads.data[start + n] += weights.data[place] * value[n];
      }
    });
    return tap("heads", heads);
  }

  const ANY = () => true;
  /** No position sees a later one (3.2.3). */
  const CAUSAL = (query, key) => key <= query;

  /** Several attentions side by side, each on its own projections (3.2.2). */
  class MultiHeadAttention {
    constructor(config, weights, path) {
      this.path = path;
      this.nHeads = config.n_heads;
      for (const name of ["w_query", "w_key", "w_value", "w_output"]) {
        this[name] = weights.get(`${path}.${name}.weight`);
      }
    }

    /** Keys and values of vectors (length, d_model), as lists of rows. */
    project(memory, tap) {
      return {
        keys: tap(`${this.path}.k`, linear(memory, this.w_key)).rows(),
        values: tap(`${this.path}.v`, linear(memory, this.w_value)).rows(),
      };
    }

    /** Queries from x (query, d_model); seen[i]: keys and values that query i looks at. */
    forward(x, seen, mask, tap) {
      const q = tap(`${this.path}.q`, linear(x, this.w_query));
      const inside = (name, tensor) => tap(`${this.path}.${name}`, tensor);
      return tap(this.path, linear(attention(q, seen, mask, this.nHeads, inside), this.w_output));
    }
  }

  /** max(0, x W1 + b1) W2 + b2, at each position alike (3.3, equation 2). */
  class FeedForward {
    constructor(weights, path) {
      this.path = path;
      for (const name of ["inner", "outer"]) {
        this[name] = [weights.get(`${path}.${name}.weight`), weights.get(`${path}.${name}.bias`)];
      }
    }

    /** (length, d_model) to the same shape. */
    forward(x, tap) {
      const inner = tap(`${this.path}.inner`, linear(x, ...this.inner));
      const active = new Tensor(inner.shape, inner.data.map((value) => Math.max(0, value)));
      return tap(this.path, linear(active, ...this.outer));
    }
  }

  /** Token ids to vectors, times sqrt(d_model) (3.4). */
  class Embedding {
    constructor(weights, path) {
      this.path = path;
      this.weight = weights.get("source_embedding.weight"); // one matrix for both languages (3.4)
    }

    /** A list of ids to (length, d_model). */
    forward(ids, tap) {
      const x = new Tensor([ids.length, this.weight.shape[1]]);
      const scale = Math.sqrt(this.weight.shape[1]);
      ids.forEach((id, i) => x.row(i).set(this.weight.row(id).map((value) => value * scale)));
      return tap(this.path, x);
    }
  }

  /** sin(pos / 10000^(2i / d_model)), then the cosine of the angle (3.5): (length, d_model). */
  function sinusoids(length, dModel) {
    const encoding = new Tensor([length, dModel]);
    for (let position = 0; position < length; position++) {
      for (let n = 0; n < dModel; n++) {
        const angle = position / 10_000 ** ((n - (n % 2)) / dModel);
        encoding.data[position * dModel + n] = n % 2 ? Math.cos(angle) : Math.sin(angle);
      }
    }
    return encoding;
  }

  /** Adds the sinusoids (3.5). */
  class Positions {
    constructor(config, path) {
      this.path = path;
      this.encoding = sinusoids(config.max_length, config.d_model);
    }

    /** Row i of x (length, d_model) stands at positions[i]; position 0 is the first token. */
    forward(x, positions, tap) {
      const added = new Tensor(x.shape);
      positions.forEach((position, i) => added.row(i).set(this.encoding.row(position)));
      return tap(this.path, add(x, tap(`${this.path}.encoding`, added)));
    }
  }

  /** gain * (x - mean) / sqrt(variance + epsilon) + bias, of each vector by itself (3.1). */
  class LayerNorm {
    constructor(config, weights, path) {
      this.epsilon = config.epsilon;
      this.gain = weights.get(`${path}.gain`);
      this.bias = weights.get(`${path}.bias`);
    }

    /** (length, d_model) to the same shape. */
    forward(x) {
      const y = new Tensor(x.shape);
      x.rows().forEach((row, i) => {
        const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
        const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
        const scale = 1 / Math.sqrt(variance + this.epsilon);
        const norm = (value, n) => this.gain.data[n] * (value - mean) * scale + this.bias.data[n];
        y.row(i).set(row.map(norm));
      });
      return y;
    }
  }

  /** LayerNorm(x + Sublayer(x)) (3.1). */
  class Residual {
    constructor(config, weights, path) {
      this.path = path;
      this.layer_norm = new LayerNorm(config, weights, `${path}.layer_norm`);
    }

    /** Add what the sublayer made of x, and normalise the sum. */
    forward(x, sublayerOfX, tap) {
      return tap(this.path, this.layer_norm.forward(tap(`${this.path}.sum`, add(x, sublayerOfX))));
    }
  }

  /** Self-attention, then the feed-forward network (3.1, "Encoder"). */
  class EncoderLayer {
    constructor(config, weights, path) {
      this.path = path;
      this.self_attention = new MultiHeadAttention(config, weights, `${path}.self_attention`);
      this.feed_forward = new FeedForward(weights, `${path}.feed_forward`);
      this.after_attention = new Residual(config, weights, `${path}.after_attention`);
      this.after_feed_forward = new Residual(config, weights, `${path}.after_feed_forward`);
    }

    /** Every source token looks at every other. */
    forward(x, tap) {
      const seen = Array(x.shape[0]).fill(this.self_attention.project(x, tap));
      x = this.after_attention.forward(x, this.self_attention.forward(x, seen, ANY, tap), tap);
      x = this.after_feed_forward.forward(x, this.feed_forward.forward(x, tap), tap);
      return tap(this.path, x);
    }
  }

  /** The same with attention over the memory between (3.1, "Decoder"). */
  class DecoderLayer extends EncoderLayer {
    constructor(config, weights, path) {
      super(config, weights, path);
      this.cross_attention = new MultiHeadAttention(config, weights, `${path}.cross_attention`);
      const name = `${path}.after_cross_attention`;
      this.after_cross_attention = new Residual(config, weights, name);
    }

    /**
     * Look back at the target so far, then across at the source.
     *
     * memory: keys and values of the source. kept: those of each prefix of a search, to which the
     * newest tokens x are added; without it x is a whole target.
     */
    forward(x, memory, kept, tap) {
      const own = this.self_attention.project(x, tap);
      kept?.forEach((prefix, i) => {
        prefix.keys.push(own.keys[i]);
        prefix.values.push(own.values[i]);
      });
      const back = kept ?? Array(x.shape[0]).fill(own);
      const mask = kept ? ANY : CAUSAL;
      x = this.after_attention.forward(x, this.self_attention.forward(x, back, mask, tap), tap);
      const across = Array(x.shape[0]).fill(memory);
      const found = this.cross_attention.forward(x, across, ANY, tap);
      x = this.after_cross_attention.forward(x, found, tap);
      x = this.after_feed_forward.forward(x, this.feed_forward.forward(x, tap), tap);
      return tap(this.path, x);
    }
  }

  /** A hook that returns what is used from then on: another tensor, or the one it was given. */
  const tapped = (hook) => (name, tensor) => hook?.(name, tensor) ?? tensor;

  /** Source and target ids in, logits of the next token out (Figure 1). */
  class Transformer {
    constructor(config, weights) {
      this.config = config;
      const layers = [...Array(config.n_layers).keys()];
      this.source_embedding = new Embedding(weights, "source_embedding");
      this.target_embedding = new Embedding(weights, "target_embedding");
      this.source_positions = new Positions(config, "source_positions");
      this.target_positions = new Positions(config, "target_positions");
      this.encoder = layers.map((n) => new EncoderLayer(config, weights, `encoder.layers.${n}`));
      this.decoder = layers.map((n) => new DecoderLayer(config, weights, `decoder.layers.${n}`));
      this.output = weights.get("source_embedding.weight"); // one matrix (3.4)
    }

    /** The memory (source, d_model): one vector for each of the source ids. */
    encode(source, hook) {
      const tap = tapped(hook);
      const positions = [...source.keys()];
      let x = this.source_positions.forward(this.source_embedding.forward(source, tap), positions, tap);
      for (const layer of this.encoder) x = layer.forward(x, tap);
      return tap("encoder", x);
    }

    /** Logits (target, vocab) after each of the target ids; none sees a later one (3.2.3). */
    decode(target, memory, hook) {
      return this.run(target, [...target.keys()], this.project(memory, hook), null, hook);
    }

    /** Keys and values of the memory, for each layer of the decoder. */
    project(memory, hook) {
      return this.decoder.map((layer) => layer.cross_attention.project(memory, tapped(hook)));
    }

    /** Tokens at their positions to logits; `kept` is that of `Prefixes`, a list for each layer. */
    run(tokens, positions, memory, kept, hook) {
      const tap = tapped(hook);
      let x = this.target_positions.forward(this.target_embedding.forward(tokens, tap), positions, tap);
      this.decoder.forEach((layer, n) => { x = layer.forward(x, memory[n], kept?.[n], tap); });
      return tap("output", linear(tap("decoder", x), this.output));
    }
  }

  /**
   * Prefixes of a translation with their keys and values, so that a step costs the newest tokens alone
   * (decoding/cache.py). It begins with one empty prefix; the first token is that for the beginning.
   */
  class Prefixes {
    constructor(model, memory, hook) {
      Object.assign(this, { model, hook, length: 0, memory: model.project(memory, hook) });
      this.kept = model.decoder.map(() => [{ keys: [], values: [] }]);
    }

    /** Write one token after each prefix; return the logits (prefix, vocab) of the next. */
    step(tokens) {
      const positions = Array(tokens.length).fill(this.length++);
      return this.model.run(tokens, positions, this.memory, this.kept, this.hook);
    }

    /** Prefix i is from now on the one that was at parents[i]; rows are shared, not copied. */
    select(parents) {
      const copy = ({ keys, values }) => ({ keys: [...keys], values: [...values] });
      this.kept = this.kept.map((layer) => parents.map((parent) => copy(layer[parent])));
    }
  }

  Object.assign(AnnotatedTransformer, { Tensor, Transformer, Prefixes, linear, softmax, sinusoids });
})();
