"use strict";
// Pictures: wheel zooms, drag changes the grey window, presets, 0 resets. Settings stay from item to item in this tab.
window.percussViewer = (figure) => {
  const KEY = "percuss-window";
  const canvas = figure.querySelector(".canvas");
  const image = figure.querySelector("img");
  const readout = figure.querySelector("[data-readout]");
  const presets = [...figure.querySelectorAll("[data-centre]")];
  const SVG = "http://www.w3.org/2000/svg";
  const start = { centre: 128, width: 256 };
  let grey = { ...start };
  try { grey = { ...start, ...JSON.parse(sessionStorage.getItem(KEY) ?? "{}") }; } catch { /* nothing kept */ }
  const view = { scale: 1, x: 0, y: 0 };
  let moving = false;

  const id = `window-${Math.random().toString(36).slice(2)}`;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "defs");
  svg.setAttribute("aria-hidden", "true");
  const filter = svg.appendChild(document.createElementNS(SVG, "filter"));
  filter.setAttribute("id", id);
  filter.setAttribute("color-interpolation-filters", "sRGB");
  const transfer = filter.appendChild(document.createElementNS(SVG, "feComponentTransfer"));
  const ramps = ["R", "G", "B"].map((c) => {
    const ramp = transfer.appendChild(document.createElementNS(SVG, `feFunc${c}`));
    ramp.setAttribute("type", "linear");
    return ramp;
  });
  figure.appendChild(svg);

  const draw = () => {
    // A grey value g is shown as (g - centre) / width + 1/2, in units of full scale.
    const slope = 255 / grey.width;
    for (const ramp of ramps) {
      ramp.setAttribute("slope", String(slope));
      ramp.setAttribute("intercept", String(0.5 - (grey.centre / 255) * slope));
    }
    const plain = grey.centre === start.centre && grey.width === start.width;
    image.style.filter = plain ? "none" : `url(#${id})`;
    image.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    readout.textContent = `centre ${Math.round(grey.centre)}, width ${Math.round(grey.width)}, ${Math.round(view.scale * 100)} %`;
    presets.forEach((p) => p.classList.toggle("on", Number(p.dataset.centre) === Math.round(grey.centre) && Number(p.dataset.width) === Math.round(grey.width)));
    try { sessionStorage.setItem(KEY, JSON.stringify(grey)); } catch { /* settings last for this item only */ }
  };
  const zoom = (factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) => {
    const scale = Math.min(12, Math.max(1, view.scale * factor));
    view.x = scale === 1 ? 0 : x - ((x - view.x) * scale) / view.scale;
    view.y = scale === 1 ? 0 : y - ((y - view.y) * scale) / view.scale;
    view.scale = scale;
    draw();
  };
  const window_ = (centre, width) => {
    grey = { centre: Math.min(255, Math.max(0, centre)), width: Math.min(512, Math.max(4, width)) };
    draw();
  };
  const reset = () => { Object.assign(view, { scale: 1, x: 0, y: 0 }); window_(start.centre, start.width); };
  const next = () => {
    if (!presets.length) return;
    const now = presets.findIndex((p) => p.classList.contains("on"));
    const p = presets[(now + 1) % presets.length];
    window_(Number(p.dataset.centre), Number(p.dataset.width));
  };

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 500), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  const touches = new Map();
  let span = 0;
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); touches.set(event.pointerId, event); span = 0; });
  canvas.addEventListener("pointermove", (event) => {
    const before = touches.get(event.pointerId);
    if (!before) return;
    touches.set(event.pointerId, event);
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    if (touches.size === 2) {
      const [a, b] = [...touches.values()];
      const apart = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      const box = canvas.getBoundingClientRect();
      if (span) zoom(apart / span, (a.clientX + b.clientX) / 2 - box.left, (a.clientY + b.clientY) / 2 - box.top);
      span = apart;
    } else if (moving || event.shiftKey || event.buttons === 4) {
      view.x += dx; view.y += dy; draw();
    } else {
      window_(grey.centre - dy / 2, grey.width + dx);
    }
  });
  ["pointerup", "pointercancel"].forEach((name) => canvas.addEventListener(name, (event) => { touches.delete(event.pointerId); span = 0; }));
  figure.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.centre) window_(Number(button.dataset.centre), Number(button.dataset.width));
    if (button.dataset.zoom) zoom(button.dataset.zoom === "in" ? 1.4 : 1 / 1.4);
    if ("reset" in button.dataset) reset();
    if ("pan" in button.dataset) {
      moving = !moving;
      button.setAttribute("aria-pressed", String(moving));
      canvas.classList.toggle("moving", moving);
    }
  });
  const key = (pressed) => {
    if (pressed === "0") reset();
    else if (pressed === "w") next();
    else if (pressed === "+" || pressed === "=") zoom(1.4);
    else if (pressed === "-") zoom(1 / 1.4);
    else return false;
    return true;
  };
  const pan = (pressed) => {
    const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[pressed];
    if (!step || view.scale === 1) return false;
    view.x += step[0]; view.y += step[1]; draw();
    return true;
  };
  draw();
  return { key, pan, figure };
};
