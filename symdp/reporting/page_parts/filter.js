(() => {
  const form = document.getElementById("filters"), shown = document.getElementById("shown");
  const claims = [...document.querySelectorAll(".claim")].map(node => ({
    node, text: node.querySelector(".head").textContent.toLowerCase() + " " +
      node.querySelector(".says").textContent.toLowerCase()}));
  const sections = [...document.querySelectorAll(".statement")];
  const apply = () => {
    const want = Object.fromEntries(new FormData(form));
    const words = want.text.toLowerCase().split(/\s+/).filter(Boolean);
    let number = 0;
    for (const {node, text} of claims) {
      const fits = ["source", "kind", "verdict"].every(k => !want[k] || node.dataset[k] === want[k]) &&
        words.every(w => text.includes(w));
      node.hidden = !fits;
      number += fits;
    }
    for (const s of sections) s.hidden = !s.querySelector(".claim:not([hidden])");
    shown.textContent = `${number} of ${claims.length} claims`;
  };
  const open = () => {
    const node = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!node) return;
    if (node.hidden || node.closest("[hidden]")) { form.reset(); apply(); }
    node.querySelector("details")?.setAttribute("open", "");
    node.scrollIntoView();
  };
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", event => event.preventDefault());
  addEventListener("hashchange", open);
  addEventListener("keydown", event => {
    if (event.key === "/" && !/^(INPUT|SELECT)$/.test(document.activeElement.tagName)) {
      event.preventDefault(); form.elements.text.focus();
    } else if (event.key === "Escape" && document.activeElement === form.elements.text) {
      form.elements.text.value = ""; apply();
    }
  });
  apply();
  open();
})();
