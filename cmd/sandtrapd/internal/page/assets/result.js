// The result of a run: its error, the values of bare expressions and of a return, files, warnings and figures.

import { text as load, path, Problem } from "./api.js";
import { el, add, cut, fill, button, note } from "./dom.js";
import { bytes, count, duration } from "./format.js";
import { explain } from "./source.js";

const states = new Set(["running", "pending", "done", "failed", "cancelled"]);

export const badge = (state) => el("span", { class: "state " + (states.has(state) ? state : "") }, cut(state, 20));

// sessionState is the state of a session, which leads to the run that waits.
export const sessionState = (s) => s.waits ? el("a", { href: path("runs", s.waits) }, "waits for an answer") : cut(s.state ?? "", 20);

// facts are names with values, those that are empty left out.
export function facts(...pairs) {
	return el("dl", { class: "facts" }, pairs.filter(([, value]) => value !== "" && value !== undefined && value !== null)
		.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

export const figures = (r) => facts(["time", duration(r.duration_ms)], ["peak memory", bytes(r.peak_bytes)], ["ticks", count(r.ticks)]);

const list = (title, items) => items?.length > 0 && el("section", {}, el("h3", {}, title), el("ul", { class: "plain" }, items.slice(0, 100).map((i) => el("li", {}, cut(i, 2000)))));

// artifact shows a file that a run has left. A picture is loaded as an image, in which no script runs.
function artifact(run, a) {
	const from = path("v1", "runs", run, "artifacts", a.name);
	const node = el("figure", { class: "artifact" }, el("figcaption", {}, el("a", { href: from, download: a.name.split("/").pop(), rel: "noreferrer" }, cut(a.name, 200)),
		el("span", { class: "muted small" }, " " + cut(a.media_type, 60) + ", " + bytes(a.size))));
	if (/^image\/(png|jpeg|gif|webp|svg\+xml|avif|bmp)\b/.test(a.media_type)) {
		node.append(el("img", { src: from, alt: "Picture " + cut(a.name, 100), loading: "lazy" }));
	} else if (/^(text\/|application\/json)/.test(a.media_type)) {
		const place = el("div", {});
		const show = button("Show", async () => {
			try {
				const { text, whole } = await load(from, 100000);
				fill(place, el("pre", { class: "output", tabindex: "0" }, text), !whole && el("p", { class: "muted small" }, "Only the first 100 kB are shown."));
				show.remove();
			} catch (err) {
				if (!(err instanceof Problem)) throw err;
				fill(place, note(err.message, "bad"));
			}
		});
		node.append(show, place);
	}
	return node;
}

// returned shows the value of a return at the end of a script.
const returned = (vars, types) => Object.hasOwn(vars, "result") && el("section", {}, el("h3", {}, "Result"),
	el("p", {}, el("code", {}, cut(JSON.stringify(vars.result), 2000)), el("span", { class: "muted small" }, " " + cut(types.result ?? "", 100))));

function variables(list, types) {
	return list.length > 0 && el("details", { class: "more" }, el("summary", {}, list.length + (list.length === 1 ? " variable" : " variables")),
		el("dl", { class: "tree" }, list.slice(0, 200).map(([name, v]) => el("div", {}, el("dt", {}, el("code", {}, cut(name, 60)), " ", cut(types[name] ?? "", 100)),
			el("dd", {}, el("code", {}, cut(JSON.stringify(v), 1000)))))));
}

// result shows what is in the object of a run, but for its output.
export function result(run, r) {
	const node = el("div", { class: "result" });
	if (!r) return node;
	add(node,
		r.error && el("div", {}, explain(r.error), (r.error.more ?? []).slice(0, 20).map((e) => explain(e))),
		r.echo?.length > 0 && el("section", {}, el("h3", {}, "Values"), el("ul", { class: "plain" },
			r.echo.slice(0, 100).map((e) => el("li", {}, el("code", {}, cut(e.text, 2000)), el("span", { class: "muted small" }, " " + cut(e.type, 100)))))),
		!r.error && returned(r.vars ?? {}, r.types ?? {}),
		r.artifacts?.length > 0 && el("section", {}, el("h3", {}, "Files"), r.artifacts.slice(0, 50).map((a) => artifact(run, a))),
		list("Warnings", r.warnings), list("Reminders", r.reminders),
		list("Refused", (r.refused ?? []).map((d) => d.member + ": " + d.reason + (d.hint ? " (" + d.hint + ")" : ""))),
		variables(Object.entries(r.vars ?? {}), r.types ?? {}));
	return node;
}
