"use strict";
// Pictures: OpenSeadragon zooms and moves; what is seen is drawn here from the values as they were sent, 8 or 16 bits, through
// a grey window. Drag changes the window, wheel zooms, one finger scrolls the page, two zoom. Settings stay in this tab.
(() => {
  const paeth = (a, b, c) => {
    const p = a + b - c;
    const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
  };
  // Browsers show 16-bit pictures with 8 bits and give no more to scripts, so the values are read from the file itself.
  const sixteen = async (buffer) => {
    const bytes = new Uint8Array(buffer);
    const view = new DataView(buffer);
    if (bytes[24] !== 16 || bytes[25] !== 0 || bytes[28] !== 0) return null; // not 16-bit grey without interlace
    const [width, height] = [view.getUint32(16), view.getUint32(20)];
    const parts = [];
    for (let at = 8; at < bytes.length;) {
      const length = view.getUint32(at);
      if (view.getUint32(at + 4) === 0x49444154) parts.push(bytes.subarray(at + 8, at + 8 + length));
      at += length + 12;
    }
    const raw = new Uint8Array(await new Response(new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
    const row = width * 2;
    const values = new Uint16Array(width * height);
    let above = new Uint8Array(row);
    for (let y = 0; y < height; y += 1) {
      const kind = raw[y * (row + 1)];
      const line = raw.subarray(y * (row + 1) + 1, (y + 1) * (row + 1));
      for (let x = 0; x < row; x += 1) {
        const [a, b, c] = [x > 1 ? line[x - 2] : 0, above[x], x > 1 ? above[x - 2] : 0];
        line[x] += kind === 1 ? a : kind === 2 ? b : kind === 3 ? (a + b) >> 1 : kind === 4 ? paeth(a, b, c) : 0;
      }
      for (let x = 0; x < width; x += 1) values[y * width + x] = (line[2 * x] << 8) | line[2 * x + 1];
      above = line;
    }
    return { width, height, values, channels: 1 };
  };
  const eight = async (buffer) => {
    const bitmap = await createImageBitmap(new Blob([buffer]));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return { width: bitmap.width, height: bitmap.height, values: context.getImageData(0, 0, bitmap.width, bitmap.height).data, channels: 4 };
  };

  // A finger that scrolls the page takes the pointer away from the library, which warns of it each time.
  const quiet = () => {};
  window.OpenSeadragon.console = { log: quiet, debug: quiet, info: quiet, warn: quiet, assert: quiet, error: (...told) => console.error(...told) };

  window.percussViewer = (figure) => {
    const t = window.percussWords;
    const KEY = "percuss-window";
    const box = figure.querySelector(".canvas");
    const readout = figure.querySelector("[data-readout]");
    const told = figure.dataset;
    const low = Number(told.low ?? 0); // value that a stored 0 stands for
    const span = Number(told.span ?? 255); // range of the values
    const unit = Number(told.step ?? 1); // by which a stored value rises
    const spacing = told.spacing ? told.spacing.split(" ").map(Number) : null; // mm a pixel: down, across
    const deep = told.depth === "16";
    const scaled = (p) => ("own" in p.dataset || !deep ? [Number(p.dataset.centre), Number(p.dataset.width)] : [low + (Number(p.dataset.centre) * span) / 255, (Number(p.dataset.width) * span) / 255]);
    const presets = [...figure.querySelectorAll("[data-centre]")];
    const whole = deep ? { centre: low + span / 2, width: span + 1 } : { centre: 128, width: 256 };
    const start = told.centre ? { centre: Number(told.centre), width: Number(told.width) } : whole;
    let grey = { ...start, inverted: false };
    try { if (!deep) grey = { ...grey, ...JSON.parse(sessionStorage.getItem(KEY) ?? "{}") }; } catch { /* nothing kept */ }
    let picture = null;
    let moving = false;
    let fitted = true;
    let measuring = null;
    const screen = document.createElement("canvas");
    screen.className = "pixels";
    const context = screen.getContext("2d");
    const line = document.createElement("div");
    line.className = "ruler";
    line.hidden = true;

    const osd = window.OpenSeadragon({
      element: box, prefixUrl: "", showNavigationControl: false, showNavigator: false, autoResize: false, animationTime: 0, immediateRender: true,
      visibilityRatio: 1, minZoomImageRatio: 1, maxZoomPixelRatio: 12, drawer: "canvas", keyboardShortcuts: false, silenceMultiImageWarnings: true,
      tileSources: { type: "image", url: box.dataset.src, buildPyramid: false },
      gestureSettingsMouse: { dragToPan: false, clickToZoom: false, dblClickToZoom: false, scrollToZoom: true, flickEnabled: false },
      gestureSettingsTouch: { dragToPan: false, clickToZoom: false, dblClickToZoom: false, pinchToZoom: true, flickEnabled: false, pinchRotate: false },
      gestureSettingsPen: { dragToPan: false, clickToZoom: false, dblClickToZoom: false, flickEnabled: false },
    });
    osd.innerTracker.keyHandler = osd.innerTracker.keyDownHandler = null;
    box.querySelectorAll("*").forEach((one) => { one.removeAttribute("tabindex"); });
    [box, ...box.querySelectorAll("*")].forEach((one) => { one.style.touchAction = "pan-x pan-y"; }); // one finger scrolls the page

    const share = () => (osd.viewport && osd.world.getItemCount() ? osd.viewport.getZoom() / osd.viewport.getHomeZoom() : 1);
    const say = () => {
      const sign = (n) => String(Math.round(n)).replace("-", "−");
      const shown = t("C {centre}, W {width}, {zoom} %", { centre: sign(grey.centre), width: sign(grey.width), zoom: Math.round(share() * 100) });
      readout.textContent = [shown, grey.inverted ? t("inverted") : "", measuring?.text ?? ""].filter(Boolean).join(", ");
      presets.forEach((p) => { const [c, w] = scaled(p); p.classList.toggle("on", Math.round(c) === Math.round(grey.centre) && Math.round(w) === Math.round(grey.width)); });
      try { if (!deep) sessionStorage.setItem(KEY, JSON.stringify(grey)); } catch { /* settings last for this item only */ }
    };
    const paint = () => {
      if (picture === null) return;
      const size = deep ? 65536 : 256;
      const ramp = new Uint8ClampedArray(size); // a value v is shown as (v - centre) / width + 1/2
      for (let v = 0; v < size; v += 1) {
        const shown = ((v * unit + low - grey.centre) / grey.width + 0.5) * 255;
        ramp[v] = grey.inverted ? 255 - Math.min(255, Math.max(0, shown)) : shown;
      }
      const { values, channels, width, height } = picture;
      const out = context.createImageData(width, height);
      const pixels = out.data;
      for (let n = 0, m = 0; n < pixels.length; n += 4, m += channels) {
        pixels[n] = ramp[values[m]];
        pixels[n + 1] = channels === 1 ? pixels[n] : ramp[values[m + 1]];
        pixels[n + 2] = channels === 1 ? pixels[n] : ramp[values[m + 2]];
        pixels[n + 3] = 255;
      }
      context.putImageData(out, 0, 0);
    };
    let asked = 0;
    const draw = () => { say(); cancelAnimationFrame(asked); asked = requestAnimationFrame(paint); };
    const resize = () => {
      osd.viewport.resize(new window.OpenSeadragon.Point(box.clientWidth, box.clientHeight), true);
      if (fitted) osd.viewport.goHome(true);
      osd.forceRedraw();
    };
    const fit = () => { fitted = true; resize(); };
    const zoom = (factor) => { fitted = false; osd.viewport.zoomBy(factor); osd.viewport.applyConstraints(true); say(); };
    const window_ = (centre, width) => {
      grey.centre = Math.min(low + span, Math.max(low, centre));
      grey.width = Math.min(2 * (span + 1), Math.max(deep ? 1 : 4, width));
      draw();
    };
    const reset = () => { fit(); grey.inverted = false; window_(start.centre, start.width); };
    const next = () => {
      if (!presets.length) return;
      const now = presets.findIndex((p) => p.classList.contains("on"));
      window_(...scaled(presets[(now + 1) % presets.length]));
    };
    const invert = () => { grey.inverted = !grey.inverted; draw(); };

    const open = async () => {
      const buffer = await (await fetch(box.dataset.src, { credentials: "same-origin" })).arrayBuffer();
      picture = (deep ? await sixteen(buffer) : null) ?? (await eight(buffer));
      [screen.width, screen.height] = [picture.width, picture.height];
      paint();
      const ready = () => {
        osd.addOverlay({ element: screen, location: new window.OpenSeadragon.Rect(0, 0, 1, picture.height / picture.width) });
        screen.style.pointerEvents = "none";
        osd.drawer.canvas.style.visibility = "hidden"; // what is seen is drawn here; the library's canvas keeps old frames
        fit();
        draw();
        figure.dataset.ready = "";
      };
      if (osd.world.getItemCount()) ready(); else osd.addOnceHandler("open", ready);
    };
    open().catch(() => { readout.textContent = t("The picture could not be read; please load the page again."); });
    osd.addHandler("zoom", say);
    ["canvas-scroll", "canvas-pinch"].forEach((name) => osd.addHandler(name, () => { fitted = false; }));
    new ResizeObserver(() => { if (osd.viewport && osd.world.getItemCount()) { resize(); say(); } }).observe(box);

    const point = (event) => {
      const at = box.getBoundingClientRect();
      return osd.viewport.viewerElementToViewportCoordinates(new window.OpenSeadragon.Point(event.clientX - at.left, event.clientY - at.top));
    };
    const measured = (a, b) => {
      const [dx, dy] = [(b.x - a.x) * picture.width, (b.y - a.y) * picture.width];
      return spacing ? t("{n} mm", { n: Math.hypot(dx * spacing[1], dy * spacing[0]).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 }) }) : t("{n} pixels", { n: Math.round(Math.hypot(dx, dy)) });
    };
    const span_ = () => {
      const at = box.getBoundingClientRect();
      const [a, b] = [measuring.from, measuring.to].map((p) => osd.viewport.viewportToViewerElementCoordinates(p));
      line.hidden = false;
      line.style.left = `${a.x}px`; line.style.top = `${a.y}px`;
      line.style.width = `${Math.hypot(b.x - a.x, b.y - a.y)}px`;
      line.style.transform = `rotate(${Math.atan2(b.y - a.y, b.x - a.x)}rad)`;
      measuring.text = measured(measuring.from, measuring.to);
      if (at.width) say();
    };
    box.appendChild(line);
    osd.addHandler("animation", () => { if (measuring?.to) span_(); });

    let before = null;
    box.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch" || event.button > 1 || picture === null) return;
      event.preventDefault();
      before = event;
      if (measuring) { measuring.from = measuring.to = point(event); }
    }, true);
    box.addEventListener("pointermove", (event) => {
      if (before === null) return;
      const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
      before = event;
      if (measuring) { measuring.to = point(event); span_(); }
      else if (moving || event.shiftKey || event.buttons === 4) osd.viewport.panBy(osd.viewport.deltaPointsFromPixels(new window.OpenSeadragon.Point(-dx, -dy)), true);
      else window_(grey.centre - (dy / 2) * (span / 255), grey.width + dx * (span / 255));
    }, true);
    ["pointerup", "pointercancel"].forEach((name) => box.addEventListener(name, () => { before = null; }, true));
    figure.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (event.detail > 0) button.blur(); // clicked, not pressed: Enter saves again
      if (button.dataset.centre) window_(...scaled(button));
      if (button.dataset.zoom) zoom(button.dataset.zoom === "in" ? 1.4 : 1 / 1.4);
      if ("reset" in button.dataset) reset();
      if ("invert" in button.dataset) invert();
      if ("ruler" in button.dataset) {
        measuring = measuring ? null : { from: null, to: null };
        line.hidden = true;
        button.setAttribute("aria-pressed", String(measuring !== null));
        say();
      }
      if ("pan" in button.dataset) {
        moving = !moving;
        button.setAttribute("aria-pressed", String(moving));
        box.classList.toggle("moving", moving);
      }
    });
    const key = (pressed) => {
      if (picture === null) return false;
      if (pressed === "0") reset();
      else if (pressed === "w") next();
      else if (pressed === "i") invert();
      else if (pressed === "+" || pressed === "=") zoom(1.4);
      else if (pressed === "-") zoom(1 / 1.4);
      else return false;
      return true;
    };
    const pan = (pressed) => {
      const step = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] }[pressed];
      if (!step || share() < 1.01) return false;
      osd.viewport.panBy(osd.viewport.deltaPointsFromPixels(new window.OpenSeadragon.Point(...step)), true);
      osd.viewport.applyConstraints(true);
      return true;
    };
    say();
    return { key, pan, figure };
  };
})();
