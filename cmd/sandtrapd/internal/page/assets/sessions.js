// The sessions of a tenant.

import { call, optional, path } from "./api.js";
import { add, button, cut, doing, el, field, fill, main, note } from "./dom.js";
import { bytes, time } from "./format.js";
import { sessionState } from "./result.js";

const place = el("div", {});
const body = el("tbody", {});
const table = el("table", { class: "list" }, el("thead", {}, el("tr", {}, ["Name", "State", "Policy"].map((t) => el("th", { scope: "col" }, t)),
	["Created", "Used", "Size"].map((t) => el("th", { scope: "col", class: "num" }, t)))), body);
const rest = el("div", {});
const name = el("input", { type: "text", maxlength: "100", required: true });
const policy = el("input", { type: "text", maxlength: "100", placeholder: "default" });
const make = button("Create", () => doing(make, place, async () => {
	const q = { name: name.value };
	if (policy.value) q.policy = policy.value;
	location.assign(path("sessions", (await call("POST", "/v1/sessions", q)).id));
}), "main");

function row(s) {
	const cell = (label, text, kind) => el("td", { class: kind, data: { label } }, text);
	return el("tr", {}, el("th", { scope: "row", class: "head" }, el("a", { href: path("sessions", s.id) }, cut(s.name || s.id, 100))), cell("State", sessionState(s)), cell("Policy", cut(s.policy ?? "", 40)),
		cell("Created", time(s.created), "num"), cell("Used", time(s.used), "num"), cell("Size", bytes(s.bytes), "num"));
}

async function load(cursor) {
	const list = await optional(call("GET", "/v1/sessions" + (cursor ? "?cursor=" + encodeURIComponent(cursor) : "")));
	if (!list) {
		fill(main, el("h1", {}, "Sessions"), note("This server has no sessions: it does not answer at /v1/sessions."));
		return;
	}
	body.append(...list.sessions.map(row));
	fill(rest, body.childElementCount === 0 && el("p", { class: "muted empty" }, "There are no sessions yet."),
		list.next_cursor && el("div", { class: "row pager" }, button("More", () => load(list.next_cursor).catch(fail))));
}

const fail = (err) => fill(place, note(err.message, "bad"));

add(main, el("div", { class: "title" }, el("h1", {}, "Sessions")), place, table, rest,
	el("details", { class: "more" }, el("summary", {}, "New session"), el("div", { class: "row end" }, field("Name", name), field("Policy", policy), make)));
load().catch(fail);
