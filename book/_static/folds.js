// The button that opens all sections of a second reading. What is printed is open, and a browser that
// does not open a fold by itself for an address in it is helped.
(() => {
  const sections = [...document.querySelectorAll("details.at-second-reading")];
  const folds = [...sections, ...document.querySelectorAll("details.admonition.dropdown")];
  const button = document.querySelector(".at-open-all");
  if (button) {
    const closed = () => sections.some((section) => !section.open);
    const name = () => { button.textContent = closed() ? button.dataset.closed : button.dataset.open; };
    button.addEventListener("click", () => {
      const open = closed();
      for (const section of sections) section.open = open;
    });
    for (const section of sections) section.addEventListener("toggle", name);
    name();
    button.hidden = false;
  }

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = folds.filter((fold) => !fold.open);
    for (const fold of opened) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of opened) fold.open = false;
  });

  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    let fold = target?.closest("details:not([open])");
    if (!fold || fold.firstElementChild.contains(target)) return;
    for (; fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
