"use strict";
// Two by two: each answer finds its place by comparisons with those already in order (binary insertion), fewest questions first.
window.percussPairs = (panel, cards, done) => {
  const t = window.percussWords;
  let placed = [];
  let waiting = [];
  let low = 0;
  let high = 0;
  let past = [];
  const text = (card) => card.querySelector(".passage").textContent;
  const most = (n) => Math.ceil(Math.log2(n + 1));
  const left = () => most(high - low) + waiting.slice(1).reduce((sum, _, n) => sum + most(placed.length + 1 + n), 0);
  const middle = () => (low + high) >> 1;
  const part = (card, side, key) => {
    const box = document.createElement("section");
    box.className = "side";
    box.setAttribute("aria-label", card.getAttribute("aria-label"));
    const passage = box.appendChild(document.createElement("div"));
    passage.className = "passage";
    passage.textContent = text(card);
    const button = box.appendChild(document.createElement("button"));
    button.type = "button"; button.className = "button"; button.dataset.better = side;
    button.append(t("{answer} is better", { answer: card.getAttribute("aria-label") }), " ");
    button.appendChild(document.createElement("kbd")).textContent = key;
    return box;
  };
  const draw = () => {
    panel.textContent = "";
    const told = panel.appendChild(document.createElement("p"));
    told.className = "small"; told.setAttribute("role", "status");
    told.textContent = t(left() === 1 ? "Which one is better? {n} comparison left at most." : "Which one is better? {n} comparisons left at most.", { n: left() });
    const both = panel.appendChild(document.createElement("div"));
    both.className = "both";
    both.append(part(waiting[0], "new", "←"), part(placed[middle()], "old", "→"));
    if (past.length) {
      const back = panel.appendChild(document.createElement("button"));
      back.type = "button"; back.className = "chip"; back.dataset.unsay = "";
      back.append(t("Take the last comparison back"), " ");
      back.appendChild(document.createElement("kbd")).textContent = "Backspace";
    }
  };
  const next = () => { low = 0; high = placed.length; };
  const step = () => {
    if (low < high) { draw(); return; }
    placed.splice(low, 0, waiting.shift());
    if (!waiting.length) { panel.hidden = true; done(placed); return; }
    next(); draw();
  };
  const better = (which) => {
    past.push({ placed: [...placed], waiting: [...waiting], low, high });
    if (which === "new") high = middle(); else low = middle() + 1;
    step();
  };
  const unsay = () => { const was = past.pop(); if (was) { ({ placed, waiting, low, high } = was); draw(); } return true; };
  const begin = () => {
    [placed, waiting, past] = [[cards()[0]], cards().slice(1), []];
    panel.hidden = false;
    next(); draw();
  };
  panel.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.better) better(button.dataset.better);
    if (button && "unsay" in button.dataset) unsay();
  });
  const key = (pressed) => {
    if (panel.hidden) return false;
    if (pressed === "ArrowLeft" || pressed === "1") { better("new"); return true; }
    if (pressed === "ArrowRight" || pressed === "2") { better("old"); return true; }
    if (pressed === "Backspace") return unsay();
    return false;
  };
  return { begin, key, stop: () => { panel.hidden = true; }, isOpen: () => !panel.hidden };
};
