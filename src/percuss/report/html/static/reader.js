"use strict";
// Read a case side by side: with evidence, without, and the evidence itself. Every word of a model goes into the page
// as text, never as markup.
(async function () {
  const root = document.getElementById("reader");
  if (!root) return;
  const LETTERS = __LETTERS__;
  const VERDICTS = Object.keys(LETTERS);
  const MOST_ROWS = 50;
  const setup = JSON.parse(root.dataset.setup);
  const find = (selector) => root.querySelector(selector);
  const words = (text) => String(text === null || text === undefined ? "" : text).replace(/_/g, " ");
  const make = (tag, attributes, ...children) => {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (key === "class") element.className = value;
      else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
  };

  const { combos, cases, flags, titles } = await percussClaims.load();
  const byId = new Map(cases.map((row) => [row.id, row]));
  const distinct = (get) => [...new Set(combos.flatMap(get))].filter((one) => one !== "" && one !== undefined);
  const models = distinct((combo) => [combo.model]);
  const arms = distinct((combo) => [combo.arm]);
  const armWords = (arm) => setup.arms[arm] || (Object.hasOwn(titles, arm) && titles[arm]) || words(arm);

  const filter = { verdicts: new Set(), kind: "", arm: "", model: "", stratum: "", tag: "", flags: 0 };
  const state = { id: null, claim: null, left: { model: "", arm: setup.left || "" }, right: { model: "", arm: setup.right || "" } };
  const study = new Set();
  let shown = [];
  let page = 0;
  let opened = null;
  let opening = 0;
  const card = find("[data-card]");

  // scrolls a box, never the page: a reader that opens must not carry the person away from the headline
  function nudge(box, element) {
    if (!box || !element) return;
    const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
    if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top;
    else if (inner.bottom > outer.bottom) box.scrollTop += Math.min(inner.bottom - outer.bottom, inner.top - outer.top);
  }

  // --- filters -----------------------------------------------------------------------------------------------------
  const passes = (claim) => (!filter.verdicts.size || filter.verdicts.has(claim.label))
    && (!filter.kind || claim.kind === filter.kind) && (!filter.arm || claim.arm === filter.arm)
    && (!filter.model || claim.model === filter.model) && (!filter.tag || (claim.tags || []).includes(filter.tag))
    && ((claim.flags || 0) & filter.flags) === filter.flags;
  const narrow = () => filter.verdicts.size || filter.kind || filter.arm || filter.model || filter.tag || filter.flags;

  function sift() {
    const good = combos.map(passes);
    let claims = 0;
    let total = 0;
    shown = cases.filter((row) => {
      let hits = 0;
      for (const code of row.codes) if (good[code]) hits += 1;
      row.hits = hits;
      total += row.codes.length;
      const kept = (!filter.stratum || row.stratum === filter.stratum) && (hits || !narrow());
      if (kept) claims += hits;
      return kept;
    });
    const number = (n) => n.toLocaleString("en");
    find("[data-counts]").textContent = number(claims) + " of " + number(total) + " claims, in " + number(shown.length) + " of " + number(cases.length) + " cases. Those most worth a look come first.";
  }

  function chooser(title, options, get, set, name) {
    const select = make("select", { onchange: () => { set(select.value); refresh(); } });
    select.append(new Option("all", ""), ...options.map((one) => new Option(name ? name(one) : words(one), one)));
    select.sync = () => { select.value = get(); };
    return make("label", {}, title, select);
  }

  function buildFilters() {
    const verdicts = find("[data-verdicts]");
    VERDICTS.forEach((verdict, i) => {
      const button = make("button", { type: "button", "aria-pressed": "false", "data-verdict": verdict, onclick: () => toggle(verdict) }, (i + 1) + " " + words(verdict));
      verdicts.append(button);
    });
    const bar = find("[data-filters]");
    const strata = [...new Set(cases.map((row) => row.stratum))].filter(Boolean).sort();
    const offer = (title, options, key, name) => { if (options.length > 1) bar.append(chooser(title, options, () => filter[key], (value) => { filter[key] = value; }, name)); };
    offer("kind", distinct((combo) => [combo.kind]).sort(), "kind");
    offer("condition", arms, "arm", armWords);
    offer("model", models, "model", (model) => model);
    offer("tier", strata, "stratum");
    const tags = distinct((combo) => combo.tags).sort();
    if (tags.length) bar.append(chooser("tagged", tags, () => filter.tag, (value) => { filter.tag = value; }));
    flags.forEach((name, bit) => {
      if (!combos.some((combo) => combo.flags & (1 << bit))) return;
      const box = make("input", { type: "checkbox", "data-flag": bit, onchange: () => { filter.flags ^= 1 << bit; refresh(); } });
      bar.append(make("label", {}, box, name));
    });
  }

  function syncFilters() {
    root.querySelectorAll("[data-verdict]").forEach((button) => button.setAttribute("aria-pressed", String(filter.verdicts.has(button.dataset.verdict))));
    root.querySelectorAll("[data-filters] select").forEach((select) => select.sync());
    root.querySelectorAll("[data-flag]").forEach((box) => { box.checked = Boolean(filter.flags & (1 << box.dataset.flag)); });
  }

  function toggle(verdict) {
    if (!filter.verdicts.delete(verdict)) filter.verdicts.add(verdict);
    refresh();
  }

  // --- the list: at most 50 cases in the page ------------------------------------------------------------------------
  function list() {
    const pages = Math.max(1, Math.ceil(shown.length / MOST_ROWS));
    page = Math.min(Math.max(page, 0), pages - 1);
    const rows = shown.slice(page * MOST_ROWS, (page + 1) * MOST_ROWS).map((row) => {
      const bad = row.codes.filter((code) => combos[code].label === "unsupported").length;
      const note = [words(row.stratum), bad + " of " + row.codes.length + " unsupported", row.disagree ? row.disagree + " in dispute" : ""].filter(Boolean).join(" · ");
      return make("li", {}, make("button", { type: "button", "aria-current": String(row.id === state.id), onclick: () => show(row.id) }, row.id, make("small", {}, note)));
    });
    find("[data-cases]").replaceChildren(...rows);
    find("[data-page='-1']").disabled = page === 0;
    find("[data-page='1']").disabled = page >= pages - 1;
  }

  // --- one case ------------------------------------------------------------------------------------------------------
  async function show(id, claim) {
    const row = byId.get(id);
    if (!row) return;
    const mine = ++opening;
    const record = await percussClaims.open(row);
    if (mine !== opening) return;
    opened = record;
    state.id = id;
    state.claim = null;
    const at = shown.indexOf(row);
    if (at >= 0) page = Math.floor(at / MOST_ROWS);
    list();
    const current = find(".cases [aria-current=true]");
    nudge(find("[data-cases]"), current);
    find("[data-question]").textContent = record.question || "";
    choosePanes();
    drawColumns();
    select(claim || null);
    keep();
  }

  function choosePanes() {
    const has = (side) => opened.panes.some((pane) => pane.model === side.model && pane.arm === side.arm);
    const fallback = (side, not) => {
      if (has(side)) return;
      const panes = opened.panes;
      const pick = panes.find((pane) => pane.arm === side.arm && (!not || pane.model === not.model)) || panes.find((pane) => !not || pane.arm !== not.arm) || panes[0];
      if (pick && !side.model) { side.model = pick.model; side.arm = pick.arm; }
    };
    fallback(state.left, null);
    if (!state.right.model) state.right.model = "";
    fallback(state.right, state.left);
  }

  function drawColumns() {
    column("left");
    column("right");
    packet();
  }

  function picker(side, key, options, name) {
    const select = make("select", { "aria-label": key + " of the " + side + " column", onchange: () => { state[side][key] = select.value; drawColumns(); select_again(); keep(); } });
    select.append(...options.map((one) => new Option(name(one), one)));
    select.value = state[side][key];
    return select;
  }

  function select_again() { select(state.claim); }

  function column(side) {
    const at = state[side];
    const pane = opened.panes.find((one) => one.model === at.model && one.arm === at.arm);
    const caseModels = [...new Set(opened.panes.map((one) => one.model))];
    const caseArms = [...new Set(opened.panes.map((one) => one.arm))];
    const head = make("h3", {}, (pane && pane.title) || armWords(at.arm), make("small", {}, at.model));
    const bar = make("div", { class: "bar" });
    if (caseArms.length > 1) bar.append(picker(side, "arm", caseArms, armWords));
    if (caseModels.length > 1) bar.append(picker(side, "model", caseModels, (model) => model));
    const text = make("div", { class: "text", tabindex: "0", role: "region", "aria-label": armWords(at.arm) + ", " + at.model, "data-side-text": side });
    if (!pane) text.append(make("p", { class: "state" }, "Not asked in this condition."));
    else {
      if (pane.status) text.append(make("p", { class: "state" }, words(pane.status) + (pane.reason ? ": " + words(pane.reason) : "")));
      const source = pane.image && percussClaims.image(pane.image);
      if (source) text.append(make("img", { src: source, alt: "Image of case " + opened.id + ", " + armWords(at.arm) }));
      text.append(...marked(pane));
      (pane.margin || []).forEach((note) => text.append(make("p", { class: "state" }, Object.entries(note).map(([key, value]) => words(key) + ": " + words(value)).join(" · "))));
    }
    text.addEventListener("scroll", () => follow(side, text), { passive: true });
    const place = find('[data-side="' + side + '"]');
    const alone = opened.panes.length < 2; // one answer has nothing beside it
    find("[data-columns]").classList.toggle("alone", alone);
    place.hidden = alone && side === "right";
    if (place.hidden) place.replaceChildren();
    else place.replaceChildren(head, bar, text);
  }

  function marked(pane) {
    const parts = [];
    let at = 0;
    for (const mark of [...pane.marks].sort((a, b) => a.span[0] - b.span[0] || b.span[1] - a.span[1])) {
      const start = Math.max(mark.span[0], at);
      if (start >= mark.span[1]) continue;
      if (start > at) parts.push(pane.text.slice(at, start));
      const known = VERDICTS.includes(mark.label) ? mark.label : "not_scored";
      const dim = narrow() && !passes({ ...mark, arm: pane.arm, model: pane.model });
      const element = make("mark", { class: "claim " + known + (dim ? " dim" : ""), tabindex: "0", role: "button", "aria-pressed": "false", title: [words(known), words(mark.kind), ...(mark.tags || [])].filter(Boolean).join(" · "), "data-letter": LETTERS[known], "data-id": mark.id, "data-twin": mark.twin, "aria-label": words(known) + ": " + pane.text.slice(start, mark.span[1]), onclick: () => { select(mark.id); card.scrollIntoView({ block: "nearest", behavior: "instant" }); keep(); } }, pane.text.slice(start, mark.span[1]));
      parts.push(element);
      at = mark.span[1];
    }
    parts.push(pane.text.slice(at));
    return parts;
  }

  let leading = null;
  function follow(side, text) {
    if (leading && leading !== side) return;
    leading = side;
    const other = find('[data-side-text="' + (side === "left" ? "right" : "left") + '"]');
    const room = text.scrollHeight - text.clientHeight;
    if (other && room > 0) other.scrollTop = (text.scrollTop / room) * (other.scrollHeight - other.clientHeight);
    clearTimeout(follow.timer);
    follow.timer = setTimeout(() => { leading = null; }, 120);
  }

  function packet() {
    const fold = make("button", { type: "button", "aria-expanded": String(!find("[data-columns]").classList.contains("folded")), onclick: () => { const folded = find("[data-columns]").classList.toggle("folded"); fold.setAttribute("aria-expanded", String(!folded)); body.hidden = folded; fold.textContent = folded ? "Show" : "Hide"; } }, "Hide");
    const body = make("div", {});
    if (opened.packet) {
      body.append(make("div", { class: "fields", tabindex: "0", role: "group", "aria-label": "Evidence" }, make("dl", {}, ...opened.packet.map(([path, label, value, given]) => make("div", { "data-path": path, class: given ? "" : "withheld" }, make("dt", {}, label || path), make("dd", {}, value))))));
    }
    if (opened.passage) body.append(make("div", { class: "text", "data-passage": true, tabindex: "0", role: "region", "aria-label": "Evidence text" }, opened.passage));
    if (!opened.packet && !opened.passage) body.append(make("p", { class: "text state" }, "No evidence is kept for this case."));
    if (find("[data-columns]").classList.contains("folded")) { body.hidden = true; fold.textContent = "Show"; }
    find('[data-side="packet"]').replaceChildren(make("h3", {}, "Evidence ", fold), body);
  }

  // --- one claim -----------------------------------------------------------------------------------------------------
  const locate = (id) => {
    for (const pane of opened.panes) for (const mark of pane.marks) if (mark.id === id) return { pane, mark };
    return null;
  };

  function select(id) {
    root.querySelectorAll("mark.claim[data-id]").forEach((element) => { element.setAttribute("aria-pressed", String(element.dataset.id === id)); element.classList.remove("twinned"); });
    root.querySelectorAll(".lit").forEach((element) => element.classList.remove("lit"));
    const passage = find("[data-passage]");
    if (passage) passage.textContent = opened.passage;
    const there = id && locate(id);
    state.claim = there ? id : null;
    card.hidden = !there;
    if (!there) return;
    const { pane, mark } = there;
    if (mark.twin !== undefined) root.querySelectorAll('mark.claim[data-twin="' + mark.twin + '"]').forEach((element) => { if (element.dataset.id !== id) element.classList.add("twinned"); });
    const element = [...root.querySelectorAll("mark.claim[data-id]")].find((one) => one.dataset.id === id);
    // the reason stands in the claim's own column, right under its text
    if (element) { element.closest(".column").append(card); nudge(element.closest(".text"), element); }
    light(mark);
    card.replaceChildren(...cardParts(pane, mark));
  }

  function light(mark) {
    const passage = find("[data-passage]");
    const quotes = [];
    for (const row of mark.evidence || []) {
      if (row.path) root.querySelectorAll("[data-path]").forEach((field) => { if (field.dataset.path === row.path) { field.classList.add("lit"); nudge(field.closest(".fields"), field); } });
      if (passage && Number.isInteger(row.start) && Number.isInteger(row.stop)) quotes.push([row.start, row.stop]);
    }
    if (!quotes.length) return;
    const characters = Array.from(opened.passage);
    const parts = [];
    let at = 0;
    for (const [start, stop] of quotes.sort((a, b) => a[0] - b[0])) {
      if (start < at || stop <= start) continue;
      parts.push(characters.slice(at, start).join(""), make("mark", { class: "found" }, characters.slice(start, stop).join("")));
      at = stop;
    }
    parts.push(characters.slice(at).join(""));
    passage.replaceChildren(...parts);
    nudge(passage, passage.querySelector("mark"));
  }

  const who = (rater) => String(rater || "").replace(/^rule:/, "rule, ").replace(/^judge:(.*)#(\d+)$/, "judge $1, pass $2").replace(/^judge:/, "judge ").replace(/^human:/, "person ");
  const saidWhat = (row) => words(row.label || row.score || row.reason || (row.unscored ? "not scored: " + row.unscored : "") || "nothing");
  const hinge = (row) => {
    if (row.quote !== undefined) return row.found === false ? "quote not found: “" + row.quote + "”" : "quote: “" + row.quote + "”" + (row.page ? " (page " + row.page + ")" : "");
    const claim = row.claim !== undefined ? row.claim : row.says;
    return [row.path ? row.path + (row.value !== undefined ? " = " + row.value : "") : "", claim !== undefined ? "claim says " + claim : "", row.note || ""].filter(Boolean).join(" · ");
  };

  // A source opened at the quote: built of text and of these elements alone, whatever the page held.
  const BLOCKS = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "td", "th", "dt", "dd", "blockquote", "pre", "caption", "figcaption"]);
  const plainTag = (tag) => (/^h[1-6]$/.test(tag) ? "h5" : tag === "pre" || tag === "blockquote" ? tag : "p");
  function openedAt(row) {
    if (row.quote === undefined || row.found === false || (!row.look && row.before === undefined)) return [];
    const name = [row.source || "source", row.page ? "page " + row.page : "", row.url && row.url !== row.source ? row.url : ""].filter(Boolean).join(", ");
    const body = make("div", { class: "text", tabindex: "0", role: "region", "aria-label": "The source at the quoted passage" });
    if (row.look) {
      for (const [tag, before, quoted, after] of row.look) body.append(make(plainTag(tag), { class: "block " + (BLOCKS.has(tag) ? tag : "p") }, before, quoted ? make("mark", { class: "found" }, quoted) : "", after));
    } else {
      body.append(row.before ? "… " + row.before : "", make("mark", { class: "found" }, row.quote), row.after ? row.after + " …" : "");
    }
    const about = row.look ? "as the page has it" : row.page ? "text of the page" : "text of the source";
    return [make("details", { class: "opened", open: "" }, make("summary", {}, name + " · " + about), body)];
  }

  function cardParts(pane, mark) {
    const text = pane.text.slice(mark.span[0], mark.span[1]);
    const rows = (mark.said || []).map((row) => make("tr", {}, make("th", { scope: "row" }, who(row.rater)), make("td", {}, (row.aspect ? words(row.aspect) + ": " : "") + saidWhat(row)), make("td", {}, row.rationale || "")));
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...["who", "said", "because"].map((name) => make("th", { scope: "col" }, name)))), make("tbody", {}, ...rows));
    const facts = [words(mark.label), words(mark.kind), armWords(pane.arm), pane.model, ...(mark.tags || [])].filter(Boolean).join(" · ");
    const copy = make("button", { type: "button", onclick: () => percussCopy(rowOf(pane, mark, text), copy) }, "Copy as row");
    const link = make("button", { type: "button", onclick: () => percussCopy(location.href, link) }, "Copy link");
    const send = make("button", { type: "button", "aria-pressed": String(study.has(mark.id)), onclick: () => { if (!study.delete(mark.id)) study.add(mark.id); send.setAttribute("aria-pressed", String(study.has(mark.id))); studyCount(); } }, "Send to study");
    const close = make("button", { type: "button", onclick: () => { select(null); keep(); } }, "Close");
    const sent = percussSent.has() ? make("button", { type: "button", onclick: () => percussSent.show({ claim: mark.id, case: opened.id, arm: pane.arm, model: pane.model }) }, "What was sent") : null;
    return [make("h3", {}, text), make("p", { class: "counts" }, facts), rows.length ? table : make("p", { class: "state" }, "No rater's words are kept."), ...(mark.evidence || []).flatMap((row) => [make("p", { class: "hinge" }, hinge(row)), ...openedAt(row)]), make("div", { class: "bar" }, copy, link, sent, send, close)];
  }

  function rowOf(pane, mark, text) {
    const clean = (value) => String(value === null || value === undefined ? "" : value).replace(/[\t\r\n]+/g, " ");
    const safe = (value) => (/^[=+\-@]/.test(clean(value)) ? "'" + clean(value) : clean(value));
    const said = (mark.said || []).map((row) => who(row.rater) + ": " + (row.aspect ? words(row.aspect) + " " : "") + saidWhat(row)).join("; ");
    return [mark.id, opened.id, opened.stratum, pane.model, pane.arm, mark.kind, mark.label, text, said].map(safe).join("\t");
  }

  function studyCount() {
    const button = find("[data-study-save]");
    button.hidden = !study.size;
    button.textContent = "Save list for a study (" + study.size + ")";
  }

  // --- the address keeps the state -------------------------------------------------------------------------------------
  function keep() {
    const query = new URLSearchParams();
    const put = (key, value) => { if (value) query.set(key, value); };
    put("case", state.id);
    put("claim", state.claim);
    for (const side of ["left", "right"]) put(side, state[side].model ? state[side].arm + "~" + state[side].model : "");
    put("v", [...filter.verdicts].join(","));
    for (const key of ["kind", "arm", "model", "stratum", "tag", "flags"]) put(key, filter[key]);
    if (keep.ready) history.replaceState(null, "", "#read?" + query);
  }

  function recall() {
    if (!location.hash.startsWith("#read?")) return null;
    const query = new URLSearchParams(location.hash.slice(6));
    filter.verdicts = new Set((query.get("v") || "").split(",").filter((one) => VERDICTS.includes(one)));
    for (const key of ["kind", "arm", "model", "stratum", "tag"]) filter[key] = query.get(key) || "";
    filter.flags = Number(query.get("flags")) || 0;
    for (const side of ["left", "right"]) {
      const [arm, ...model] = (query.get(side) || "").split("~");
      if (model.length) state[side] = { arm, model: model.join("~") };
    }
    return { id: query.get("case"), claim: query.get("claim") };
  }

  function refresh() {
    syncFilters();
    sift();
    page = 0;
    const inside = shown.some((row) => row.id === state.id);
    if (opened && inside) { show(state.id, state.claim); } else if (shown.length) show(shown[0].id);
    else { list(); keep(); }
  }

  // --- keys ------------------------------------------------------------------------------------------------------------
  function stepCase(by) {
    const at = shown.findIndex((row) => row.id === state.id);
    const next = shown[Math.min(Math.max(at + by, 0), shown.length - 1)];
    if (next && next.id !== state.id) show(next.id);
  }

  function stepClaim(by) {
    const all = [...root.querySelectorAll(".column mark.claim[data-id]:not(.dim)")];
    const at = all.findIndex((element) => element.dataset.id === state.claim);
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
    if (next) { select(next.dataset.id); next.focus({ preventScroll: true }); next.scrollIntoView({ block: "nearest", behavior: "instant" }); keep(); }
  }

  // keys belong to the reader while any of it is on the screen
  const visible = () => root.hasAttribute("data-on-screen");
  new IntersectionObserver((entries) => { root.toggleAttribute("data-on-screen", entries[entries.length - 1].isIntersecting); }).observe(root);
  document.addEventListener("keydown", (event) => {
    const element = event.target;
    if (event.key === "Enter" && element.matches && element.matches("mark.claim[data-id]")) { select(element.dataset.id); keep(); return; }
    const busy = event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName);
    if (busy || !visible() || find("[data-dialog]").open || !find("[data-keys]").checked) return;
    const act = { j: () => stepCase(1), k: () => stepCase(-1), n: () => stepClaim(1), p: () => stepClaim(-1), "?": help, Escape: () => { select(null); keep(); } }[event.key]
      || (/^[1-5]$/.test(event.key) ? () => toggle(VERDICTS[event.key - 1]) : null);
    if (act && opened) { event.preventDefault(); keep.ready = true; act(); }
  });

  function help() { find("[data-dialog]").showModal(); }
  find("[data-help]").addEventListener("click", help);
  find("[data-study-save]").addEventListener("click", () => percussSave("items.txt", "text/plain", [...study].join("\n") + "\n"));
  root.querySelectorAll("[data-page]").forEach((button) => button.addEventListener("click", () => { page += Number(button.dataset.page); list(); }));
  // the address changes only once a person has touched the reader
  root.addEventListener("pointerdown", () => { keep.ready = true; }, true);
  root.addEventListener("change", () => { keep.ready = true; }, true);

  async function begin() {
    const asked = recall();
    syncFilters();
    sift();
    const first = asked && byId.has(asked.id) ? asked : { id: (shown[0] || cases[0] || {}).id };
    root.hidden = false;
    list();
    if (first.id) await show(first.id, first.claim);
    if (asked) document.getElementById("read").scrollIntoView({ behavior: "instant" });
  }
  buildFilters();
  percussSent.start(root, () => opened && opened.id, (id, claim) => { keep.ready = true; show(id, claim); }, armWords);
  window.addEventListener("hashchange", () => { if (location.hash.startsWith("#read?")) begin(); });
  await begin();
  root.dataset.ready = "yes";
})();
