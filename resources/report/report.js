"use strict";
(() => {
  const all = (what, where = document) => [...where.querySelectorAll(what)];
  const one = (what, where = document) => where.querySelector(what);
  all("[data-scripted]").forEach(part => { part.hidden = false; });

  // A counterexample, step by step: its row, the lines of the source, the box in the graph, the values so far.
  const panel = one("#stepper");
  let rows = [], now = -1;
  const unmark = () => all(".now").forEach(part => part.classList.remove("now"));
  const open = part => { for (let at = part; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true; };
  const inside = part => { // scroll a box of a graph into its frame, and nothing else
    const frame = part.closest(".picture"), box = part.getBoundingClientRect(), edge = frame.getBoundingClientRect();
    frame.scrollLeft += box.left - edge.left - (edge.width - box.width) / 2;
    frame.scrollTop += box.top - edge.top - (edge.height - box.height) / 2;
  };
  const show = index => {
    now = Math.max(0, Math.min(index, rows.length - 1));
    unmark();
    const row = rows[now], values = new Map();
    for (const step of rows.slice(0, now + 1))
      for (const change of all(".change", step)) {
        const text = change.textContent, cut = text.indexOf(" = ");
        values.delete(text.slice(0, cut));
        values.set(text.slice(0, cut), text.slice(cut + 3));
      }
    const changed = new Set(all(".change", row).map(change => change.textContent));
    const list = one("#values");
    list.replaceChildren();
    [...values].reverse().forEach(([name, value]) => {
      const item = document.createElement("li");
      item.textContent = `${name} = ${value}`;
      if (changed.has(item.textContent)) item.className = "changed";
      list.append(item);
    });
    one("#stepped").textContent = `Step ${now + 1} of ${rows.length}, line ${row.dataset.line}: ${row.dataset.text}`;
    one("#before").disabled = now === 0;
    one("#after").disabled = now === rows.length - 1;
    row.classList.add("now");
    const line = all("table.source tr").find(at => at.dataset.at === row.dataset.at);
    const box = row.dataset.box && one(`figure[data-graph="${row.dataset.graph}"] g[data-box="${row.dataset.box}"]`);
    if (line) line.classList.add("now");
    if (box) box.classList.add("now");
    const graph = box && box.closest("figure");
    if (graph && one("#with-graph").checked) { open(graph); graph.scrollIntoView({ block: "start" }); inside(box); }
    else if (line) line.scrollIntoView({ block: "center" });
    if (graph && graph.closest("details").open) inside(box);
  };
  const start = (table, index) => { rows = all("tbody tr", table); panel.hidden = false; show(index); };
  const close = () => { panel.hidden = true; unmark(); now = -1; };
  if (panel) {
    all("table.steps").forEach(table => all("tbody tr", table).forEach((row, index) => {
      row.tabIndex = 0;
      row.addEventListener("click", () => start(table, index));
      row.addEventListener("keydown", event => { if (event.key === "Enter") start(table, index); });
    }));
    all(".begin").forEach(button => button.addEventListener("click", () =>
      start(one("table.steps", button.closest("section")), 0)));
    one("#before").addEventListener("click", () => show(now - 1));
    one("#after").addEventListener("click", () => show(now + 1));
    one("#with-graph").addEventListener("change", () => show(now));
    one("#close").addEventListener("click", close);
    document.addEventListener("keydown", event => {
      const typing = event.target instanceof Element && event.target.matches("input[type=search]");
      if (panel.hidden || typing || event.altKey || event.ctrlKey || event.metaKey) return;
      const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: rows.length - 1 }[event.key];
      if (to !== undefined) { event.preventDefault(); show(to); } else if (event.key === "Escape") close();
    });
  }

  // Search: the rows, paragraphs and boxes that have the text, one after the other, also in folded parts.
  const field = one("#find"), said = one("#found");
  let matches = [], match = -1, wanted = "";
  const look = backwards => {
    const text = field.value.trim().toLowerCase();
    all(".match").forEach(part => part.classList.remove("match"));
    if (text !== wanted) {
      wanted = text;
      match = -1;
      matches = text ? all("main tr, main p, main li, main summary, main svg g[data-box]").filter(part =>
        part.textContent.toLowerCase().includes(text)) : [];
    }
    if (!matches.length) { said.textContent = text ? "not found" : ""; return; }
    match = (match + (backwards ? -1 : 1) + matches.length) % matches.length;
    const part = matches[match];
    open(part);
    part.classList.add("match");
    part.scrollIntoView({ block: "center", inline: "nearest" });
    said.textContent = `${match + 1} of ${matches.length}`;
  };
  field.addEventListener("keydown", event => { if (event.key === "Enter") look(event.shiftKey); });

  // Graphs: larger, smaller, the whole.
  all("figure").forEach(figure => {
    const picture = one("svg", figure);
    if (!picture) return;
    const width = picture.viewBox.baseVal.width, height = picture.viewBox.baseVal.height;
    let scale = 1;
    const zoom = to => {
      scale = Math.max(0.1, Math.min(to, 4));
      picture.setAttribute("width", width * scale);
      picture.setAttribute("height", height * scale);
    };
    const whole = () => zoom(Math.min(1, (one(".picture", figure).clientWidth - 4) / width));
    const actions = { larger: () => zoom(scale * 1.25), smaller: () => zoom(scale / 1.25), actual: () => zoom(1), whole };
    all("button", figure).forEach(button => button.addEventListener("click", actions[button.dataset.zoom]));
  });
})();
