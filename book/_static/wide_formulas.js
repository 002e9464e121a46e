// On a phone a formula in a line may be wider than the window. It scrolls then, and as long as it does
// Tab stops there, so that the arrow keys can scroll it.
const resized = new ResizeObserver((entries) => {
  const scrolls = ({target}) => target.scrollWidth > target.clientWidth
    && getComputedStyle(target).overflowX === "auto";
  const stops = entries.map(scrolls);
  entries.forEach(({target}, place) => {
    if (stops[place]) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  });
});
for (const formula of document.querySelectorAll('article mjx-container:not([display="true"])'))
  resized.observe(formula);
