"use strict";
// An invitation's secret stands behind the # of its link, which browsers keep to themselves: it goes to the server in a form.
(() => {
  const hand = () => {
    const secret = location.hash.slice(1);
    const form = document.querySelector("form[data-invited]");
    if (!form || !/^[0-9a-f]{40}$/.test(secret)) return;
    history.replaceState(null, "", location.pathname);
    form.elements.invitation.value = secret;
    form.submit();
  };
  document.addEventListener("DOMContentLoaded", hand);
  window.addEventListener("hashchange", hand);
})();
