// One policy: what it opens, and its file.

import { call, optional, path } from "./api.js";
import { add, cut, el, main, note } from "./dom.js";
import { facts } from "./result.js";
import { source } from "./source.js";

const id = main.dataset.id;
const version = new URLSearchParams(location.search).get("version");
const at = (...parts) => path("v1", "policies", id, ...parts) + (version ? "?version=" + encodeURIComponent(version) : "");

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
	const [v, file] = await Promise.all([optional(call("GET", at("explain"))), optional(call("GET", at()))]);
	if (!v && !file && version) add(main, note("The server does not have this version."), el("p", {}, el("a", { href: path("policies", id) }, "The newest one")));
	else if (!v && !file) add(main, note("There is no such policy, or the server does not tell of its policies."));
	if (file) add(main, el("p", {}, cut(file.about ?? "", 1000)), facts(["version", cut(file.version ?? "", 40)], ["source", cut(file.source ?? "", 40)], ["tenants", file.tenants?.length > 0 ? cut(file.tenants.join(", "), 400) : ""]));
	if (v) add(main, el("section", {}, el("h2", {}, "What it opens"), opens(v)));
	if (file?.text) add(main, el("section", {}, el("h2", {}, "File"), source(file.text)));
} catch (err) {
	add(main, note(err.message, "bad"));
}
