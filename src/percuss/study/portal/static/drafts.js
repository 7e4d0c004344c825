"use strict";
// Drafts: what is typed and not yet saved stays in this browser until it is saved, for a week, or until one signs out. It is sealed
// (AES-GCM) with a key that comes with the page and is stored nowhere, so that who looks into the browser's storage reads nothing.
window.percussDrafts = (() => {
  const PREFIX = "percuss-draft:";
  const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
  const guarded = (act, otherwise = null) => { try { return act(); } catch { return otherwise; } }; // a private window keeps nothing
  const keys = () => guarded(() => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)), []);
  const place = (form) => PREFIX + new URL(form.action, location.href).pathname;
  const fields = (form) => [...form.elements].filter((one) => one.name && !["csrf", "seen", "step"].includes(one.name) && one.type !== "submit");
  const read = (form) => fields(form).filter((one) => !["radio", "checkbox"].includes(one.type) || one.checked).map((one) => [one.name, one.value]);
  const said = (pairs) => pairs.some(([name, value]) => value && value !== "[]" && !name.endsWith("active_ms"));

  const subtle = window.crypto?.subtle; // there by https and on this machine alone: elsewhere nothing is kept
  const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const hex = (raw) => [...new Uint8Array(raw)].map((one) => one.toString(16).padStart(2, "0")).join("");
  const keyOf = (form) => subtle.importKey("raw", bytes(form.dataset.draft), "AES-GCM", false, ["encrypt", "decrypt"]);
  const seal = async (form, pairs) => {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const text = new TextEncoder().encode(JSON.stringify(pairs));
    return { at: Date.now(), iv: hex(iv), sealed: hex(await subtle.encrypt({ name: "AES-GCM", iv }, await keyOf(form), text)) };
  };
  const opened = async (form) => {
    const kept = guarded(() => JSON.parse(localStorage.getItem(place(form))));
    if (!subtle || !kept?.sealed) return null;
    try {
      const text = await subtle.decrypt({ name: "AES-GCM", iv: bytes(kept.iv) }, await keyOf(form), bytes(kept.sealed));
      return JSON.parse(new TextDecoder().decode(text));
    } catch { return null; } // another person's, or of a study with another secret
  };

  let turns = 0; // what was typed last is kept, whichever sealing ends last
  const forget = (form) => { turns += 1; guarded(() => localStorage.removeItem(place(form))); };
  const clear = () => { turns += 1; keys().forEach((key) => guarded(() => localStorage.removeItem(key))); };
  const tidy = () => keys().forEach((key) => {
    const kept = guarded(() => JSON.parse(localStorage.getItem(key)));
    if (!kept?.sealed || Date.now() - kept.at > WEEK_MS) guarded(() => localStorage.removeItem(key));
  });
  const keep = async (form) => {
    const pairs = read(form);
    if (!said(pairs)) { forget(form); return; }
    if (!subtle) return;
    const turn = turns += 1;
    const kept = JSON.stringify(await seal(form, pairs));
    if (turn === turns) guarded(() => localStorage.setItem(place(form), kept));
  };
  // Cards that are saved already keep what the server says of them.
  const restore = async (form) => {
    const pairs = await opened(form);
    if (!pairs || !said(pairs)) return false;
    let changed = false;
    for (const one of fields(form)) {
      if (one.closest("[data-saved]")) continue;
      const values = pairs.filter(([name]) => name === one.name).map(([, value]) => value);
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
  const has = (form) => guarded(() => localStorage.getItem(place(form))) !== null;
  return { has, keep, restore, forget, clear };
})();
