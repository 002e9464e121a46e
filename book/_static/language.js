// The link to the other edition leads to the place that is being read: ids are the same in both. Without
// this script it leads to the head of the page.
"use strict";
(() => {
  const link = document.querySelector(".at-language");
  if (!link) return;
  const page = link.getAttribute("href");
  const PLACES = "section[id], .at-folded[id], dt[id]";
  const here = () => {
    const asked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const top = asked?.getBoundingClientRect().top ?? -1;
    if (top >= 0 && top < innerHeight) return asked.id;
    const article = document.querySelector("article") ?? document.body;
    const passed = [...article.querySelectorAll(PLACES)].filter((place) => {
      const {top, height} = place.getBoundingClientRect();
      return height > 0 && top < innerHeight / 3;
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
