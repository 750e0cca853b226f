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
    // What is looked for comes first: the findings make room for it.
    document.body.classList.toggle("searching", Boolean(words.length || want.source || want.kind || want.verdict));
    shown.textContent = `${number} of ${claims.length} claims`;
  };
  const open = () => {
    const node = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!node) return;
    if (node.hidden || node.closest("[hidden]")) { form.reset(); apply(); }
    (node.closest("details") ?? node.querySelector("details"))?.setAttribute("open", "");
    node.scrollIntoView();
  };
  // The next visible claim before or after the one that has the focus, or else the first on the screen.
  const step = way => {
    const seen = claims.map(c => c.node).filter(n => !n.hidden);
    const now = document.activeElement.closest(".claim");
    const at = seen.indexOf(now);
    const next = at < 0 ? seen.find(n => n.getBoundingClientRect().top > 0) ?? seen[0] : seen[at + way];
    next?.focus();
    next?.scrollIntoView({block: "center"});
  };
  const unfold = () => {
    const found = document.activeElement.closest(".claim")?.querySelector("details");
    if (found) found.open = !found.open;
  };
  form.hidden = document.getElementById("keys").hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", event => event.preventDefault());
  addEventListener("hashchange", open);
  addEventListener("beforeprint", () => document.querySelectorAll(".slips, .sources").forEach(d => d.open = true));
  addEventListener("keydown", event => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!typing && (event.key === "j" || event.key === "k")) step(event.key === "j" ? 1 : -1);
    else if (!typing && event.key === "o") unfold();
    else if (event.key === "/" && !typing) {
      event.preventDefault(); form.elements.text.focus();
    } else if (event.key === "Escape" && document.activeElement === form.elements.text) {
      form.elements.text.value = ""; apply();
    }
  });
  apply();
  open();
})();
