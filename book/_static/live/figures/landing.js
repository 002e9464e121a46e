/** Figure *Landing*: type English, read Korean; lines between the words show what attended to what. */
"use strict";

(() => {
  const { LiveFigure, alignedWords, h } = AnnotatedTransformer;

  class LiveLanding extends LiveFigure {
    build(stage) {
      const value = "The doctor met the judge who rode the camel";
      this.field = h("textarea", { rows: 2, lang: "en", value, oninput: () => this.update() });
      this.output = h("p", { lang: "ko", "aria-live": "polite" });
      stage.append(h("label", {}, "English", this.field), this.output);
    }

    *draw(translator) {
      const source = this.field.value;
      const found = yield* translator.translate(source);
      const { sourceWords, targetWords, weights } = translator.attention(source, found.text);
      this.links = alignedWords(weights).map((i, j) => [sourceWords[i], targetWords[j]]);
      this.output.textContent = found.text;
    }
  }

  customElements.define("live-landing", LiveLanding);
})();
