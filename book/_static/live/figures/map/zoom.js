/** The way into a block and back: its inside stands over the map, which grows into it. */
"use strict";

(() => {
  const M = AnnotatedTransformer.map;
  const { h, say } = AnnotatedTransformer;
  const CAMERA = { duration: 520, easing: "cubic-bezier(.3, 0, .1, 1)" };

  /** host: the element of the map. `stage` is the block that is open, or null. */
  class Inner {
    constructor(host) {
      Object.assign(this, { host, stage: null, row: 0, head: 0, whole: 0 });
      this.panel = h("div", { className: "map-inside", role: "region", "aria-label": say`Inside of a block`, tabIndex: -1, hidden: true });
      this.close = h("button", { type: "button", className: "map-close", hidden: true, onclick: () => this.leave() }, say`Whole map`);
      new ResizeObserver(() => { if (this.stage) host.size(); }).observe(this.panel);
    }

    enter(stage, button) {
      const { host } = this;
      host.player.pause();
      this.whole = this.stage ? this.whole : this.taken();
      Object.assign(this, { stage, row: Math.max(0, host.followed()[stage.side]), head: 0 });
      this.show(true);
      this.fill();
      this.zoom(button, this.panel);
      this.close.focus({ preventScroll: true });
      host.go(host.time);
    }

    leave(quietly = false) {
      const { host } = this, { side, name, block } = this.stage;
      this.stage = null;
      this.show(false);
      host.size();
      if (quietly) return;
      host.go(host.time);
      const { blocks } = host.found;
      const button = blocks.find((b) => b.stage.side === side && b.stage.name === name && b.block === block) ?? blocks[0];
      blocks.forEach((b) => { b.tabIndex = b === button ? 0 : -1; });
      button.focus({ preventScroll: true });
      if (!host.still) host.world.animate({ transform: ["scale(1.12)", "none"], opacity: [0, 1] }, CAMERA);
    }

    /** What the whole map takes with its playback: a wide one keeps this, and what is below stays where it is. */
    taken() {
      const { room, plan, player } = this.host, below = player.element.nextElementSibling;
      return plan.wide ? below.offsetTop - room.offsetTop - parseFloat(getComputedStyle(below).marginTop) : 0;
    }

    /** The inside instead of the map, or the other way round. */
    show(open) {
      const { host } = this;
      this.panel.hidden = this.close.hidden = !open;
      host.told.hidden = host.player.element.hidden = open;
      host.world.classList.toggle("map-off", open);
    }

    /** Write the inside anew: another row or head, or the numbers have come. */
    fill() {
      const { run, colours, plan, places, translator } = this.host;
      const again = (more) => {
        const focused = [...this.panel.querySelectorAll("button")].indexOf(document.activeElement);
        Object.assign(this, more);
        this.fill();
        if (focused >= 0) this.panel.querySelectorAll("button")[focused]?.focus();
      };
      const said = M.inside({
        host: this.panel, stage: this.stage, run, colours, plan, row: this.row, head: this.head, places, translator,
        pick: (row) => again({ row }), turn: (head) => again({ head }),
      });
      this.panel.setAttribute("aria-label", said.split(". ")[0]);
      this.host.size();
    }

    /** Let an element grow out of a button. */
    zoom(button, element) {
      const { room, still } = this.host;
      if (still) return;
      const [from, to] = [button, room].map((x) => x.getBoundingClientRect());
      const small = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width}, ${from.height / to.height})`;
      element.animate({ transform: [small, "none"], opacity: [0, 1] }, CAMERA);
    }
  }

  M.Inner = Inner;
})();
