"use strict";
// Ties a page together: sets up what it holds, gives keys to whoever they belong to, says honestly what is saved.
(() => {
  const t = window.percussWords;
  let form = null;
  let record = null;
  let viewers = [];
  let ranking = null;
  let marker = null;
  let viaPart = false;
  let busy = false; // a key pressed meanwhile would be an answer to an item that nobody has seen yet
  let signedOut = false; // the form's token is of a session that ended

  const tongue = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang; // day before month, 24 hours
  const times = (root) => root.querySelectorAll("time[data-time]").forEach((time) => {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.valueOf())) return;
    const short = at.toLocaleTimeString(tongue, { hour: "2-digit", minute: "2-digit" });
    time.textContent = time.dataset.time === "long" ? `${at.toLocaleDateString(tongue, { dateStyle: "medium" })} ${short}` : short;
  });
  const setUp = async () => {
    const work = document.getElementById("work");
    if (!work) return;
    form?.stop();
    form = ranking = marker = null;
    times(work);
    record = window.percussRecord(work);
    viewers = window.percussViewer ? [...work.querySelectorAll("[data-viewer]")].map(window.percussViewer) : [];
    keyed(viewers[0]?.figure);
    const element = work.querySelector("[data-form]");
    // Nothing is waited for where no draft is kept: a key pressed the moment an item appears is its answer.
    const back = element?.hasAttribute("data-draft") && window.percussDrafts.has(element) && await window.percussDrafts.restore(element);
    if (work !== document.getElementById("work")) return; // another screen came meanwhile
    const spans = work.querySelector("[data-spans]");
    const text = spans && work.querySelector('[data-field="answer"] .passage');
    if (spans && text) marker = window.percussMarker(spans, text);
    if (element) form = window.percussForm(element, say);
    const cards = work.querySelector("[data-rank], [data-cards]");
    if (cards) ranking = window.percussRanking(cards);
    if (work.matches("[data-judge]") || viaPart) work.focus({ preventScroll: true });
    if (back) say(t("What you had begun is here again; it is not saved yet."));
    work.dataset.ready = ""; // from here on its keys are heard
  };

  const say = (text, warn = false) => {
    const state = document.querySelector("#work [data-state]");
    if (!state) return;
    state.textContent = text;
    state.classList.toggle("warn", warn);
    state.classList.toggle("long", !warn && text.length > 24); // a sentence takes the whole width
  };
  const writing = (target) => target.matches?.("textarea, input:not([type=radio]):not([type=checkbox]), select");
  const hot = (key) => [...document.querySelectorAll("[data-hot]")].find((one) => one.dataset.hot === key);
  const openNote = () => {
    const reason = document.querySelector("[data-reason]");
    const notes = (form?.scope() ?? document).querySelector("[data-notes]");
    if (notes) notes.open = true;
    const field = reason ?? notes?.querySelector("textarea");
    field?.focus();
    field?.scrollIntoView({ block: "nearest" });
    return Boolean(field);
  };
  const openCant = () => {
    const cant = (form?.scope() ?? document).querySelector("[data-cant]");
    if (!cant) return false;
    cant.open = true;
    cant.querySelector("input").focus();
    cant.scrollIntoView({ block: "nearest" });
    return true;
  };
  const take = (button) => {
    const values = JSON.parse(button.dataset.take);
    form.all("input[type=radio], input[type=checkbox]").filter((one) => one.name.startsWith("q.") || one.name === "cant").forEach((one) => {
      const value = values[one.name];
      one.checked = Array.isArray(value) ? value.includes(one.value) : value === one.value;
    });
    if (marker) marker.load(Object.values(values).find(Array.isArray) ?? []);
    form.form.querySelector("[data-cant]").open = Boolean(values.cant);
    form.form.querySelector("[name^='q.']:checked")?.dispatchEvent(new Event("change", { bubbles: true }));
    say(t("Filled in. Now give your reason."));
    openNote();
  };
  const enter = (event) => {
    if (event.target.closest?.("a, button, summary, dialog")) return false;
    if (form) {
      if (ranking && !ranking.isRanked() && !form.form.querySelector("[name=cant]:checked")?.value) { say(t("Please put the answers in order, or keep this order."), true); return true; }
      form.submit();
      return true;
    }
    const go = hot("Enter");
    go?.click();
    return Boolean(go);
  };
  // The guide lies beside the item on a desk and over it on a phone; it stays open from item to item.
  const drawer = () => document.getElementById("guide");
  const guideIsOpen = () => Boolean(drawer() && !drawer().hidden);
  const guide = (open = !guideIsOpen()) => {
    if (!drawer() || document.querySelector("[data-whole-guide]")) return false;
    drawer().hidden = !open;
    document.body.classList.toggle("guided", open);
    document.querySelectorAll("[data-guide-toggle]").forEach((one) => one.setAttribute("aria-expanded", String(open)));
    if (open) drawer().focus({ preventScroll: true });
    else document.getElementById("work")?.focus({ preventScroll: true });
    return true;
  };
  // The window of keys is for who has a keyboard: not on a phone, and gone where a window becomes as narrow as one.
  const touched = matchMedia("(max-width: 480px), (pointer: coarse)");
  const keys = () => document.getElementById("help");
  const help = () => { if (!touched.matches) keys().showModal(); return true; };
  touched.addEventListener("change", () => { if (touched.matches) keys()?.close(); });
  const copy = async (button) => {
    const link = button.parentElement.querySelector(".link");
    if (link.select) link.select(); else getSelection().selectAllChildren(link);
    const done = await (navigator.clipboard?.writeText(link.textContent) ?? Promise.reject()).then(() => true, () => document.execCommand("copy"));
    if (done) button.textContent = button.dataset.done; // else it stays selected, to be copied by hand
  };
  const jump = (field) => {
    const place = field.value.trim();
    if (field.dataset.jumpTo) { if (/^[1-9]\d*$/.test(place)) location.assign(`${field.dataset.jumpTo}${Number(place) - 1}`); return; }
    const spot = [...document.querySelectorAll("[data-place]")].find((one) => one.dataset.place === place);
    if (spot) spot.click(); else say(t("Item {n} can't be opened yet.", { n: place }), true);
  };
  const only = (button) => {
    const kind = button.dataset.only;
    document.querySelectorAll("[data-only]").forEach((one) => { one.setAttribute("aria-pressed", String(one === button)); one.classList.toggle("on", one === button); });
    document.querySelectorAll("[data-kinds]").forEach((one) => { one.hidden = !one.dataset.kinds.split(" ").includes(kind); });
  };
  const handle = (event) => {
    const key = event.key;
    if (key === "Enter") return enter(event);
    if (key === "?") return help();
    if (ranking?.key(event)) return true;
    if (record?.key(key)) return true;
    if (key === "h" && guide()) return true;
    if (key === "Escape" && guideIsOpen()) return guide(false);
    if (marker?.key(key)) return true;
    if (event.target.closest?.("[data-viewer]") && viewers.some((one) => one.figure.contains(event.target) && one.pan(key))) return true;
    if (form?.choose(key)) return true;
    if ((viewers.find((one) => "keyed" in one.figure.dataset) ?? viewers[0])?.key(key)) return true;
    if (key === "t" && openNote()) return true;
    if (key === "x" && openCant()) return true;
    if ((key === "ArrowDown" || key === "ArrowUp") && !event.target.closest?.(".left") && form?.move(key === "ArrowDown" ? 1 : -1)) return true;
    const link = hot(key);
    if (link) { link.click(); return true; }
    return false;
  };
  document.addEventListener("keydown", (event) => {
    const typed = event.getModifierState?.("AltGraph"); // brackets of a German keyboard
    if (((event.ctrlKey || event.altKey) && !typed) || event.metaKey || event.isComposing || document.getElementById("help").open) return;
    if (writing(event.target)) {
      if (event.key === "Enter" && event.target.matches("[data-jump], [data-jump-to]")) { event.preventDefault(); jump(event.target); return; }
      if (event.key === "Escape") { event.target.blur(); document.getElementById("work")?.focus({ preventScroll: true }); }
      if (event.key === "Enter" && event.target.matches("textarea") && !event.shiftKey && form) { event.preventDefault(); enter({ target: document.body }); }
      return;
    }
    if (busy ? event.key === "Enter" || event.key.length === 1 : handle(event)) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const at = (selector) => event.target.closest?.(selector);
    if (at("[data-theme-toggle]")) window.percussTheme();
    if (at("[data-help]")) help();
    if (at("[data-copy]")) copy(at("[data-copy]"));
    if (at("[data-print]")) window.print();
    if (at("[data-guide-toggle]") && guide()) event.preventDefault();
    if (at("[data-guide-close]")) guide(false);
    if (at("[data-only]")) only(at("[data-only]"));
    if (at("[data-jump-go]")) jump(at(".list-tools").querySelector("[data-jump]"));
    if (at("[data-take]")) take(at("[data-take]"));
    if (at("[data-sso]") && !document.querySelector("[data-consent]").checked) {
      event.preventDefault();
      document.querySelector("[data-consent]").focus();
      document.querySelector("[data-consent]").reportValidity();
    }
  });
  document.addEventListener("submit", (event) => {
    const question = event.target.dataset?.confirm;
    if (question && !window.confirm(question)) event.preventDefault();
    if (ranking && !ranking.isRanked() && event.target.matches("[data-form]") && !event.target.querySelector("[name=cant]:checked")?.value) {
      event.preventDefault(); event.stopImmediatePropagation();
      say(t("Please put the answers in order, or keep this order."), true);
    }
  }, true);
  // Of several pictures the one last touched takes the keys; it alone shows them.
  const keyed = (figure) => { if (figure) viewers.forEach((one) => one.figure.toggleAttribute("data-keyed", one.figure === figure)); };
  ["pointerdown", "focusin"].forEach((name) => document.addEventListener(name, (event) => keyed(event.target.closest?.("[data-viewer]")), true));
  document.addEventListener("focusin", (event) => { if (event.target.matches("textarea.link")) event.target.select(); });

  // Saved is said by the page that the server sends after it is durable. Until then: saving. On failure: the answer stays.
  const posts = (event) => event.detail.requestConfig.verb === "post";
  const again = () => t("Your answer is still here; please press Save again.");
  let sending = null; // the form that is on its way; when it comes back it has left the page
  document.addEventListener("htmx:beforeRequest", (event) => { busy = true; sending = event.detail.elt; say(posts(event) ? t("saving …") : t("loading …")); });
  document.addEventListener("htmx:afterRequest", (event) => {
    busy = false;
    if (posts(event) && event.detail.successful && sending?.matches("[data-draft]")) window.percussDrafts.forget(sending);
    sending = null;
  });
  document.addEventListener("htmx:sendError", (event) => say(posts(event) ? `${t("Not saved: no connection.")} ${again()}` : t("No connection. Please try again in a moment."), true));
  document.addEventListener("htmx:timeout", (event) => say(posts(event) ? `${t("Not saved yet: the server did not answer.")} ${again()}` : t("The server did not answer. Please try again in a moment."), true));
  document.addEventListener("htmx:responseError", (event) => {
    const { status } = event.detail.xhr;
    if (!posts(event)) location.assign(event.detail.requestConfig.path); // the page that comes says what is wrong
    else if (status === 401 || status === 403) {
      signedOut = true;
      say(t("Not saved: you were signed out. Sign in by the link, then press Save here again; your answer is kept."), true);
      signIn();
    } else say(`${t("Not saved: the server could not take it.")} ${again()}`, true);
  });
  const signIn = () => {
    const out = document.querySelector("form[action$='/logout']");
    const state = document.querySelector("#work [data-state]");
    if (!out || !state) return;
    const link = document.createElement("a");
    Object.assign(link, { href: out.action.replace(/logout$/, "login"), target: "_blank", rel: "noopener", textContent: t("Sign in in a new tab") });
    state.append(" ", link);
  };
  // After signing in again in another tab, this form needs that session's token before it is sent.
  const renew = async (element) => {
    busy = true;
    const page = await fetch(location.href, { headers: { Accept: "text/html" } }).then((reply) => (reply.ok ? reply.text() : ""), () => "");
    busy = false;
    const token = new DOMParser().parseFromString(page, "text/html").querySelector("[data-form] [name=csrf]")?.value;
    if (!token) { say(t("Not saved: you are still signed out. Sign in by the link, then press Save here again; your answer is kept."), true); signIn(); return; }
    signedOut = false;
    element.querySelector("[name=csrf]").value = token;
    element.requestSubmit();
  };
  document.addEventListener("submit", (event) => {
    if (!signedOut || !event.target.matches("[data-form]")) return;
    event.preventDefault(); event.stopImmediatePropagation();
    renew(event.target);
  }, true);
  document.addEventListener("htmx:afterSettle", () => { viaPart = true; setUp(); });
  document.addEventListener("DOMContentLoaded", setUp);
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
