/** Figure *The whole model*: the steps, with their names, their code in minimal.py and what they show. */
"use strict";

(() => {
  const { say } = AnnotatedTransformer;
  const [ENCODER, DECODER] = ["encoder.layers.0", "decoder.layers.0"];

  /**
   * code stands in the part `where` of minimal.py. shows: [form, tensor, axes, what it is]; the
   * last one is what the step ends with, and its shape is that in the picture. looks: the attention
   * whose weights are drawn, and which of its three beats.
   */
  const STEPS = [
    { part: "encoder", label: say`embedding`, name: say`Embedding, times √d_model`,
      where: "Embedding.forward", code: "super().forward(ids) * math.sqrt(self.embedding_dim)",
      shows: [["row", "source_embedding", "n d_model"]],
      words: (of) => say`${of.token} is number ${of.id} of the ${of.sizes.V.toLocaleString("en")} tokens. It takes row
        ${of.id} of the matrix E, each number times √${of.sizes.d_model}.` },
    { part: "encoder", label: say`plus position`, name: say`Plus position`,
      where: "Positions.forward", code: "x + self.encoding[: x.size(1)]",
      shows: [["row", "source_positions", "n d_model"]],
      words: (of) => say`The sinusoids of position ${of.i} are added, so that the row says where ${of.token} stands.` },
    { part: "encoder", label: say`q, k, v`, name: say`Encoder layer 1, self-attention: queries, keys, values`,
      where: "MultiHeadAttention.forward",
      code: "q, k = self.split(self.w_query(x)), self.split(self.w_key(memory))\nself.split(self.w_value(memory))",
      shows: [["heads", `${ENCODER}.self_attention.q`, "h n d_k", say`query`],
        ["heads", `${ENCODER}.self_attention.k`, "h n d_k", say`key`],
        ["heads", `${ENCODER}.self_attention.v`, "h n d_v", say`value`]],
      words: (of) => say`Three matrices make a query, a key and a value of the row: ${of.sizes.d_k} numbers each for
        each of the ${of.sizes.h} heads.` },
    { part: "encoder", label: say`scores ÷ √dₖ`, name: say`Encoder layer 1, self-attention: scores over √dₖ`,
      where: "attention", code: "scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))",
      looks: [`${ENCODER}.self_attention`, "asks"],
      shows: [["scores", `${ENCODER}.self_attention.scores`, "h n n"]],
      words: (of) => say`In each head the query of ${of.token} is multiplied with the key of every token, and the
        product is divided by √${of.sizes.d_k}.` },
    { part: "encoder", label: say`softmax`, name: say`Encoder layer 1, self-attention: softmax`,
      where: "attention", code: "scores.masked_fill(~mask, -math.inf).softmax(dim=-1)",
      looks: [`${ENCODER}.self_attention`, "answers"],
      shows: [["weights", `${ENCODER}.self_attention.weights`, "h n n"]],
      words: () => say`Softmax makes weights of the scores; in each head they add up to 1. Here nothing is masked.` },
    { part: "encoder", label: say`weighted sum`, name: say`Encoder layer 1, self-attention: weighted sum`,
      where: "attention", code: "scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v",
      looks: [`${ENCODER}.self_attention`, "flows"],
      shows: [["heads", `${ENCODER}.self_attention.heads`, "h n d_v", say`output of the heads`]],
      words: () => say`Each head adds up the values with these weights. Only in such sums do rows learn of one another.` },
    { part: "encoder", label: say`Wᴼ`, name: say`Encoder layer 1, self-attention: Wᴼ`,
      where: "MultiHeadAttention.forward", code: "self.w_output(heads.transpose(1, 2).flatten(-2))",
      shows: [["row", `${ENCODER}.self_attention`, "n d_model"]],
      words: (of) => say`The heads side by side are ${of.sizes.h} × ${of.sizes.d_v} numbers, which a matrix mixes.` },
    { part: "encoder", label: say`add and norm`, name: say`Encoder layer 1: add and norm`,
      where: "Residual.forward", code: "self.layer_norm(x + self.dropout(sublayer_of_x))",
      shows: [["row", `${ENCODER}.after_attention`, "n d_model"]],
      words: () => say`What attention found is added to the row that went in, and LayerNorm normalises the sum.` },
    { part: "encoder", label: say`FFN, inner`, name: say`Encoder layer 1, feed-forward: inner, with ReLU`,
      where: "FeedForward.forward", code: "self.inner(x).relu()",
      shows: [["units", `${ENCODER}.feed_forward.inner`, "n d_ff"]],
      words: (of) => say`${of.sizes.d_ff} units read the row, each on its own; what is below 0 becomes 0.` },
    { part: "encoder", label: say`FFN, outer`, name: say`Encoder layer 1, feed-forward: outer`,
      where: "FeedForward.forward", code: "self.outer(self.inner(x).relu())",
      shows: [["row", `${ENCODER}.feed_forward`, "n d_model"]],
      words: (of) => say`A second matrix makes ${of.sizes.d_model} numbers of the ${of.sizes.d_ff} again.` },
    { part: "encoder", label: say`add and norm`, name: say`Encoder layer 1: add and norm`,
      where: "EncoderLayer.forward", code: "self.after_feed_forward(x, self.feed_forward(x))",
      shows: [["row", `${ENCODER}.after_feed_forward`, "n d_model"]],
      words: () => say`Added and normalised again. The row is as wide as it was before, so the next layer can read it.` },
    { part: "encoder", label: say`layer 2: memory`, name: say`Encoder layer 2: the memory`,
      where: "Stack.forward", code: "x = layer(x, *memory_and_masks)",
      shows: [["row", "encoder", "n d_model"]],
      words: (of) => say`Layer 2 does all this once more with weights of its own. What comes out is the row of
        ${of.token} in the memory, for the decoder to read.` },
    { part: "decoder", label: say`embedding, plus position`, name: say`Decoder: embedding, times √d_model, plus position`,
      where: "Transformer.decode", code: "x = self.target_positions(self.target_embedding(target))",
      shows: [["row", "target_positions", "m d_model"]],
      words: (of) => (of.other
        ? say`From here on we follow a token of the Korean side, ${of.here}: its row has to say what comes next.
          The row that looks at ${of.token} most in layer 2 (mean of the heads) is another: ${of.other}.`
        : say`From here on we follow a token of the Korean side, ${of.here}: its row has to say what comes next.
          It is the row that looks at ${of.token} most in layer 2 (mean of the heads).`) },
    { part: "decoder", label: say`masked self-attention`, name: say`Decoder layer 1: masked self-attention, add and norm`,
      where: "DecoderLayer.forward", code: "x = self.after_attention(x, self.self_attention(x, x, mask))",
      looks: [`${DECODER}.self_attention`, "flows"],
      shows: [["weights", `${DECODER}.self_attention.weights`, "h m m"],
        ["row", `${DECODER}.after_attention`, "m d_model"]],
      words: (of) => say`${of.here} looks at what is written so far; the tokens after it are masked.` },
    { part: "decoder", label: say`encoder-decoder attention`,
      name: say`Decoder layer 1: encoder-decoder attention, add and norm`,
      where: "DecoderLayer.forward",
      code: "across = self.cross_attention(x, memory, memory_mask)\nx = self.after_cross_attention(x, across)",
      looks: [`${DECODER}.cross_attention`, "flows"],
      shows: [["weights", `${DECODER}.cross_attention.weights`, "h m n"],
        ["row", `${DECODER}.after_cross_attention`, "m d_model"]],
      words: (of) => say`The query comes from the row of ${of.here}, keys and values from the memory, in which one row
        is that of ${of.token}.` },
    { part: "decoder", label: say`FFN`, name: say`Decoder layer 1: feed-forward, add and norm`,
      where: "DecoderLayer.forward", code: "self.after_feed_forward(x, self.feed_forward(x))",
      shows: [["row", `${DECODER}.after_feed_forward`, "m d_model"]],
      words: (of) => say`As before: ${of.sizes.d_ff} units, then ${of.sizes.d_model} numbers, added and normalised.` },
    { part: "decoder", label: say`layer 2`, name: say`Decoder layer 2`,
      where: "Stack.forward", code: "x = layer(x, *memory_and_masks)",
      looks: ["decoder.layers.1.cross_attention", "flows"],
      shows: [["weights", "decoder.layers.1.cross_attention.weights", "h m n"], ["row", "decoder", "m d_model"]],
      words: () => say`The same three parts with weights of their own. The memory is read once more.` },
    { part: "decoder", label: say`projection to words`, name: say`Projection to the vocabulary`,
      where: "Transformer.decode", code: "self.output(self.decoder(self.dropout(x), memory, *masks))",
      shows: [["logits", "output", "m V"]],
      words: (of) => say`The row is multiplied with each row of E, the matrix of the first step: a score for
        each of the ${of.sizes.V.toLocaleString("en")} tokens.` },
    { part: "decoder", label: say`softmax: the next word`, name: say`Softmax: the next word`,
      shows: [["shares", "output", "m V"]],
      words: (of) => say`Softmax makes probabilities of the scores.
        After ${of.here} the most probable token is ${of.next}. Where the model is sure, about a tenth is left;
        it is spread thinly over the ${(of.sizes.V - 1).toLocaleString("en")} other tokens, as label smoothing
        (Section 5.4) taught.` },
  ];

  (AnnotatedTransformer.journey ??= {}).STEPS = STEPS;
})();
