// The runs of a tenant, or of all for an operator, as they come.

import { call, path } from "./api.js";
import { add, button, cut, el, fill, main, note, say } from "./dom.js";
import { bytes, count, duration, time } from "./format.js";
import { badge } from "./result.js";

const states = ["running", "pending", "done", "failed", "cancelled"];
const every = 2000; // ms between two looks
const perPage = 50;

const operator = main.dataset.role !== "user";
const query = new URLSearchParams(location.search);
const cursors = []; // of the pages before this one
let cursor = "", next = "", timer, asked = 0;

const chips = states.map((s) => {
	const box = el("input", { type: "checkbox", value: s, on: { change: () => first() } });
	box.checked = (query.get("state") ?? "").split(",").includes(s);
	return el("label", { class: "chip" }, box, s);
});
const text = el("input", { type: "search", placeholder: "text in the source", "aria-label": "Text in the source", maxlength: "200", on: { input: () => { clearTimeout(typing); typing = setTimeout(first, 250); } } });
text.value = query.get("q") ?? "";
let typing;
const all = el("input", { type: "checkbox", on: { change: () => first() } });
all.checked = query.get("tenant") === "*";

const body = el("tbody", {});
const rows = new Map(); // by ID
const place = el("div", { class: "place" });
const newer = button("Newer", () => { cursor = cursors.pop() ?? ""; look(); });
const older = button("Older", () => { cursors.push(cursor); cursor = next; look(); });

function filter() {
	const q = new URLSearchParams();
	const chosen = chips.map((c) => c.firstChild).filter((b) => b.checked).map((b) => b.value);
	if (chosen.length) q.set("state", chosen.join(","));
	if (text.value) q.set("q", text.value);
	if (operator && all.checked) q.set("tenant", "*");
	return q;
}

function first() {
	cursors.length = 0;
	cursor = "";
	const q = filter().toString();
	history.replaceState(null, "", "/runs" + (q ? "?" + q : ""));
	look(true);
}

async function look(told) {
	clearTimeout(timer);
	const mine = ++asked;
	const q = filter();
	q.set("limit", perPage);
	if (cursor) q.set("cursor", cursor);
	try {
		const list = await call("GET", "/v1/runs?" + q);
		if (mine !== asked) return;
		next = list.next_cursor ?? "";
		show(list.runs);
		if (told) say(list.runs.length + " runs");
	} catch (err) {
		if (mine === asked) fill(place, note(err.message, "bad"));
	}
	newer.disabled = !cursor;
	older.disabled = !next;
	timer = setTimeout(() => document.hidden || cursor ? wait() : look(), every);
}

function wait() {
	timer = setTimeout(() => document.hidden || cursor ? wait() : look(), every);
}

// show changes the rows that have changed, and leaves the others as they are, also the one that has the focus.
function show(runs) {
	const there = new Set(runs.map((r) => r.id));
	for (const [id, row] of rows) {
		if (!there.has(id)) {
			row.node.remove();
			rows.delete(id);
		}
	}
	let before = null;
	for (const r of runs) {
		const key = JSON.stringify([r.state, r.duration_ms, r.ticks, r.tenant]);
		let row = rows.get(r.id);
		if (!row) rows.set(r.id, row = { node: el("tr", {}) });
		if (row.key !== key) {
			row.key = key;
			fill(row.node, cells(r));
		}
		const at = before ? before.nextElementSibling : body.firstElementChild;
		if (at !== row.node) body.insertBefore(row.node, at);
		before = row.node;
	}
	fill(place, runs.length === 0 && el("p", { class: "muted empty" }, cursor || filter().size > 0 ? "No run fits the filter." : "There are no runs yet. The playground starts one."));
}

function cells(r) {
	const own = r.tenant === undefined || r.tenant === main.dataset.tenant;
	const name = cut(r.head || r.id, 100);
	const cell = (label, text, kind) => el("td", { class: kind, data: { label } }, text);
	return [
		el("td", { class: "state-cell", data: { label: "State" } }, badge(r.state), r.error_kind && el("span", { class: "muted small" }, " " + cut(r.error_kind, 20))),
		el("th", { scope: "row", class: "head" }, own ? el("a", { href: path("runs", r.id) }, name) : name),
		operator && cell("Tenant", cut(r.tenant ?? "", 40), "tenant"),
		cell("Policy", cut(r.policy, 40), "policy"),
		cell("Began", time(r.created), "num"),
		cell("Time", r.state === "running" ? "" : duration(r.duration_ms), "num"),
		cell("Memory", r.state === "running" ? "" : bytes(r.peak_bytes), "num"),
		cell("Ticks", r.state === "running" ? "" : count(r.ticks), "num"),
	];
}

const heading = (t, kind) => el("th", { scope: "col", class: kind }, t);
add(main, el("div", { class: "title" }, el("h1", {}, "Runs")),
	el("div", { class: "row filter", role: "group", "aria-label": "Filter" }, chips, text, operator && el("label", { class: "inline" }, all, " all tenants")),
	el("table", { class: "list" }, el("thead", {}, el("tr", {}, heading("State", "w-state"), heading("Source"), operator && heading("Tenant", "w-tenant"), heading("Policy", "w-policy"),
		heading("Began", "num w-began"), heading("Time", "num w-num"), heading("Memory", "num w-num"), heading("Ticks", "num w-num"))), body),
	place, el("div", { class: "row pager" }, newer, older));
addEventListener("visibilitychange", () => document.hidden || cursor || look());
look();
