// One policy: what it opens, and its file.

import { optional, path, text as load } from "./api.js";
import { add, cut, el, main, note } from "./dom.js";
import { source } from "./source.js";
import { tree } from "./tree.js";

const id = main.dataset.id;

// shown is text, or the fields of JSON.
function shown(text) {
	try {
		const v = JSON.parse(text);
		if (Array.isArray(v?.openings)) return opens(v);
		if (v && typeof v === "object") return tree(v);
	} catch { /* it is text */ }
	return el("pre", { class: "output tall", tabindex: "0", role: "region", "aria-label": "What the policy opens" }, cut(text, 200000));
}

const from = (p) => p?.file ? p.file + (p.line > 0 ? ":" + p.line : "") : p?.source ?? "";

// table has only the columns that some row fills.
function table(rows, columns) {
	const used = columns.filter(([, of]) => rows.some((r) => of(r)));
	return el("table", { class: "list" }, el("thead", {}, el("tr", {}, used.map(([name]) => el("th", { scope: "col" }, name)))),
		el("tbody", {}, rows.slice(0, 500).map((r) => el("tr", {}, used.map(([name, of], i) => el(i === 0 ? "th" : "td", { scope: i === 0 ? "row" : undefined, class: i === 0 ? "head" : undefined, data: { label: name } }, cut(of(r) ?? "", 1000)))))));
}

// opens shows what "explain" says of a policy.
function opens(v) {
	const origin = ["From", (r) => from(r.from)];
	const section = (title, rows, columns, none) => el("section", {}, el("h3", {}, title), rows?.length > 0 ? table(rows, columns) : el("p", { class: "muted" }, none));
	return el("div", {},
		section("Openings", v.openings, [["Field", (r) => r.field], ["Opens", (r) => r.opens], ["Under isolation kernel", (r) => r.kernel], origin], "It opens nothing."),
		section("Functions", v.functions, [["Name", (r) => r.name], ["Decision", (r) => r.decision], ["Reason", (r) => r.reason], ["Rules", (r) => r.rules?.join(", ")], ["Declares", (r) => r.declares]], "It gives scripts no functions."),
		section("Limits", [v.isolation, ...(v.limits ?? [])].filter(Boolean), [["Limit", (r) => r.name], ["Value", (r) => r.value], origin], "There are none."));
}

add(main, el("div", { class: "title" }, el("h1", {}, "Policy ", el("code", {}, cut(id, 100)))));
try {
	const [opens, file] = await Promise.all([optional(load(path("v1", "policies", id, "explain"), 1 << 20)), optional(load(path("v1", "policies", id), 1 << 20))]);
	add(main, el("section", {}, el("h2", {}, "What it opens"), opens ? shown(opens.text) : note("The server does not say: it does not answer at /v1/policies/" + cut(id, 100) + "/explain.")),
		file && el("section", {}, el("h2", {}, "File"), source(file.text)));
} catch (err) {
	add(main, note(err.message, "bad"));
}
