// The link to the other edition leads to the place that is being read: ids are the same in both. Without
// this script it leads to the head of the page.
"use strict";
(() => {
  const link = document.querySelector(".at-language");
  if (!link) return;
  const page = link.getAttribute("href");
  const PLACES = "section[id], figure[id], div.math[id], .proof[id], .exercise[id], .at-folded[id], dt[id], h1, h2";
  const here = () => {
    const article = document.querySelector("article") ?? document.body;
    const passed = [...article.querySelectorAll(PLACES)].filter((place) => {
      const {top, height} = place.getBoundingClientRect();
      return place.id && height > 0 && top < 120;
    });
    const name = passed.at(-1)?.id ?? "";
    return /^id\d+$|-content$/.test(name) ? "" : name;
  };
  const aim = () => {
    const name = scrollY > 0 ? here() : "";
    link.setAttribute("href", page + (name ? `#${encodeURIComponent(name)}` : location.search));
  };
  for (const event of ["pointerdown", "focus", "click"]) link.addEventListener(event, aim);
})();
