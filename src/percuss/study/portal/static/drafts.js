"use strict";
// Drafts: what is typed and not yet saved stays in this browser until it is saved, for a week, or until one signs out.
window.percussDrafts = (() => {
  const PREFIX = "percuss-draft:";
  const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
  const guarded = (act, otherwise = null) => { try { return act(); } catch { return otherwise; } }; // a private window keeps nothing
  const keys = () => guarded(() => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)), []);
  const place = (form) => PREFIX + new URL(form.action, location.href).pathname;
  const fields = (form) => [...form.elements].filter((one) => one.name && !["csrf", "seen", "step"].includes(one.name) && one.type !== "submit");
  const read = (form) => fields(form).filter((one) => !["radio", "checkbox"].includes(one.type) || one.checked).map((one) => [one.name, one.value]);
  const said = (pairs) => pairs.some(([name, value]) => value && value !== "[]" && !name.endsWith("active_ms"));

  const forget = (form) => guarded(() => localStorage.removeItem(place(form)));
  const clear = () => keys().forEach((key) => guarded(() => localStorage.removeItem(key)));
  const tidy = () => keys().forEach((key) => {
    const at = guarded(() => JSON.parse(localStorage.getItem(key)).at, 0) ?? 0;
    if (Date.now() - at > WEEK_MS) guarded(() => localStorage.removeItem(key));
  });
  const keep = (form) => {
    const pairs = read(form);
    if (said(pairs)) guarded(() => localStorage.setItem(place(form), JSON.stringify({ at: Date.now(), pairs })));
    else forget(form);
  };
  // Cards that are saved already keep what the server says of them.
  const restore = (form) => {
    const draft = guarded(() => JSON.parse(localStorage.getItem(place(form))));
    if (!draft || !said(draft.pairs)) return false;
    let changed = false;
    for (const one of fields(form)) {
      if (one.closest("[data-saved]")) continue;
      const values = draft.pairs.filter(([name]) => name === one.name).map(([, value]) => value);
      if (["radio", "checkbox"].includes(one.type)) {
        const checked = values.includes(one.value);
        changed ||= checked !== one.checked;
        one.checked = checked;
      } else if (values.length) {
        changed ||= values[0] !== one.value && !one.name.endsWith("active_ms");
        [one.value] = values;
        const card = one.closest(".place") && one.closest(".card");
        if (card) card.dataset.place = one.value;
      }
    }
    for (const more of form.querySelectorAll("details.more")) if (more.querySelector("textarea")?.value || more.querySelector("[name$=cant]:checked")?.value) more.open = true;
    return changed;
  };
  tidy();
  document.addEventListener("submit", (event) => { if (event.target.matches("[data-leave]")) clear(); });
  return { keep, restore, forget, clear };
})();
