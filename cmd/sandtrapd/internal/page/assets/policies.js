// The policies that runs can name.

import { call, optional, path } from "./api.js";
import { add, cut, el, main, note } from "./dom.js";

add(main, el("div", { class: "title" }, el("h1", {}, "Policies")));
try {
	const list = await optional(call("GET", "/v1/policies"));
	if (!list) add(main, note("This server does not list its policies: it does not answer at /v1/policies. Runs have the policy named default."));
	else if (list.policies.length === 0) add(main, el("p", { class: "muted empty" }, "There are none."));
	else add(main, el("table", { class: "list" }, el("thead", {}, el("tr", {}, ["Name", "Version", "Source", "About"].map((t) => el("th", { scope: "col" }, t)))),
		el("tbody", {}, list.policies.map((p) => el("tr", {}, el("th", { scope: "row", class: "head" }, el("a", { href: path("policies", p.name) }, cut(p.name, 100))),
			el("td", { data: { label: "Version" } }, el("code", {}, cut(p.version ?? "", 16))), el("td", { data: { label: "Source" } }, cut(p.source ?? "", 40)), el("td", { data: { label: "About" } }, cut(p.about ?? "", 400)))))));
} catch (err) {
	add(main, note(err.message, "bad"));
}
