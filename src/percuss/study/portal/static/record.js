"use strict";
// The record beside the item: search in it, and from a number of the statement to its cell (in training only, where there are links).
window.percussRecord = (work) => {
  const t = window.percussWords;
  const field = work.querySelector("[data-find]");
  const record = work.querySelector("[data-record]");
  const found = work.querySelector("[data-found]");
  const cells = record ? [...record.querySelectorAll("[data-cell]")] : [];
  const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/(\d),(?=\d)/g, "$1."); // 0,55 and 0.55 are one number
  const find = () => {
    const words = plain(field.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const cell of cells) {
      const heading = cell.closest("[data-group]")?.querySelector("h3")?.textContent ?? "";
      const text = plain(`${heading} ${cell.textContent}`);
      cell.hidden = !words.every((word) => text.includes(word));
      if (!cell.hidden) count += 1;
    }
    for (const group of record.querySelectorAll("[data-group]")) group.hidden = !group.querySelector("[data-cell]:not([hidden])");
    found.textContent = words.length ? t(count === 1 ? "{n} place" : "{n} places", { n: count }) : "";
  };
  field?.addEventListener("input", find);
  field?.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && event.key !== "Enter") return;
    event.preventDefault(); event.stopPropagation();
    if (event.key === "Escape") { field.value = ""; find(); }
    work.focus({ preventScroll: true });
  });
  work.addEventListener("click", (event) => {
    const link = event.target.closest("[data-to-cell]");
    if (!link) return;
    event.preventDefault();
    if (field) { field.value = ""; find(); }
    record.querySelectorAll(".lit").forEach((one) => one.classList.remove("lit"));
    const cell = cells.find((one) => one.dataset.cell === link.dataset.toCell);
    cell.classList.add("lit");
    cell.scrollIntoView({ block: "nearest" });
  });
  const key = (pressed) => {
    if (pressed !== "/" || !field) return false;
    field.focus(); field.select();
    return true;
  };
  return { key };
};
