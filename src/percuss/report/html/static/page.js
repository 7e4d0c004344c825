"use strict";
// The page's own small comforts: the rail follows, paragraphs can be copied. Without them everything is still there.
(function () {
  document.querySelectorAll(".tools[hidden]").forEach((tools) => { tools.hidden = false; });
  const links = new Map([...document.querySelectorAll(".rail a")].map((a) => [a.hash.slice(1), a]));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      links.forEach((a) => a.removeAttribute("aria-current"));
      const link = links.get(entry.target.id);
      if (link) link.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-10% 0px -75% 0px" });
  document.querySelectorAll(".chapter").forEach((chapter) => seen.observe(chapter));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    percussCopy(document.querySelector(button.dataset.copy).innerText.trim(), button);
  });
})();

function percussCopy(text, button) {
  const done = () => {
    const was = button.dataset.label || button.textContent;
    button.dataset.label = was;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = was; }, 1500);
  };
  const byHand = () => {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    done();
  };
  if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(text).then(done, byHand);
  else byHand();
}

function percussSave(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A cell that begins like a formula would run in a spreadsheet: it gets a leading apostrophe.
function percussCsv(rows) {
  const cell = (value) => {
    let text = value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
    if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = "'" + text;
    return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  };
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [keys, ...rows.map((row) => keys.map((key) => row[key]))].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}
