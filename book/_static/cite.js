// The button "Cite" in the title of a listing copies its BibTeX entry. Where a page may not write to
// the clipboard, the entry is shown and selected.
"use strict";

const showSelected = (button, citation) => {
  const title = button.closest(".at-source-title");
  const field = document.createElement("textarea");
  Object.assign(field, { value: citation, readOnly: true, rows: citation.split("\n").length });
  field.className = "at-citation";
  field.setAttribute("aria-label", button.dataset.name);
  title.parentElement.querySelector(".at-citation")?.remove();
  title.after(field);
  field.focus();
  field.select();
};

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.(".at-cite");
  if (!button) return;
  const status = button.nextElementSibling;
  try {
    await navigator.clipboard.writeText(button.dataset.citation);
    status.textContent = button.dataset.copied;
  } catch {
    showSelected(button, button.dataset.citation);
    status.textContent = button.dataset.selected;
  }
  setTimeout(() => { status.textContent = ""; }, 3000);
});
