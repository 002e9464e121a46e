// MathJax without a browser: TeX in, the HTML of the drawn formula out. formulas.py runs this.
const {mathjax} = MathJax._.mathjax;
const adaptor = MathJax._.adaptors.liteAdaptor.liteAdaptor();
const handler = MathJax._.handlers.html_ts.RegisterHTMLHandler(adaptor);
MathJax._.a11y["assistive-mml"].AssistiveMmlHandler(handler);

const fonts = new MathJax._.output.chtml.fonts.tex_ts.TeXFont({fontURL: "formulas"});
const input = new MathJax._.input.tex_ts.TeX({
  packages: ["base", "ams", "color", "newcommand", "textmacros"],
  formatError: (_input, error) => { throw error; },
});
const output = new MathJax._.output.chtml_ts.CHTML({font: fonts, adaptiveCSS: false});
const page = mathjax.document("", {InputJax: input, OutputJax: output});

function drawFormula(tex, display) {
  try {
    return {html: adaptor.outerHTML(page.convert(tex, {display, scale: 1}))};
  } catch (error) {
    return {error: error.message};
  }
}

const styleSheet = () => adaptor.textContent(page.documentStyleSheet());
