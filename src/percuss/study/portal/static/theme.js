"use strict";
// Runs before the first paint: the theme chosen here before, else the form's (dark for pictures), else the system's.
(() => {
  const root = document.documentElement;
  const kept = () => { try { return localStorage.getItem("percuss-theme"); } catch { return null; } };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => { root.dataset.theme = kept() ?? (root.dataset.default === "dark" || system.matches ? "dark" : "light"); };
  apply();
  system.addEventListener("change", apply);
  window.percussTheme = () => {
    const next = root.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("percuss-theme", next); } catch { /* private window: the choice lasts for this page */ }
    root.dataset.theme = next;
  };
})();
