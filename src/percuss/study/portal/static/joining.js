"use strict";
// An invitation's secret stands behind the # of its link, which browsers keep to themselves: it goes to the server in a form.
(() => {
  const hand = event => {
    const secret = location.hash.slice(1);
    const form = document.querySelector("form[data-invited]");
    if (!/^[0-9a-f]{40}$/.test(secret)) return;
    if (!form) {
      if (event.type === "hashchange") location.assign(`${location.pathname}?again${location.hash}`); // a newer link, pasted over an old one
      return;
    }
    history.replaceState(null, "", location.pathname);
    form.elements.invitation.value = secret;
    form.submit();
  };
  document.addEventListener("DOMContentLoaded", hand);
  window.addEventListener("hashchange", hand);
})();
