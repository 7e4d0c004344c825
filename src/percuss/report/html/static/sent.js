"use strict";
// What was sent: the calls of the run, unpacked when somebody looks, searched by words, each with a way to its claim.
const percussSent = (function () {
  const MOST = 50;
  const packed = () => document.querySelector("script[data-sent-calls]");
  let root = null;
  let current = () => null;
  let goTo = () => undefined;
  let armWords = (arm) => arm;
  let held = null;
  let only = null;

  async function load() {
    if (!held) {
      const { texts, calls, left } = await percussClaims.unpack(packed());
      const low = texts.map((text) => text.toLowerCase());
      held = { calls, left, texts, low };
    }
    return held;
  }

  const find = (name) => root.querySelector("[data-sent" + name + "]");
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };

  // a call is asked for by its claim (the judge's) or by the answer that it made (the model's)
  const wanted = (call) => !only || (only.claim && call.claims.includes(only.claim))
    || (call.case === only.case && (!only.arm || (call.stage === "ask" && call.arm === only.arm && call.model === only.model)));

  function matches(call, words) {
    const { low } = held;
    const facts = [call.case, call.arm, call.model, call.by, call.role, ...call.claims].join(" ").toLowerCase();
    const parts = [...call.messages.map(([, at]) => low[at]), ...call.tools.map((at) => low[at]), low[call.reply]];
    return words.every((word) => facts.includes(word) || parts.some((part) => part.includes(word)));
  }

  function row(call) {
    const item = make("li");
    const details = make("details");
    const took = call.attempts ? call.seconds + " s" + (call.attempts > 1 ? ", " + call.attempts + " attempts" : "") : "from the cache, made " + call.made.slice(0, 10);
    const counts = call.tokens[0] + call.tokens[1] ? call.tokens[0].toLocaleString("en") + " tokens in, " + call.tokens[1].toLocaleString("en") + " out" : "tokens not counted";
    const what = call.stage === "ask" ? "asked" : call.role;
    details.append(make("summary", [call.case, armWords(call.arm), what + " " + call.by, counts, took].join(" · ")));
    details.addEventListener("toggle", () => { if (details.open && details.children.length === 1) fill(details, call); }, { passive: true });
    item.append(details);
    return item;
  }

  function fill(details, call) {
    const { texts } = held;
    const said = (who, text) => { details.append(make("h5", who), make("pre", text)); };
    call.messages.forEach(([role, at]) => said(role, texts[at]));
    call.tools.forEach((at) => said("tool offered", texts[at]));
    said(call.failed ? "failed" : "reply", texts[call.reply]);
    const bar = make("div", undefined, "bar");
    (call.claims.length ? call.claims : [null]).forEach((claim) => {
      const link = make("a", claim ? "the claim" : "the case");
      link.href = "#read?" + new URLSearchParams(claim ? { case: call.case, claim } : { case: call.case });
      link.addEventListener("click", (event) => { event.preventDefault(); goTo(call.case, claim); });
      bar.append(link, " ");
    });
    details.append(bar);
  }

  async function draw() {
    const { calls, left } = await load();
    const words = find("-words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = calls.filter((call) => wanted(call) && matches(call, words));
    const more = left ? "; " + left.toLocaleString("en") + " more are not in this file (percuss export --table calls)" : "";
    find("-counts").textContent = found.length.toLocaleString("en") + " of " + calls.length.toLocaleString("en") + " calls" + (found.length > MOST ? ", the first " + MOST + " shown" : "") + more;
    find("-list").replaceChildren(...found.slice(0, MOST).map(row));
  }

  function start(reader, opened, go, named) {
    root = reader;
    [current, goTo, armWords] = [opened, go, named];
    if (!packed()) return;
    find("").addEventListener("toggle", () => { if (find("").open) draw(); });
    find("-words").addEventListener("input", draw);
    find("-case").addEventListener("click", () => { only = { case: current() }; draw(); });
    find("-all").addEventListener("click", () => { only = null; find("-words").value = ""; draw(); });
  }

  async function show(which) {
    only = which;
    find("-words").value = "";
    find("").open = true;
    await draw();
    find("").scrollIntoView({ block: "start", behavior: "instant" });
  }

  return { start, show, has: () => Boolean(packed()) };
})();
