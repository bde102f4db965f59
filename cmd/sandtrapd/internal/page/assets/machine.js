// The machine: runs, workers, and the layers of isolation, as the server says.

import { call, optional } from "./api.js";
import { add, cut, el, fill, main, note } from "./dom.js";
import { facts } from "./result.js";
import { table, tree } from "./tree.js";

const every = 5000; // ms between two looks
const place = el("div", {});
const known = new Set(["version", "isolation", "runs", "workers", "sessions", "streams", "plans", "layers"]);
let before = "";

const part = (title, ...children) => el("section", {}, el("h2", {}, title), children);
const numbers = (v) => facts(...Object.entries(v ?? {}).slice(0, 20).map(([name, n]) => [cut(name, 40), cut(n ?? "", 40)]));
const listed = (list) => Array.isArray(list) && list.length > 0;

// cluster is what the server says of its workers, and of runs that wait.
function cluster(c) {
	if (c === undefined) return false;
	const queues = (listed(c.queues) ? c.queues : []).filter((q) => q !== null && typeof q === "object");
	const waiting = queues.flatMap((q) => (listed(q.tenants) ? q.tenants : []).map((t) => ({ queue: q.name, ...t })));
	return part("Cluster",
		facts(["mode", c.mode === "none" ? "none: this process does all runs" : cut(c.mode ?? "", 20)], ["workers", listed(c.workers) && cut(c.workers.length, 20)], ["runs sent to another worker", c.again && cut(c.again, 20)]),
		queues.length > 0 && table(queues.map(({ name, turns, waiting }) => ({ queue: name, turns, waiting }))),
		listed(waiting) && table(waiting),
		listed(c.workers) && table(c.workers));
}

function shown(m, c) {
	const rest = Object.fromEntries(Object.entries(m).filter(([name]) => !known.has(name)));
	return [
		facts(["version", cut(m.version ?? "", 60)], ["isolation", cut([m.isolation?.mode, m.isolation?.level].filter(Boolean).join(", "), 60)],
			["missing", listed(m.isolation?.missing) ? cut(m.isolation.missing.join(", "), 400) : ""], ["sessions in memory", m.sessions && cut(m.sessions, 20)], ["streams", cut(m.streams ?? "", 20)]),
		el("div", { class: "columns" }, part("Runs", numbers(m.runs)), part("Workers", numbers(m.workers))),
		cluster(c),
		listed(m.layers) && part("Layers", table(m.layers)),
		listed(m.plans) && part("Policies in use", table(m.plans)),
		Object.keys(rest).length > 0 && part("More", tree(rest)),
	];
}

add(main, el("div", { class: "title" }, el("h1", {}, "Machine")), place);

async function look() {
	try {
		const m = await optional(call("GET", "/v1/machine"));
		const c = await optional(call("GET", "/v1/cluster"));
		const text = JSON.stringify([m, c]);
		if (m === undefined) {
			fill(place, note("This server does not tell of its machine: it does not answer at /v1/machine."));
			return;
		}
		if (text !== before) fill(place, shown(m, c));
		before = text;
	} catch (err) {
		before = "";
		fill(place, note(err.message, "bad"));
	}
	setTimeout(() => document.hidden ? addEventListener("visibilitychange", look, { once: true }) : look(), every);
}
look();
