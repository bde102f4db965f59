// The calls that a run waits for, each with a form that answers it.

import { now, path } from "./api.js";
import { button, cut, doing, el, field, note } from "./dom.js";

// A form has what was entered for one call; read gives the answer of the API.
function form(p) {
	const heading = el("p", {}, el("code", { class: "name" }, cut(p.name, 200)), el("span", { class: "muted small" }, " call " + p.id + ", " + cut(p.at, 100)));
	const args = el("pre", { class: "args", tabindex: "0", role: "region", "aria-label": "Arguments" }, cut(JSON.stringify(p.args, null, 2), 20000));
	const group = (...children) => el("fieldset", {}, el("legend", {}, "Call " + p.id + ": " + cut(p.name, 100)), heading, args, ...children);
	if (p.ask) {
		const why = el("input", { type: "text", maxlength: "1000", placeholder: "why, for the script" });
		const choice = (verdict, text) => el("label", { class: "choice" }, el("input", { type: "radio", name: "verdict" + p.id, value: verdict }), text);
		const node = group(note("Needs approval: " + cut(p.ask, 1000)), el("div", { class: "row" }, choice("approve", "Approve"), choice("deny", "Deny")), field("Reason of a denial", why));
		return { node, first: node.querySelector("input"), read() {
			const verdict = node.querySelector("input:checked")?.value;
			if (!verdict) throw new Error("Call " + p.id + ": choose to approve or to deny.");
			return verdict === "deny" ? { id: p.id, verdict, error: why.value || "denied" } : { id: p.id, verdict };
		} };
	}
	const kind = el("select", {}, el("option", { value: "value" }, "Value, as JSON"), el("option", { value: "error" }, "Error, as text"));
	const text = el("textarea", { rows: "3", spellcheck: "false", class: "mono" });
	return { node: group(field("Answer with", kind), field("Answer", text)), first: text, read() {
		if (kind.value === "error") return { id: p.id, error: text.value || "the call has failed" };
		try {
			return text.value.trim() === "" ? { id: p.id } : { id: p.id, value: JSON.parse(text.value) };
		} catch (err) {
			throw new Error("Call " + p.id + ": the answer is not JSON (" + err.message + "). Text needs quotes.");
		}
	} };
}

// pending is the form for all calls that a run waits for. after is told when they are answered.
export function pending(run, calls, after) {
	const forms = calls.slice(0, 100).map(form);
	const place = el("div", {});
	const send = button("Answer", () => doing(send, place, async () => {
		await now(path("v1", "runs", run, "answers"), { answers: forms.map((f) => f.read()) });
		after();
	}), "main");
	const node = el("section", { class: "waiting", "aria-label": "Calls that wait" }, el("h2", {}, calls.length === 1 ? "A call waits" : calls.length + " calls wait"), forms.map((f) => f.node), place, el("div", { class: "row" }, send));
	return { node, focus: () => forms[0]?.first.focus() };
}
