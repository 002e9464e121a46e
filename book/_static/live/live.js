/**
 * Live figures: the base class of all of them, and the loading of weights.
 *
 * A figure in a page (a Markdown cell of a notebook, or a .md file; no blank line inside):
 *
 *   <live-heads>
 *   <figure>
 *   <img src="_static/live/pictures/heads.png" alt="What is drawn." width="700">
 *   <figcaption>What to see. <span class="live-still">Shown with the picture only.</span></figcaption>
 *   </figure>
 *   </live-heads>
 *
 * Without JavaScript, in print and in JupyterLab that is what there is. On the screen a stage takes the
 * place of the picture; the caption stays. The class stands in figures/heads.js, which pages with a
 * <live-heads> load by themselves, after the files of figures/heads/ if there are any
 * (book/_ext/live_figures.py):
 *
 *   "use strict";
 *   (() => {
 *     const { LiveFigure, h } = AnnotatedTransformer;
 *     class LiveHeads extends LiveFigure {
 *       build(stage) {                        // once, without weights: the controls, the figure at rest
 *         this.field = h("input", { type: "text", value: "I am a student", oninput: () => this.update() });
 *         this.output = h("p", { lang: "ko", "aria-live": "polite" });
 *         stage.append(h("label", {}, "English ", this.field), this.output);
 *       }
 *       *draw(translator) {                   // after each update(), with weights; the newest one wins
 *         const found = yield* translator.translate(this.field.value); // each yield lets the page live
 *         this.output.textContent = found.text;
 *       }
 *     }
 *     customElements.define("live-heads", LiveHeads);
 *   })();
 *
 * The weights are loaded when a reader first touches the figure (pointer, key or focus), for all figures
 * of the page at once; then draw() runs. `update()` asks for another run, and one that still goes on ends
 * at its next yield. What draw() throws as BadInput is said to the reader, in this.message under the
 * stage; build() may move it into the stage. `say(text)` says anything else there. A figure that needs no
 * weights sets `static model = null`; its draw() gets null.
 * Text enters the page by `h` and `textContent` only, never as markup.
 */
"use strict";

window.AnnotatedTransformer ??= {};

(() => {
  const { BadInput, Tensor, Translator } = AnnotatedTransformer;
  const FOLDER = new URL("weights/", document.currentScript.src).href;
  const SLICE = 12; // milliseconds of work before the page gets its turn

  class LoadingError extends Error {}

  /** An element with properties (or attributes, if it has no such property) and children; strings become text nodes. */
  function h(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name in element) element[name] = value;
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  /** The same for SVG, where everything is an attribute. */
  function svg(tag, attributes = {}, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  /** Resolves after the page has had its turn; unlike setTimeout at once. */
  const pause = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); resolve(); };
    port2.postMessage(null);
  });

  // --- weights: NAME-0.js, NAME-1.js ... call receive() with a part each (serving/browser.py)

  const received = {};

  function receive(name, number, count, text) {
    (received[name] ??= Array(count))[number] = text;
  }

  function addScript(address) {
    return new Promise((resolve, reject) => {
      const missing = () => reject(Error(`${address} did not load`));
      const script = h("script", { src: address, onload: resolve, onerror: missing });
      document.head.append(script);
    });
  }

  /** Load the parts one after the other, for the sake of the progress that is told in [0, 1]. */
  async function load(name, progress) {
    for (let number = 0, count = 1; number < count; number++) {
      await addScript(`${FOLDER}${name}-${number}.js`);
      // A part that was cut is a script with an error in it: it has loaded and said nothing.
      if (!received[name]?.[number]) throw Error(`part ${number} of ${name} is incomplete`);
      count = received[name].length;
      progress((number + 1) / count);
    }
    await pause();
    return new Translator(unpack(received[name]));
  }

  /** The parts to {config, weights, pieces, words}; the layout is that of serving/browser.py. */
  function unpack(parts) {
    const text = parts.map(atob).join("");
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    let start = 0;
    const take = (size) => {
      if (start + size > bytes.length) throw Error("the weights end too early");
      return bytes.slice(start, (start += size)).buffer;
    };
    const [size] = new Uint32Array(take(4));
    const { tensors, ...rest } = JSON.parse(new TextDecoder().decode(take(size)));
    const weights = new Map();
    for (const { name, shape, bits } of tensors) {
      const length = shape.reduce((product, n) => product * n, 1);
      if (bits === 32) weights.set(name, new Tensor(shape, new Float32Array(take(4 * length))));
      else {
        const scales = new Float32Array(take(4 * shape[0]));
        const numbers = new Int8Array(take(length));
        const tensor = new Tensor(shape);
        tensor.rows().forEach((row, i) => {
          for (let n = 0; n < shape[1]; n++) row[n] = numbers[i * shape[1] + n] * scales[i];
        });
        weights.set(name, tensor);
      }
    }
    return { ...rest, weights };
  }

  // --- figures

  const TOUCHES = ["pointerdown", "focusin", "keydown"];

  class LiveFigure extends HTMLElement {
    static model = "english_korean";
    #turn = 0;
    #said = false;

    connectedCallback() {
      if (this.stage) return;
      this.stage = h("div", { className: "live-stage" });
      this.bar = h("progress", {
        className: "live-progress", max: 1, value: 0, hidden: true, "aria-label": "Loading the model",
      });
      this.message = h("p", { className: "live-message", role: "status" });
      this.querySelector("img").before(this.stage, this.bar, this.message);
      this.build(this.stage);
      this.classList.add("live-on");
      const first = () => {
        for (const event of TOUCHES) this.removeEventListener(event, first);
        this.update();
      };
      for (const event of TOUCHES) this.addEventListener(event, first);
    }

    /** Make the controls and the figure at rest. */
    build(_stage) {}

    /** Compute and draw what the controls say; a generator. */
    *draw(_translator) {}

    /** Tell the reader something, under the figure; a screen reader says it too. */
    say(text) {
      this.#said = true;
      if (this.message.textContent !== text) this.message.textContent = text;
    }

    /** Run draw() with what the controls say now; resolves when it is done, or a newer one began. */
    async update() {
      const turn = ++this.#turn;
      this.setAttribute("aria-busy", "true");
      try {
        const model = this.constructor.model;
        const translator = await (model ? this.wake(model) : null);
        if (turn === this.#turn) await this.#run(translator, turn);
      } catch (error) {
        this.#fail(error);
      } finally {
        if (turn === this.#turn) this.removeAttribute("aria-busy");
      }
    }

    async #run(translator, turn) {
      this.#said = false;
      try {
        const steps = this.draw(translator);
        for (let since = performance.now(); !steps.next().done;) {
          if (performance.now() - since < SLICE) continue;
          await pause();
          if (turn !== this.#turn) return;
          since = performance.now();
        }
        if (!this.#said) this.say("");
      } catch (error) {
        if (!(error instanceof BadInput)) throw error;
        this.say(error.message);
      }
      this.dataset.drawn = turn;
    }

    /** The translator; its weights are loaded once for all figures of the page, and with progress. */
    wake(name) {
      const model = (models[name] ??= startLoading(name));
      if (!model.done) {
        this.say("Loading the model.");
        this.bar.hidden = false;
        model.bars.add(this.bar);
      }
      return model.promise;
    }

    /** No model, or an error of ours: say so, and show the picture again. */
    #fail(error) {
      const missing = error instanceof LoadingError;
      (missing ? console.warn : console.error)(error);
      this.classList.remove("live-on");
      this.stage.after(this.message); // the stage, in which it may stand, is no longer seen
      this.say(missing
        ? "The model could not be loaded, so this is only a picture. Reload the page to try again."
        : "This figure has stopped working, so this is only a picture. Reload the page to try again.");
    }
  }

  const models = {}; // name to {promise, bars, done}

  function startLoading(name) {
    const model = { bars: new Set(), done: false };
    const progress = (share) => model.bars.forEach((bar) => { bar.value = share; });
    model.promise = load(name, progress).catch((error) => {
      throw new LoadingError(`no weights of ${name}: ${error.message}`);
    }).finally(() => {
      model.done = true;
      model.bars.forEach((bar) => { bar.hidden = true; });
    });
    return model;
  }

  Object.assign(AnnotatedTransformer, { LiveFigure, h, svg, pause, receive, unpack });
})();
