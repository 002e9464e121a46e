// JupyterLab shows a stored picture without its alternative text (4.6 reads only width and height of an
// output's metadata). This extension adds it: from the output's metadata, or from the cell's, where the
// book keeps the text of a figure that is drawn by the cell. `make lab` loads it; nothing has to be built.
(() => {
  const alternative = (output) => {
    const own = output.model.metadata[output.mimeType]?.alt;
    if (own) return own;
    let widget = output;
    while (widget && widget.model?.type !== "code") widget = widget.parent;
    return widget?.model.getMetadata("mystnb")?.image?.alt ?? "";
  };

  const plugin = (rendermime, imageFactory, RenderedImage) => ({
    id: "alternative-texts:plugin",
    autoStart: true,
    requires: [rendermime],
    activate: (_app, registry) => {
      class Picture extends RenderedImage {
        async render(model) {
          this.model = model;
          await super.render(model);
          this.describe();
        }

        onAfterAttach(message) {
          super.onAfterAttach(message);
          this.describe(); // only now is it known which cell it belongs to
        }

        describe() {
          for (const image of this.node.querySelectorAll("img")) image.alt = alternative(this);
        }
      }
      registry.addFactory({
        ...imageFactory,
        defaultRank: imageFactory.defaultRank - 1,
        createRenderer: (options) => new Picture(options),
      });
    },
  });

  let shared;
  const load = async (name) => (await Object.values(shared[name])[0].get())();
  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB["alternative-texts"] = {
    init: (scope) => { shared = scope; },
    get: async () => {
      const {IRenderMimeRegistry, imageRendererFactory, RenderedImage} = await load("@jupyterlab/rendermime");
      return () => plugin(IRenderMimeRegistry, imageRendererFactory, RenderedImage);
    },
  };
})();
