"use strict";
// Draws each chart when it comes near the screen. Colours are exchanged for the page's variables, so that a change of
// theme, and print, need no drawing again.
(function () {
  const COLOURS = __COLOURS__;
  const HATCH = __HATCH__;
  const pattern = new RegExp('"(' + Object.keys(COLOURS).join("|") + ')"', "gi");
  const upper = Object.fromEntries(Object.entries(COLOURS).map(([hex, name]) => [hex.toUpperCase(), name]));
  const themed = (text) => text.replace(pattern, (whole, hex) => '"var(--' + upper[hex.toUpperCase()] + ')"');
  const options = { ast: true, actions: false, renderer: "svg", mode: "vega-lite", tooltip: { theme: "custom" }, logLevel: 1 };
  const specOf = (figure) => figure.querySelector("script.spec").textContent;

  // Side by side where there is room; names beside lines are taken off the width, at most half of it. A name that is longer
  // leaves its provider out; labels under a narrow plot are turned, legends stand below each other, and nothing is cut.
  const AXIS = 60;
  const NARROW = 560;
  const ENTRY = 120;
  const CELL = 46;
  function fit(spec, width) {
    const names = spec.usermeta || { left: 0, right: 0 };
    const [left, right] = [names.left, names.right].map((room) => Math.min(room, width / 2));
    const inner = spec.facet ? spec.spec : spec;
    for (const layer of [inner, ...inner.layer]) {
      if (layer.mark && layer.mark.limit && right < names.right) layer.mark.limit = right - 10;
      const fill = layer.encoding && layer.encoding.fill;
      if (fill && fill.legend && width < NARROW) {
        fill.legend.columns = Math.max(1, Math.floor((width - AXIS - ENTRY) / ENTRY));
        spec.config = { ...spec.config, legend: { ...(spec.config || {}).legend, layout: { top: { anchor: "end" } } } }; // its words end where the plot ends
      }
      const axis = layer.encoding && layer.encoding.x && layer.encoding.x.axis;
      if (axis && axis.labelExpr && axis.labelAngle === 0 && width < NARROW) {
        Object.assign(axis, { labelAngle: -40, labelAlign: axis.orient === "top" ? "left" : "right", labelLimit: 190 });
        delete axis.labelExpr;
      } else if (axis && width < NARROW && layer.encoding.x.type === "quantitative") Object.assign(axis, { labelOverlap: "greedy", labelSeparation: 10 });
    }
    if (right < names.right) for (const row of spec.data.values) for (const end of ["_end", "_begin"]) if (row[end]) row[end] = row[end].replace(/[^\s/]+\//g, "");
    const cells = inner.layer.some((layer) => layer.mark.type === "rect") && inner.encoding && inner.encoding.x.field === "_x";
    const least = cells && width < NARROW ? CELL * new Set(spec.data.values.map((row) => row._x + "")).size : 0;
    if (spec.facet) {
      spec.columns = width > 700 ? 2 : 1;
      inner.width = Math.min(Math.max((width - 40) / spec.columns - 110 - left - right, 120, least), Math.max(420, least));
    } else if (spec.usermeta) inner.width = Math.max(width - AXIS - left - right, 90, least);
    else if (least > width - 2 * ENTRY) inner.width = least; // wider than the screen: its place scrolls
  }

  async function draw(figure) {
    const place = figure.querySelector(".vega");
    if (!place || place.dataset.drawn) return;
    place.dataset.drawn = "yes";
    const spec = JSON.parse(themed(specOf(figure)));
    fit(spec, place.clientWidth);
    place.textContent = "";
    try {
      await vegaEmbed(place, spec, options);
      if (place.scrollWidth > place.clientWidth) place.tabIndex = 0; // arrow keys scroll what fingers do
      // the picture is one image with a name; its parts are in the table below
      const svg = place.querySelector("svg");
      if (svg) { svg.setAttribute("aria-hidden", "true"); svg.querySelectorAll("[role],[aria-label]").forEach((part) => { part.removeAttribute("role"); part.removeAttribute("aria-label"); part.removeAttribute("aria-roledescription"); }); }
    } catch (error) {
      place.textContent = "This chart could not be drawn; the table below holds the same numbers.";
    }
  }

  async function svgOf(figure) {
    const drawn = figure.querySelector("script.drawing");
    if (drawn) return drawn.textContent;
    const spec = JSON.parse(specOf(figure));
    if (!spec.facet) spec.width = 620;
    spec.background = "#FFFFFF";
    const aside = document.createElement("div");
    const { view } = await vegaEmbed(aside, spec, options);
    const svg = await view.toSVG();
    view.finalize();
    return svg.replace(/(<svg[^>]*>)/, "$1<defs>" + HATCH + "</defs>");
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-save]");
    if (!button) return;
    const figure = button.closest("figure");
    const name = "percuss-" + figure.dataset.chart;
    if (button.dataset.save === "data") {
      const rows = JSON.parse(specOf(figure)).data.values.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => !key.startsWith("_"))));
      percussSave(name + ".csv", "text/csv", percussCsv(rows));
    } else percussSave(name + ".svg", "image/svg+xml", await svgOf(figure));
  });

  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { near.unobserve(entry.target); draw(entry.target); }
  }, { rootMargin: "600px" });
  const figures = [...document.querySelectorAll("figure.chart")].filter((figure) => figure.querySelector(".vega"));
  figures.forEach((figure) => near.observe(figure));
  // print wants them all; drawing is fast, but not instant: begin when the browser is idle
  const idle = window.requestIdleCallback || ((then) => setTimeout(then, 300));
  idle(() => figures.reduce((before, figure) => before.then(() => draw(figure)), Promise.resolve()));
  window.addEventListener("beforeprint", () => figures.forEach(draw));
})();
