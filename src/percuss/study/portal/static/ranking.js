"use strict";
// Ranking: drag a card (SortableJS), give it its place by number, use its arrows, or compare two by two. Nothing is ranked until then.
window.percussRanking = (list) => {
  const t = window.percussWords;
  const cards = () => [...list.children];
  const ranked = "rank" in list.dataset;
  const section = list.closest(".cards") ?? list;
  const order = section.querySelector("[data-order]");
  const told = order?.querySelector("[data-order-state]");
  let touched = cards().every((card) => card.dataset.place);
  if (ranked && touched) cards().sort((a, b) => a.dataset.place - b.dataset.place).forEach((card) => list.appendChild(card));
  list.classList.add("js");
  if (order) order.hidden = false;

  const draw = () => {
    if (!ranked) return;
    cards().forEach((card, n) => {
      card.querySelector("[data-move='-1']").disabled = n === 0;
      card.querySelector("[data-move='1']").disabled = n === cards().length - 1;
      card.querySelector(".place input").value = touched ? String(n + 1) : "";
      card.querySelector("[data-badge]").textContent = touched ? String(n + 1) : "–";
    });
    if (told) told.textContent = touched ? t("Order: {letters}", { letters: cards().map((card) => card.dataset.letter).join(", ") }) : t("Not ranked yet: this order is random.");
    list.dispatchEvent(new Event("ranked", { bubbles: true }));
  };
  const show = (card) => { card.focus(); card.scrollIntoView({ block: "nearest" }); };
  const put = (card, place) => {
    const others = cards().filter((one) => one !== card);
    touched = true;
    list.insertBefore(card, others[place] ?? null);
    draw();
    show(card);
  };
  const move = (card, step) => put(card, Math.max(0, cards().indexOf(card) + step));
  const keep = () => { touched = true; draw(); };

  const button = order?.querySelector("[data-pairs]");
  const panel = section.querySelector("[data-duel]");
  const switched = (on) => {
    [list, section.querySelector(":scope > .small"), order.querySelector("[data-keep]"), told].forEach((one) => { if (one) one.hidden = on; });
    button.setAttribute("aria-pressed", String(on));
  };
  const pairs = panel && window.percussPairs(panel, cards, (placed) => {
    placed.forEach((card) => list.appendChild(card));
    touched = true;
    switched(false); draw(); show(cards()[0]);
  });
  const compare = () => {
    if (!pairs) return;
    if (pairs.isOpen()) pairs.stop(); else pairs.begin();
    switched(pairs.isOpen());
  };

  list.addEventListener("click", (event) => {
    const one = event.target.closest("[data-move]");
    if (one) move(one.closest(".card"), Number(one.dataset.move));
  });
  order?.querySelector("[data-keep]").addEventListener("click", keep);
  button?.addEventListener("click", compare);
  if (ranked && window.Sortable) {
    window.Sortable.create(list, {
      handle: "[data-grip]", draggable: ".card", ghostClass: "drag", animation: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 120, forceFallback: true, fallbackTolerance: 3,
      onEnd: (event) => { if (event.oldIndex !== event.newIndex) { touched = true; draw(); } event.item.focus(); },
    });
  }

  const key = (event) => {
    if (pairs?.key(event.key)) return true;
    if (event.key === "v" && pairs) { compare(); return true; }
    if (pairs?.isOpen()) return false;
    const here = document.activeElement?.closest?.(".card");
    const now = cards().indexOf(here);
    if (here && ranked && /^[1-9]$/.test(event.key) && Number(event.key) <= cards().length) { put(here, Number(event.key) - 1); return true; }
    const down = ["j", "J", "ArrowDown"].includes(event.key);
    if (down || ["k", "K", "ArrowUp"].includes(event.key)) {
      const step = down ? 1 : -1;
      if (here && ranked && (event.shiftKey || event.key === "J" || event.key === "K")) move(here, step);
      else show(cards()[Math.min(cards().length - 1, Math.max(0, now < 0 ? 0 : now + step))]);
      return true;
    }
    if (event.key === "c" && ranked) { keep(); return true; }
    return false;
  };
  draw();
  return { key, isRanked: () => !ranked || touched };
};
