"use strict";
// Ranking: drag a card, use its arrows, or the keys. Nothing is ranked until the order was touched or confirmed.
window.percussRanking = (list) => {
  const cards = () => [...list.children];
  const ranked = "rank" in list.dataset;
  const order = list.closest(".cards").querySelector("[data-order]");
  const told = order?.querySelector("[data-order-state]");
  let touched = cards().every((card) => card.dataset.place);
  if (ranked && touched) cards().sort((a, b) => a.dataset.place - b.dataset.place).forEach((card) => list.appendChild(card));
  list.classList.add("js");
  if (order) order.hidden = false;
  const ordinal = (n) => `${n}${n % 100 > 10 && n % 100 < 14 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" })[n % 10] ?? "th"}`;

  const draw = () => {
    if (!ranked) return;
    cards().forEach((card, n) => {
      card.querySelector(".place input").value = touched ? String(n + 1) : "";
      card.querySelector("[data-badge]").textContent = touched ? ordinal(n + 1) : "–";
    });
    if (told) told.textContent = touched ? `Order: ${cards().map((card) => card.dataset.letter).join(", ")}` : "Not ranked yet: this order is random.";
    list.dispatchEvent(new Event("ranked", { bubbles: true }));
  };
  const move = (card, step) => {
    const other = step < 0 ? card.previousElementSibling : card.nextElementSibling;
    touched = true;
    if (other) list.insertBefore(step < 0 ? card : other, step < 0 ? other : card);
    draw();
    card.focus();
    card.scrollIntoView({ block: "nearest" });
  };
  const keep = () => { touched = true; draw(); };

  list.addEventListener("click", (event) => {
    const button = event.target.closest("[data-move]");
    if (button) move(button.closest(".card"), Number(button.dataset.move));
  });
  order?.querySelector("[data-keep]").addEventListener("click", keep);
  let dragged = null;
  list.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest("[data-grip]");
    if (!grip) return;
    event.preventDefault();
    dragged = grip.closest(".card");
    dragged.classList.add("drag");
    list.setPointerCapture(event.pointerId);
  });
  list.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    const over = cards().find((card) => { const box = card.getBoundingClientRect(); return card !== dragged && event.clientY > box.top && event.clientY < box.bottom; });
    if (!over) return;
    const box = over.getBoundingClientRect();
    list.insertBefore(dragged, event.clientY < box.top + box.height / 2 ? over : over.nextElementSibling);
    touched = true;
    draw();
  });
  ["pointerup", "pointercancel"].forEach((name) => list.addEventListener(name, () => { dragged?.classList.remove("drag"); dragged?.focus(); dragged = null; }));

  const key = (event) => {
    const here = document.activeElement?.closest?.(".card");
    const now = cards().indexOf(here);
    const down = ["j", "J", "ArrowDown"].includes(event.key);
    if (down || ["k", "K", "ArrowUp"].includes(event.key)) {
      const step = down ? 1 : -1;
      if (here && ranked && (event.shiftKey || event.key === "J" || event.key === "K")) move(here, step);
      else { const next = cards()[Math.min(cards().length - 1, Math.max(0, now < 0 ? 0 : now + step))]; next.focus(); next.scrollIntoView({ block: "nearest" }); }
      return true;
    }
    if (event.key === "c" && ranked) { keep(); return true; }
    return false;
  };
  draw();
  return { key, isRanked: () => !ranked || touched };
};
