/** What figures with sliders share: a slider that says its value in words; two places, which are dragged, and a hand for each. */
"use strict";

(() => {
  const { h, say, svg } = AnnotatedTransformer;
  const KINDS = ["place-first", "place-second"];

  /** A slider with its name; tell(text) says its value in words. */
  function slider(name, settings, changed) {
    const value = h("span", { "aria-hidden": "true" }); // the slider itself says it
    const input = h("input", { type: "range", ...settings, oninput: changed });
    const tell = (text) => {
      value.textContent = ` ${text}`;
      input.setAttribute("aria-valuetext", text);
    };
    return { input, tell, element: h("label", { className: "live-slider" }, name, value, input) };
  }

  /**
   * Two places from 0 to `last`, with a slider each, and a third that moves both together.
   *
   * `places` holds them, `move` takes others, and `changed` is called after each change.
   */
  function twoPlaces(names, last, places, changed) {
    const show = () => {
      own.forEach(({ input, tell }, n) => {
        input.value = places[n];
        tell(String(places[n]));
      });
      both.input.max = last - Math.abs(places[0] - places[1]);
      both.input.disabled = both.input.max === "0"; // from end to end there is no room
      both.input.value = Math.min(...places);
      both.tell(places.join(say` and `));
    };
    const move = (moved) => {
      moved.forEach((place, n) => { places[n] = place; });
      show();
      changed();
    };
    const own = names.map((name, n) => slider(
      h("span", { className: `${KINDS[n]}-name` }, name), { min: 0, max: last },
      () => move(places.map((place, i) => (i === n ? Number(own[n].input.value) : place)))));
    const both = slider(say`both together:`, { min: 0 }, () => {
      const step = Number(both.input.value) - Math.min(...places);
      move(places.map((place) => place + step));
    });
    show();
    return { places, move, element: h("div", { className: "live-places" },
      ...[...own, both].map(({ element }) => element)) };
  }

  /**
   * Let the two places be dragged along an element that is as wide as all places: the nearer of them, or well
   * between them both.
   */
  function dragPlaces(drawn, { places, move }, last) {
    let held;
    /** The place under a pointer; beside the element that of its end. */
    const placeAt = ({ clientX }) => {
      const { left, width } = drawn.getBoundingClientRect();
      return Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * (last + 1))));
    };
    const pull = (event) => {
      if (!drawn.hasPointerCapture(event.pointerId)) return;
      const at = placeAt(event);
      if (held.moved.length === 1) {
        move(places.map((place, n) => (n === held.moved[0] ? at : place)));
        return;
      }
      const step = Math.max(-Math.min(...places), Math.min(last - Math.max(...places), at - held.at));
      held.at += step;
      move(places.map((place) => place + step));
    };
    drawn.addEventListener("pointerdown", (event) => {
      const at = placeAt(event);
      const far = places.map((place) => Math.abs(place - at));
      const between = at > Math.min(...places) && at < Math.max(...places) && Math.min(...far) > 2;
      held = { moved: between ? [0, 1] : [far[0] <= far[1] ? 0 : 1], at };
      drawn.setPointerCapture(event.pointerId);
      pull(event);
    });
    drawn.addEventListener("pointermove", pull);
  }

  /** A hand from the middle of a dial, x to the right and y up: a full tip for place 0, a hollow one for 1. */
  function hand(x, y, n, state = "") {
    const tip = { cx: x, cy: -y, r: n ? 4 : 5.5, class: `${KINDS[n]}-tip ${state}` };
    return [svg("line", { x1: 0, y1: 0, x2: x, y2: -y, class: `${KINDS[n]} ${state}` }), svg("circle", tip)];
  }

  Object.assign(AnnotatedTransformer, { dragPlaces, hand, slider, twoPlaces });
})();
