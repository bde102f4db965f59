// One run: what it was begun with, what it has printed and done, and what can be done with it.

import { call, now, path, text as load } from "./api.js";
import { add, button, cut, doing, el, fill, main, note } from "./dom.js";
import { time } from "./format.js";
import { facts } from "./result.js";
import { source } from "./source.js";
import { Timeline } from "./timeline.js";
import { Watch } from "./watch.js";

const id = main.dataset.id;
const place = el("div", {});
const code = el("div", { class: "source" });
const about = el("div", {});
const timeline = new Timeline();
let script = "";

const watch = new Watch((state, result) => {
	cancel.disabled = state !== "running" && state !== "pending";
	fork.disabled = many.disabled = state !== "pending";
	drop.disabled = !cancel.disabled;
	fill(code, source(script, result?.error));
}, timeline);

// policyAt is the page of a policy, as name@version.
function policyAt(ref) {
	const [name, version] = ref.split("@");
	return path("policies", name) + (version ? "?version=" + encodeURIComponent(version) : "");
}

const go = (id) => location.assign(path("runs", id));

const cancel = button("Cancel", () => doing(cancel, place, () => watch.cancel()).then(() => { cancel.disabled = true; }));
const drop = button("Delete", () => confirm("Delete this run, its output and its artifacts?") && doing(drop, place, async () => {
	await call("DELETE", path("v1", "runs", id));
	location.assign("/runs");
}));
const replay = button("Replay", () => doing(replay, place, async () => go((await now("/v1/runs", await call("GET", path("v1", "runs", id, "request")))).id)));
const many = el("input", { type: "number", min: "1", max: "100", value: "1", class: "short", "aria-label": "Number of forks" });
const fork = button("Fork", () => doing(fork, place, async () => {
	const made = await call("POST", path("v1", "runs", id, "fork"), { n: Number(many.value) });
	fill(place, el("p", { class: "note", role: "status" }, made.runs.length + (made.runs.length === 1 ? " fork waits where this run does: " : " forks wait where this run does: "),
		made.runs.map((r, i) => [i > 0 && ", ", el("a", { href: path("runs", r.id) }, short(r.id))])));
}));
fork.title = many.title = "A run that waits can be forked: the forks wait where it does.";
cancel.disabled = drop.disabled = fork.disabled = many.disabled = true;

const short = (id) => cut(id, 200).replace(/^(\w+_.{8}).*$/, "$1…");

const actions = el("div", { class: "row" }, cancel, drop, replay, el("a", { class: "button", href: "/?run=" + encodeURIComponent(id) }, "Edit"), el("span", { class: "pair" }, fork, many));
add(main, el("div", { class: "title" }, el("h1", { title: id }, "Run ", el("code", {}, short(id))),
	actions),
	place, about);

const parts = [el("div", { class: "columns" },
	el("section", { class: "write", "aria-label": "Source" }, el("h2", {}, "Source"), code),
	el("section", { class: "read", "aria-label": "Output" }, el("h2", {}, "Output"), watch.node)), timeline.node];

try {
	const run = await call("GET", path("v1", "runs", id));
	script = (await load(path("v1", "runs", id, "source"), 1 << 20)).text;
	fill(about, facts(["began", time(run.created)], ["policy", el("a", { href: policyAt(run.policy) }, cut(run.policy, 60))], ["tenant", main.dataset.role !== "user" && run.tenant ? cut(run.tenant, 63) : ""],
		["session", run.session && el("a", { href: path("sessions", run.session) }, short(run.session))],
		["fork of", run.parent && el("a", { href: path("runs", run.parent) }, short(run.parent))]));
	fill(code, source(script));
	const whole = watch.run(id);
	if (run.state !== "running") await whole; // all is there at once, and nothing moves
	add(main, parts);
	await whole;
} catch (err) {
	actions.remove();
	fill(place, note(err.status === 404 ? "There is no such run, or it is another tenant's." : err.message, "bad"));
}
