"use strict";
// Marking statements in a text, with mouse, finger or keyboard. Offsets count characters (code points), as Python does.
window.percussMarker = (box, text) => {
  const t = window.percussWords;
  const input = box.querySelector("input[type=hidden]");
  const list = box.querySelector("[data-marks]");
  const none = box.querySelector(".tick input");
  const source = text.textContent;
  let marks = JSON.parse(input.value || "[]");
  let cursor = 0;
  let anchor = 0;

  text.textContent = "";
  text.classList.add("markable");
  text.tabIndex = 0;
  text.setAttribute("role", "region");
  text.setAttribute("aria-label", t("Text to mark: arrow keys move by word, Shift with an arrow extends, m marks"));
  let at = 0;
  const words = [];
  for (const piece of source.match(/\s+|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []) {
    const span = document.createElement("span");
    span.textContent = piece;
    span.dataset.start = String(at);
    at += [...piece].length;
    span.dataset.stop = String(at);
    text.appendChild(span);
    if (piece.trim()) words.push(span);
  }
  const points = [...source];
  const range = () => { const [a, b] = [Math.min(anchor, cursor), Math.max(anchor, cursor)]; return [a, b]; };
  const draw = () => {
    none.disabled = marks.length > 0;
    const [a, b] = range();
    words.forEach((word, n) => { word.classList.toggle("sel", n >= a && n <= b && document.activeElement === text); word.classList.toggle("cur", n === cursor && document.activeElement === text); });
    for (const span of text.children) span.classList.toggle("m", marks.some((m) => Number(span.dataset.start) >= m.start && Number(span.dataset.stop) <= m.stop));
  };
  const keep = () => { input.value = JSON.stringify(marks); if (marks.length) none.checked = false; box.dispatchEvent(new Event("change", { bubbles: true })); };
  const rows = (focus = -1) => {
    list.textContent = "";
    marks.forEach((mark, n) => {
      const quote = points.slice(mark.start, mark.stop).join("");
      const item = document.createElement("li");
      const row = item.appendChild(document.createElement("div"));
      row.className = "row";
      const q = row.appendChild(document.createElement("q"));
      q.textContent = quote;
      const remove = row.appendChild(document.createElement("button"));
      remove.type = "button"; remove.className = "chip"; remove.textContent = t("Remove");
      remove.setAttribute("aria-label", t("Remove mark {n}", { n: n + 1 }));
      remove.addEventListener("click", () => { marks.splice(n, 1); keep(); rows(); draw(); text.focus(); });
      const label = item.appendChild(document.createElement("label"));
      label.append(t("Source"));
      const reference = label.appendChild(document.createElement("input"));
      reference.placeholder = t("which source");
      reference.setAttribute("aria-label", t("Source of mark {n}", { n: n + 1 }));
      reference.maxLength = 300;
      reference.value = mark.reference ?? "";
      reference.addEventListener("input", () => { mark.reference = reference.value; keep(); });
      reference.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === "Escape") { event.preventDefault(); event.stopPropagation(); text.focus(); draw(); } });
      list.appendChild(item);
      if (n === focus) reference.focus();
    });
  };
  const add = (start, stop) => {
    if (stop <= start || marks.some((m) => m.start === start && m.stop === stop)) return;
    const mark = { start, stop, reference: "" };
    marks.push(mark);
    marks.sort((a, b) => a.start - b.start || a.stop - b.stop);
    keep(); rows(marks.indexOf(mark)); draw();
  };
  const selected = () => {
    const chosen = getSelection();
    if (!chosen || chosen.isCollapsed || !text.contains(chosen.anchorNode) || !text.contains(chosen.focusNode)) return null;
    const hit = words.filter((word) => chosen.containsNode(word, true));
    return hit.length ? [Number(hit[0].dataset.start), Number(hit[hit.length - 1].dataset.stop)] : null;
  };
  const mark = () => {
    const chosen = selected();
    if (chosen) { add(...chosen); getSelection().removeAllRanges(); return; }
    const [a, b] = range();
    if (words.length) add(Number(words[a].dataset.start), Number(words[b].dataset.stop));
  };
  text.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 12, ArrowUp: -12 }[event.key];
    if (!step) return;
    event.preventDefault(); event.stopPropagation();
    cursor = Math.min(words.length - 1, Math.max(0, cursor + step));
    if (!event.shiftKey) anchor = cursor;
    getSelection().removeAllRanges();
    draw();
    words[cursor].scrollIntoView({ block: "nearest" });
  });
  text.addEventListener("pointerup", () => { const chosen = selected(); if (!chosen) return; anchor = words.findIndex((w) => Number(w.dataset.start) === chosen[0]); cursor = words.findIndex((w) => Number(w.dataset.stop) === chosen[1]); });
  text.addEventListener("click", (event) => { const n = words.indexOf(event.target); if (n >= 0 && !selected()) { if (!event.shiftKey) anchor = n; cursor = n; text.focus(); draw(); } });
  text.addEventListener("focus", draw);
  text.addEventListener("blur", draw);
  box.querySelector("[data-mark]").addEventListener("pointerdown", (event) => event.preventDefault());
  box.querySelector("[data-mark]").addEventListener("click", mark);
  const load = (value) => { marks = structuredClone(value); keep(); rows(); draw(); };
  rows(); draw();
  return { key: (pressed) => { if (pressed !== "m") return false; mark(); return true; }, load };
};
