"use strict";
// The packed cases: a small index first, a block of cases when one of them is opened.
const percussClaims = (function () {
  const KEPT_BLOCKS = 3;
  const blocks = new Map();

  async function unpack(element) {
    const raw = atob(element.textContent);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i += 1) bytes[i] = raw.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  function block(number) {
    if (!blocks.has(number)) {
      blocks.set(number, unpack(document.querySelector('script[data-block="' + number + '"]')));
      if (blocks.size > KEPT_BLOCKS) blocks.delete(blocks.keys().next().value);
    }
    return blocks.get(number);
  }

  // rows of the index: [id, stratum, interest, block, position, [code of each claim]]
  async function load() {
    const index = await unpack(document.querySelector("script[data-index]"));
    const combos = index.combos.map(([label, kind, arm, model, flags, tags]) => ({ label, kind, arm, model, flags, tags }));
    const cases = index.cases.map(([id, stratum, interest, at, position, codes], order) => (
      { id, stratum, interest, at, position, codes, order, disagree: codes.reduce((n, code) => n + (combos[code].flags ? 1 : 0), 0) }));
    cases.sort((a, b) => b.interest - a.interest || b.disagree - a.disagree || a.order - b.order);
    return { combos, cases, flags: index.flags, titles: index.titles };
  }

  function image(digest) {
    const element = [...document.querySelectorAll("script[data-image]")].find((one) => one.dataset.image === digest);
    return element ? element.textContent.trim() : null;
  }

  return { load, unpack, open: async (row) => (await block(row.at))[row.position], image };
})();
