"use strict";

// Rows as objects, from the data in the page.
function read(text) {
  const { columns, rows } = JSON.parse(text);
  return rows.map((values) => Object.fromEntries(columns.map((name, i) => [name, values[i]])));
}

function escape(text) {
  return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

const solved = (row) => row.category.startsWith("correct") || row.category.startsWith("unrated");
const wrong = (row) => row.category.startsWith("wrong");

// Table of runs -----------------------------------------------------------------------------------------------------

const PAGE = 200; // rows in the document at once: what makes filters fast
const HEADS = [
  ["task", "task"], ["set", "set"], ["configuration", "configuration"], ["expected", "expected"],
  ["verdict", "verdict"], ["category", "class"], ["score", "score"], ["cpu", "CPU s"], ["wall", "clock s"],
  ["memory", "MB"], ["rounds", "rounds"], ["engine", "engine"], ["reason", "reason, assumptions"],
];
const TEXTS = new Set(["task", "set", "configuration", "expected", "verdict", "category", "engine", "reason"]);
const SIGNS = { "correct true": "✓", "correct false": "✓", "wrong true": "✗", "wrong false": "✗" };

// Tasks whose rows do not all say the same, or of which one is missing.
function differing(rows) {
  const verdicts = new Map();
  for (const row of rows) {
    if (!verdicts.has(row.task)) verdicts.set(row.task, []);
    verdicts.get(row.task).push(row.verdict);
  }
  const most = Math.max(...[...verdicts.values()].map((all) => all.length));
  const differ = (all) => all.length < most || new Set(all).size > 1;
  return new Set([...verdicts].filter(([, all]) => differ(all)).map(([task]) => task));
}

function filtered(rows, wish) {
  const words = wish.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) =>
    (!wish.set || row.set === wish.set) &&
    (!wish.category || row.category === wish.category) &&
    (!wish.configuration || row.configuration === wish.configuration) &&
    (!wish.tasks || wish.tasks.has(row.task)) &&
    words.every((word) => row.words.includes(word)));
}

function sorted(rows, key, down) {
  const order = (a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0);
  return [...rows].sort((a, b) => (down ? order(b, a) : order(a, b)));
}

function headLine(key, down) {
  const cell = ([name, title]) => {
    const direction = name !== key ? "none" : down ? "descending" : "ascending";
    const arrow = name !== key ? "" : down ? " ▾" : " ▴";
    const kind = TEXTS.has(name) ? ' class="text"' : "";
    return `<th scope="col"${kind} aria-sort="${direction}"><button type="button" data-key="${name}">${title}${arrow}</button></th>`;
  };
  return `<tr>${HEADS.map(cell).join("")}</tr>`;
}

function bodyLine(row) {
  const name = row.run ? `<a href="${escape(row.run)}" title="interplay show ${escape(decodeURIComponent(row.run))}">${escape(row.task)}</a>` : escape(row.task);
  const kind = row.category.replace(" ", "-");
  const texts = [row.set, row.configuration, row.expected, row.verdict].map((v) => `<td class="text">${escape(v)}</td>`);
  const numbers = [row.score, row.cpu.toFixed(2), row.wall.toFixed(2), row.memory.toFixed(0), row.rounds];
  const ended = row.termination ? `[${row.termination}]` : "";
  const reason = [ended, row.reason, row.assumptions && `assumes: ${row.assumptions}`].filter(Boolean).join(" ");
  return `<tr><th scope="row">${name}</th>${texts.join("")}` +
    `<td class="text ${kind}">${SIGNS[row.category] || "·"} ${escape(row.category)}</td>` +
    numbers.map((v) => `<td>${v}</td>`).join("") +
    `<td class="text">${escape(row.engine)}</td><td class="text reason">${escape(reason)}</td></tr>`;
}

// Scatter plot ------------------------------------------------------------------------------------------------------

const SIDE = 420, FLOOR = 0.1, EDGE = 24; // pixels, seconds, pixels beyond the scale for runs that solve nothing
const KINDS = [
  { name: "both", mark: 0, shape: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", fits: (a, b) => solved(a) && solved(b) },
  { name: "only ACROSS", mark: 2, shape: "M0-5L5 4H-5z", fits: (a) => solved(a) },
  { name: "only UP", mark: 3, shape: "M-4-4h8v8h-8z", fits: (a, b) => solved(b) },
  { name: "neither", mark: 5, shape: "M-3-3L3 3M-3 3L3-3", fits: () => true },
];
const WRONG = { name: "wrong", mark: 1, shape: "M-6-6L6 6M-6 6L6-6M-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0" };
const LIGHT = ["#0072b2", "#c84e00", "#00795a", "#a8467f", "#8a6100", "#444444"];

// Pairs of rows of the same task, one of each configuration; of one set, if it is named. Wrong ones are last: on top.
function pairs(rows, across, up, set) {
  const others = new Map(rows.filter((row) => row.configuration === up).map((row) => [row.task, row]));
  const fits = (row) => row.configuration === across && others.has(row.task) && (!set || row.set === set);
  const found = rows.filter(fits).map((row) => [row, others.get(row.task)]);
  return found.sort((p, q) => p.some(wrong) - q.some(wrong));
}

function kindOf(a, b) {
  return wrong(a) || wrong(b) ? WRONG : KINDS.find((kind) => kind.fits(a, b));
}

// Where a time is on a side, from 0 to SIDE; runs that solve nothing are beyond.
function place(row, decades) {
  if (!solved(row)) return SIDE + EDGE / 2;
  return (Math.log10(Math.max(row.cpu, FLOOR) / FLOOR) / decades) * SIDE;
}

function decadesOf(points) {
  const longest = Math.max(10 * FLOOR, ...points.flat().filter(solved).map((row) => row.cpu));
  return Math.max(1, Math.ceil(Math.log10(longest / FLOOR) - 1e-9));
}

function axes(decades, across, up) {
  const whole = SIDE + EDGE, parts = [];
  for (let n = 0; n <= decades; n += 1) {
    const at = (n / decades) * SIDE, y = whole - at, label = Number((FLOOR * 10 ** n).toPrecision(1));
    parts.push(`<path class="grid" d="M${at.toFixed(1)} 0V${whole}M0 ${y.toFixed(1)}H${whole}" stroke="#dddddd"/>`,
      `<text class="ink" x="${at.toFixed(1)}" y="${whole + 18}" text-anchor="middle" fill="#222222">${label}</text>`,
      `<text class="ink" x="-8" y="${(y + 4).toFixed(1)}" text-anchor="end" fill="#222222">${label}</text>`);
  }
  const tenth = SIDE / decades;
  parts.push(`<path class="zero" d="M0 ${whole}L${SIDE} ${EDGE}" stroke="#888888"/>`,
    `<path class="grid" d="M${tenth} ${whole}L${SIDE} ${EDGE + tenth}M0 ${whole - tenth}L${SIDE - tenth} ${EDGE}" stroke="#dddddd"/>`,
    `<path class="zero" d="M${SIDE} ${EDGE}V${whole}M0 ${EDGE}H${SIDE}" stroke="#888888" stroke-dasharray="3 3"/>`,
    `<rect class="frame" width="${whole}" height="${whole}" fill="none" stroke="#666666"/>`,
    `<text class="ink" x="${whole / 2}" y="${whole + 42}" text-anchor="middle" fill="#222222">${escape(across)}: CPU time in s</text>`,
    `<text class="ink" transform="translate(-44,${whole / 2}) rotate(-90)" text-anchor="middle" fill="#222222">${escape(up)}: CPU time in s</text>`);
  return parts;
}

function mark(kind, x, y) {
  const colour = LIGHT[kind.mark], fill = kind === WRONG ? "none" : colour;
  return `<path class="mark mark-${kind.mark}" d="${kind.shape}" transform="translate(${x.toFixed(1)},${y.toFixed(1)})" ` +
    `fill="${fill}" fill-opacity="0.6" stroke="${colour}" stroke-width="1.5"/>`;
}

function sentence([a, b], across, up) {
  const one = (row, name) => `${name} ${row.verdict} in ${row.cpu.toFixed(2)} s`;
  return `${a.task}: ${one(a, across)}, ${one(b, up)}`;
}

function titleOf(kind, across, up) {
  const title = kind.name.replace("ACROSS", across).replace("UP", up);
  return title.length > 24 ? `${title.slice(0, 23)}…` : title;
}

function scatter(points, across, up) {
  const decades = decadesOf(points), whole = SIDE + EDGE, counts = new Map();
  const marks = points.map(([a, b], i) => {
    const kind = kindOf(a, b);
    counts.set(kind, (counts.get(kind) || 0) + 1);
    const shape = mark(kind, place(a, decades), whole - place(b, decades));
    return `<a tabindex="-1" data-point="${i}"${b.run ? ` href="${escape(b.run)}"` : ""}>${shape}<title>${escape(sentence([a, b], across, up))}</title></a>`;
  });
  const present = [...KINDS, WRONG].filter((kind) => counts.has(kind));
  const legend = present.map((kind, i) => mark(kind, whole + 24, 14 + 22 * i) +
    `<text class="ink" x="${whole + 38}" y="${18 + 22 * i}" fill="#222222">${escape(titleOf(kind, across, up))}: ${counts.get(kind)}</text>`);
  const counted = present.map((kind) => `${titleOf(kind, across, up)}: ${counts.get(kind)}`).join(", ");
  const label = `${points.length} tasks, solved by ${counted}`;
  const width = 64 + whole + 200, height = 24 + whole + 52;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `role="img" aria-label="${escape(label)}" font-family="sans-serif" font-size="13">` +
    `<rect class="paper" width="${width}" height="${height}" fill="#ffffff"/><g transform="translate(64,24)">` +
    [...axes(decades, across, up), ...marks, ...legend].join("") + "</g></svg>";
}

// The page ----------------------------------------------------------------------------------------------------------

function showRuns(document, rows) {
  const get = (id) => document.getElementById(id);
  const view = { key: "task", down: false, first: 0, found: rows };
  const different = differing(rows);
  for (const row of rows) row.words = [row.task, row.set, row.configuration, row.verdict, row.category, row.reason, row.engine].join(" ").toLowerCase();

  function draw() {
    const last = Math.min(view.first + PAGE, view.found.length);
    get("table").tHead.innerHTML = headLine(view.key, view.down);
    get("table").tBodies[0].innerHTML = view.found.slice(view.first, last).map(bodyLine).join("");
    get("shown").textContent = view.found.length ? `${view.first + 1} to ${last} of ${view.found.length}` : "";
    get("previous").disabled = view.first === 0;
    get("next").disabled = last >= view.found.length;
  }

  function search() {
    const differ = get("different");
    const wish = { set: get("set").value, category: get("category").value, configuration: get("configuration").value,
      text: get("text").value, tasks: differ && differ.checked ? different : null };
    view.found = sorted(filtered(rows, wish), view.key, view.down);
    view.first = 0;
    const score = view.found.reduce((sum, row) => sum + row.score, 0);
    const cpu = view.found.reduce((sum, row) => sum + row.cpu, 0);
    get("count").textContent = `${view.found.length} of ${rows.length} runs; score ${score}; ${cpu.toFixed(1)} s of CPU time`;
    draw();
  }

  get("filters").addEventListener("input", search);
  get("filters").addEventListener("submit", (event) => event.preventDefault());
  get("filters").addEventListener("reset", () => setTimeout(search));
  get("table").tHead.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    view.down = view.key === button.dataset.key && !view.down;
    view.key = button.dataset.key;
    search();
    get("table").tHead.querySelector(`[data-key="${view.key}"]`).focus();
  });
  get("previous").addEventListener("click", () => { view.first -= PAGE; draw(); });
  get("next").addEventListener("click", () => { view.first += PAGE; draw(); });
  for (const button of document.querySelectorAll("button.set")) {
    button.addEventListener("click", () => {
      get("filters").reset(); // the other filters might leave nothing of the set
      get("set").value = button.dataset.set;
      search();
      get("runs").scrollIntoView();
      get("set").focus();
    });
  }
  search();
}

function showScatter(document, rows) {
  const get = (id) => document.getElementById(id);
  let points = [], chosen = -1;

  function draw() {
    points = pairs(rows, get("across").value, get("up").value, get("part").value);
    chosen = -1;
    get("plot").innerHTML = scatter(points, get("across").value, get("up").value);
  }

  function choose(number) {
    const marks = get("plot").querySelectorAll("a");
    if (!marks.length) return;
    if (chosen >= 0) marks[chosen].firstChild.classList.remove("chosen");
    chosen = (number + marks.length) % marks.length;
    marks[chosen].firstChild.classList.add("chosen");
    get("point").textContent = sentence(points[chosen], get("across").value, get("up").value);
  }

  get("pair").addEventListener("input", draw);
  get("pair").addEventListener("submit", (event) => event.preventDefault());
  get("plot").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      choose(chosen < 0 && step < 0 ? -1 : chosen + step);
    } else if (event.key === "Enter" && chosen >= 0) {
      location.href = points[chosen][1].run;
    }
  });
  get("plot").addEventListener("mouseover", (event) => {
    const link = event.target.closest("a");
    if (link) choose(Number(link.dataset.point));
  });
  draw();
}

if (typeof document !== "undefined") {
  const rows = read(document.getElementById("data").textContent);
  showRuns(document, rows);
  showScatter(document, rows);
}
