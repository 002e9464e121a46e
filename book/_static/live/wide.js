/**
 * What figures share that are as wide as the page allows: the two sentences in large letters, one bar of
 * playback, and a movement at first sight. Such a figure says `static wide = true`.
 */
"use strict";

(() => {
  const { h, say, svg } = AnnotatedTransformer;
  const LOOKED_AT = 2500; // milliseconds that a picture stands before it moves by itself, once
  const PACE = 900; // milliseconds for a step while it plays
  const SLOW = 1100; // where motion is reduced
  const ICONS = {
    play: "M5 3L17 10L5 17Z", pause: "M5 3H8.5V17H5ZM11.5 3H15V17H11.5Z",
    back: "M13 4L6 10L13 16Z", next: "M7 4L14 10L7 16Z",
  };

  /**
   * Let a figure move by itself, once: when `part` of it has been in view for a moment. Nothing moves where somebody asks for
   * less motion, or has touched the figure, which then says so in `touched`.
   */
  function once(figure, part, begin) {
    const events = ["pointerdown", "keydown", "input"];
    for (const event of events) figure.stage.addEventListener(event, () => { figure.touched = true; }, { once: true });
    const seen = new IntersectionObserver((entries) => {
      if (!entries.at(-1).isIntersecting) return;
      seen.disconnect();
      setTimeout(() => {
        if (!figure.touched && !matchMedia("(prefers-reduced-motion: reduce)").matches) begin();
      }, LOOKED_AT);
    }, { threshold: 0.6 });
    seen.observe(part);
  }

  /**
   * A field for an English sentence, the Korean beside it, and buttons that fill the field.
   *
   * `changed` is called after each change. What `status` has to say takes the place of the hint, so that
   * nothing moves. Returns {field, output, hint, element, tries}.
   */
  function twoSentences(sentences, changed, status) {
    const field = h("textarea", {
      className: "live-field wide-field", rows: 1, lang: "en", value: sentences[0],
      spellcheck: false, autocomplete: "off", oninput: changed,
    });
    const output = h("p", { lang: "ko", className: "wide-out" });
    const hint = h("p", { className: "wide-hint" });
    const choose = (sentence) => () => {
      field.value = sentence;
      changed();
    };
    const tries = h("div", { className: "wide-tries live-only" }, ...sentences.map((sentence) => h("button", {
      type: "button", className: "wide-try", lang: "en", onclick: choose(sentence),
    }, sentence)));
    const element = h("div", { className: "wide-top" },
      h("div", { className: "wide-sentences" },
        h("label", {}, h("span", { className: "wide-name" }, say`English`), field),
        h("span", { className: "wide-arrow", "aria-hidden": "true" }, "→"),
        h("div", {}, h("span", { className: "wide-name" }, say`Korean`), output)),
      h("div", { className: "wide-said" }, hint, status));
    return { field, output, hint, element, tries };
  }

  /**
   * A bar of playback: a step back, play or pause, a step on, and a slider over all steps.
   *
   * `changed(byHand)` is called after each step. `track` stands in the slider's place with the slider laid
   * over it, if there is one. Returns {input, element, tell(text), stop(), play(until)}.
   */
  function player(name, settings, changed, track) {
    const value = h("span", { className: "wide-value", "aria-hidden": "true" }); // the slider itself says it
    const input = h("input", { type: "range", "aria-label": name, ...settings, oninput: () => byHand() });
    const tell = (text) => {
      value.textContent = text;
      input.setAttribute("aria-valuetext", text);
    };
    const button = (icon, title, act) => h("button", { type: "button", title, "aria-label": title, onclick: act },
      svg("svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" }, svg("path", { d: ICONS[icon] })));
    const toggle = button("play", say`Play`, () => (timer ? stop() : play()));
    toggle.className = "wide-toggle";
    let timer = null, end = null; // where it stops
    const show = (icon, title) => {
      Object.assign(toggle, { title, ariaLabel: title });
      toggle.querySelector("path").setAttribute("d", ICONS[icon]);
    };
    function stop() {
      clearInterval(timer);
      timer = null;
      show("play", say`Play`);
    }
    function byHand(by = 0) {
      stop();
      input.value = Number(input.value) + by;
      changed(true);
    }
    const next = () => {
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom < 0 || top > innerHeight) return; // out of view nothing goes on
      input.value = Number(input.value) + 1;
      if (input.value === end) stop();
      changed(false);
    };
    /** Play up to a step; from the first one on, if it is there. */
    function play(until = input.max) {
      end = until;
      if (input.value === end) {
        input.value = input.min;
        changed(false);
      }
      timer = setInterval(next, matchMedia("(prefers-reduced-motion: reduce)").matches ? SLOW : PACE);
      show("pause", say`Pause`);
    }
    const element = h("div", { className: "wide-bar", role: "group", "aria-label": say`Playback` },
      h("div", { className: "wide-buttons live-only" }, button("back", say`One step back`, () => byHand(-1)), toggle,
        button("next", say`One step on`, () => byHand(1))),
      h("div", { className: track ? "wide-over" : "wide-track" }, ...(track ? [track] : []), input), value);
    return { input, element, tell, stop, play };
  }

  Object.assign(AnnotatedTransformer, { once, player, twoSentences });
})();
