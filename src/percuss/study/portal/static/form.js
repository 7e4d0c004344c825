"use strict";
// One form: which question is asked now, keys, conditions, active time, what to say while saving. No inline code anywhere.
window.percussForm = (form, say) => {
  const t = window.percussWords;
  const together = Boolean(form.closest("[data-case]")); // several statements on one page, each saved by itself
  const IDLE_MS = 120000; // longer than this without a sign of life is a break and is not counted
  const all = (selector, from = form) => [...from.querySelectorAll(selector)];
  const questions = () => all(".q[data-question]").filter((q) => !q.hidden);
  const state = form.querySelector("[data-state]");
  let active = null;

  const inputs = (q) => all("input[type=radio], input[type=checkbox]", q);
  const optional = (q) => q.hasAttribute("data-optional");
  const answered = (q) => {
    if (q.hasAttribute("data-spans")) return q.querySelector("input[type=hidden]").value !== "[]" || q.querySelector(".tick input").checked;
    return inputs(q).some((one) => one.checked);
  };
  const cant = (from = form) => from.querySelector("[name$=cant]:checked")?.value ?? "";
  const cardOf = (one) => one?.closest?.(".card") ?? null;

  const conditions = () => {
    for (const q of all(".q[data-when]")) {
      const when = JSON.parse(q.dataset.when || "{}");
      const prefix = q.closest("[data-prefix]")?.dataset.prefix ?? "";
      q.hidden = !Object.entries(when).every(([name, values]) => values.includes(form.querySelector(`[name="${prefix}q.${name}"]:checked`)?.value));
    }
  };
  const anchor = (q, label) => {
    const line = q.querySelector("[data-anchor-line]");
    if (!line) return;
    if (!("rest" in line.dataset)) line.dataset.rest = line.textContent;
    line.textContent = label?.dataset.anchor || q.querySelector("input:checked")?.closest("label")?.dataset.anchor || line.dataset.rest;
  };
  // Into the room that is left between what stays at the top (on a phone a picture) and the bar at the bottom.
  const cleared = (q) => {
    const pane = form.closest("[data-judge]")?.querySelector(".left");
    const held = (one) => (one && getComputedStyle(one).position === "sticky" ? one.offsetHeight : 0);
    const scroll = q.closest(".scroll");
    const own = scroll && /auto|scroll/.test(getComputedStyle(scroll).overflowY);
    const [top, bottom] = own ? [0, 0] : [held(pane), held(form.querySelector(".foot"))];
    const room = own ? scroll.clientHeight : window.innerHeight - top - bottom;
    q.style.scrollMarginTop = `${top + 12}px`;
    q.style.scrollMarginBottom = `${bottom + 12}px`;
    return room;
  };
  const bring = (q) => {
    const room = cleared(q);
    q.scrollIntoView({ block: q.offsetHeight + 24 > room ? "start" : "center" });
  };
  const point = (q, scroll = true) => {
    active?.classList.remove("active");
    active = q;
    if (questions().length > 1) q?.classList.add("active");
    if (!q || !scroll) return;
    cleared(q);
    q.scrollIntoView({ block: "nearest" });
  };
  const advance = () => {
    const list = questions();
    const from = Math.max(0, list.indexOf(active));
    const next = [...list.slice(from), ...list.slice(0, from)].find((q) => !answered(q) && !optional(q) && !q.closest("[data-cant]") && !(together && cant(cardOf(q))));
    if (!next) return;
    point(next);
    if (together && cardOf(next) !== cardOf(document.activeElement)) cardOf(next).focus({ preventScroll: true });
  };

  // Active time: the sum of the gaps between signs of life, a gap over two minutes left out. No clock is shown.
  // Of several statements on one page each has its own: the one in which somebody is.
  const spend = (ms) => {
    const own = cardOf(active)?.querySelector("[data-active-ms]");
    if (own) own.value = String(Math.round(Number(own.value) + ms));
  };
  const field = form.querySelector("[name=active_ms]");
  let total = Number(field?.value ?? 0);
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    if (now - last <= IDLE_MS) { total += now - last; if (together) spend(now - last); }
    last = now;
  };
  const signs = ["pointermove", "pointerdown", "keydown", "wheel", "scroll", "touchstart"];
  signs.forEach((name) => document.addEventListener(name, tick, { passive: true, capture: true }));
  const stop = () => {
    signs.forEach((name) => document.removeEventListener(name, tick, { capture: true }));
    window.removeEventListener("resize", again);
  };

  const missing = () => {
    if (together || cant()) return null;
    return questions().find((q) => !optional(q) && !q.closest("[data-cant]") && !answered(q)) ?? null;
  };
  const ready = () => {
    const q = missing();
    if (!q) return true;
    point(q);
    const card = cardOf(q);
    if (card) card.focus({ preventScroll: true });
    const ask = q.querySelector("legend").textContent.trim();
    say(`${card ? card.getAttribute("aria-label") + ": " : ""}${ask}${/[.?!:]$/.test(ask) ? "" : "."} ${q.hasAttribute("data-spans") ? t("Mark something, or tick that there is nothing to mark.") : t("Please answer this one.")}`, true);
    q.classList.add("wanted");
    bring(q); // after the message, which takes room of its own
    return false;
  };
  const again = () => { const q = form.querySelector(".q.wanted"); if (q) bring(q); };
  window.addEventListener("resize", again); // a phone that is turned, a keyboard that goes away
  const submit = () => form.requestSubmit();

  form.addEventListener("submit", (event) => {
    if (form.hasAttribute("data-plain")) return;
    if (form.hasAttribute("data-preview")) { event.preventDefault(); event.stopImmediatePropagation(); say(t("This is a preview: nothing is saved.")); return; }
    const reason = form.querySelector("[data-reason]");
    if (!ready()) { event.preventDefault(); event.stopImmediatePropagation(); return; }
    if (reason && reason.value.trim().length < 3) {
      event.preventDefault(); event.stopImmediatePropagation();
      reason.focus();
      say(t("Please give the reason for your decision."), true);
      return;
    }
    tick();
    if (field) field.value = String(Math.round(total));
  }, true);
  if (form.hasAttribute("data-draft")) ["input", "change"].forEach((name) => form.addEventListener(name, () => window.percussDrafts.keep(form)));
  form.addEventListener("change", (event) => {
    conditions();
    const q = event.target.closest(".q[data-question]");
    if (q) { q.classList.remove("wanted"); anchor(q); point(q, false); if (event.target.type === "radio") advance(); }
    const own = together ? cardOf(event.target) ?? form : form;
    if (/(?:^|:)q\./.test(event.target.name) && cant(own)) own.querySelector("[name$=cant][value='']").checked = true;
    if (state?.classList.contains("warn") && !missing()) say("");
  });
  form.addEventListener("pointerover", (event) => { if (event.pointerType === "touch") return; const l = event.target.closest(".option"); const q = l?.closest(".q"); if (q) anchor(q, l); });
  form.addEventListener("pointerout", (event) => { const q = event.target.closest(".option")?.closest(".q"); if (q) anchor(q); });
  form.addEventListener("focusin", (event) => { const q = event.target.closest(".q[data-question]"); if (q) { anchor(q, event.target.closest(".option")); point(q, false); } });

  const choose = (key) => {
    const card = cardOf(document.activeElement);
    const open = (together ? card : form)?.querySelector("[data-cant]");
    if (open?.open && /^[1-9]$/.test(key) && open.contains(document.activeElement)) {
      const reason = all("[name$=cant]", open)[Number(key) - 1];
      if (reason) { reason.checked = true; reason.focus({ preventScroll: true }); reason.dispatchEvent(new Event("change", { bubbles: true })); return true; }
    }
    const scope = card ? questions().filter((q) => card.contains(q)) : questions();
    const order = active && scope.includes(active) ? [active, ...scope.filter((q) => q !== active)] : scope;
    for (const q of order) {
      const found = inputs(q).find((one) => one.dataset.key === key);
      if (found) {
        point(q);
        found.checked = found.type === "checkbox" ? !found.checked : true;
        found.dispatchEvent(new Event("change", { bubbles: true }));
        return true;
      }
    }
    return false;
  };
  const move = (step) => {
    const list = questions().filter((q) => !q.closest("[data-cant]"));
    if (list.length < 2) return false;
    point(list[Math.min(list.length - 1, Math.max(0, list.indexOf(active) + step))]);
    (active.querySelector("input:checked") ?? active.querySelector("input"))?.focus({ preventScroll: true });
    return true;
  };

  all(".q").forEach((q) => anchor(q));
  conditions();
  point(questions().find((q) => !answered(q)) ?? questions()[0], false);
  // What a note or a reason belongs to: the card somebody is in, else the whole form.
  const scope = () => (together ? cardOf(document.activeElement) ?? cardOf(active) ?? form : form);
  return { form, choose, move, submit, stop, advance, all, scope };
};
