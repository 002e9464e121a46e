// A chart is drawn when it is about to be seen. The script in each chart's output calls vegaEmbed; here
// the call waits for the chart to come near, then for Vega, which is loaded once.
(() => {
  const bundle = new URL("vega-bundle.js", document.currentScript.src);
  const waiting = new Map();
  const observer = new IntersectionObserver((entries) => {
    for (const {isIntersecting, target} of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      waiting.get(target)();
    }
  }, {rootMargin: "400px"});
  const near = (chart) => new Promise((done) => {
    waiting.set(chart, done);
    observer.observe(chart);
  });

  let vega;
  const load = () => new Promise((done, failed) => {
    window.vegaLoaded = done;
    const script = Object.assign(document.createElement("script"), {src: bundle});
    script.onerror = () => failed(new Error("cannot load " + bundle));
    document.head.append(script);
  });

  // Vega-Lite warns in the console of sizes that it mends itself: only its errors are for readers.
  const logger = window.vegaLogger = {error: (...words) => console.error(...words)};
  for (const level of ["level", "warn", "info", "debug"]) logger[level] = () => logger;

  // Vega makes room for letters as it measures them: in the page's own face, which has to be there.
  const inTheFaceOf = async (chart, spec) => {
    const font = getComputedStyle(chart).getPropertyValue("--at-text").trim();
    if (!font) return spec;
    await document.fonts.load(`11px ${font}`).catch(() => undefined);
    return {...spec, config: {...spec.config, font}};
  };
  // Numbers under a chart that would nearly touch on a phone: every second one is left out.
  const config = {axisX: {labelSeparation: 8}};

  // Text beyond the right edge of a chart's picture, which would be cut there.
  const cut = (chart, part = "") => {
    const edge = chart.querySelector("svg")?.getBoundingClientRect().right;
    return [...chart.querySelectorAll(`svg ${part} text`)].some((text) => text.getBoundingClientRect().right > edge + 1);
  };

  window.vegaEmbed = async (chart, spec, options) => {
    await near(chart);
    const embed = await (vega ??= load());
    const inFace = await inTheFaceOf(chart, spec);
    const drawn = await embed(chart, inFace, {...options, config});
    // A legend that is too wide for a phone has one name a line.
    if (cut(chart, ".role-legend")) {
      drawn.finalize();
      const legend = {...inFace.config?.legend, columns: 1};
      return embed(chart, {...inFace, config: {...inFace.config, legend}}, {...options, config});
    }
    // Vega makes room for the numbers that it has before it knows the width: once more, with those that it has then.
    if (cut(chart)) await drawn.view.resize().runAsync();
    return drawn;
  };
})();
