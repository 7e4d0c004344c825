"use strict";
// Sentences of the scripts in the language of the page: the English one is the key, names in braces are filled in.
window.percussWords = (() => {
  let known = null;
  return (text, values = {}) => {
    known ??= JSON.parse(document.body.dataset.words || "{}");
    return (known[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  };
})();
