const chosen = document.getElementById("status");
chosen.addEventListener("change", () => {
  for (const row of document.querySelectorAll("#references tbody tr")) {
    row.hidden = chosen.value !== "" && row.dataset.status !== chosen.value;
  }
});
