// The playground: write a script, choose a policy, run it, and see what comes.

import { call, now, optional, path } from "./api.js";
import { add, button, cut, doing, el, field, main, note } from "./dom.js";
import { Editor } from "./editor.js";
import { places } from "./source.js";
import { Watch } from "./watch.js";

const example = `names := []string{"sand", "trap"}
for i, n := range names {
	fmt.Println(i, n)
}
`;

const kept = "playground"; // in the storage of this tab

const editor = new Editor(() => run());
const policy = el("select", {}, el("option", { value: "default" }, "default"));
const inputs = el("textarea", { rows: "3", class: "mono", spellcheck: "false", placeholder: '{"n": 21}' });
const tools = el("textarea", { rows: "4", class: "mono", spellcheck: "false", placeholder: "package tools\n\nfunc Search(query string) ([]string, error)" });
const timeout = el("input", { type: "number", min: "1", max: "600", step: "1", placeholder: "default", class: "short" });
const place = el("div", {});
const watch = new Watch((state, result) => {
	stop.disabled = state !== "running" && state !== "pending";
	if (result?.error) editor.mark([...places(result.error).keys()]);
});
const start = button("Run", () => run(), "main");
const stop = button("Cancel", () => doing(stop, place, () => watch.cancel()));
stop.disabled = true;

function request() {
	const q = { code: editor.value, policy: policy.value };
	if (inputs.value.trim()) {
		try { q.inputs = JSON.parse(inputs.value); } catch (err) {
			throw new Error("The inputs are not JSON: " + err.message);
		}
		if (typeof q.inputs !== "object" || q.inputs === null || Array.isArray(q.inputs)) throw new Error('The inputs are not an object of names and values, such as {"n": 21}.');
	}
	if (tools.value.trim()) q.tools = tools.value;
	if (timeout.value) q.timeout_ms = Math.round(1000 * Number(timeout.value));
	return q;
}

function run() {
	doing(start, place, async () => {
		keep();
		editor.mark([]);
		watch.clear();
		const run = await now("/v1/runs", request());
		watch.run(run.id, el("a", { href: path("runs", run.id) }, "Open the run"));
	});
}

function keep() {
	sessionStorage.setItem(kept, JSON.stringify({ code: editor.value, policy: policy.value, inputs: inputs.value, tools: tools.value, timeout: timeout.value }));
}

function set(from) {
	editor.value = from.code ?? example;
	inputs.value = from.inputs ?? "";
	tools.value = from.tools ?? "";
	timeout.value = from.timeout ?? "";
	more.open = Boolean(inputs.value || tools.value);
	if (from.policy) choose(from.policy);
}

function choose(name) {
	if (![...policy.options].some((o) => o.value === name)) policy.append(el("option", { value: name }, cut(name, 60)));
	policy.value = name;
}

async function policies() {
	const list = await optional(call("GET", "/v1/policies"));
	const chosen = policy.value;
	for (const p of list?.policies ?? []) {
		if (![...policy.options].some((o) => o.value === p.name)) policy.append(el("option", { value: p.name }, cut(p.name, 60)));
	}
	policy.value = chosen;
}

async function from(id) {
	const q = await call("GET", path("v1", "runs", id, "request"));
	set({ code: q.code, policy: q.policy || "default", inputs: q.inputs ? JSON.stringify(q.inputs, null, 2) : "", tools: q.tools, timeout: q.timeout_ms ? q.timeout_ms / 1000 : "" });
}

const more = el("details", { class: "more" }, el("summary", {}, "Inputs and tools"),
	field("Inputs, an object of JSON", inputs),
	field("Tools, Go declarations", tools, "A call of one waits until it is answered."));

add(main, el("h1", { class: "hidden" }, "Playground"),
	el("div", { class: "columns" },
		el("section", { class: "write", "aria-label": "Script" },
			el("div", { class: "row tools" }, start, stop, el("label", { class: "inline" }, "Policy ", policy), el("label", { class: "inline" }, "Timeout, s ", timeout)),
			editor.node,
			el("p", { class: "muted small", id: "keys" }, "Ctrl+Enter runs. Tab writes a tab; Escape and then Tab leaves the editor."),
			more, place),
		el("section", { class: "read", "aria-label": "Run" }, watch.node)));
watch.state("");

addEventListener("pagehide", keep);
const origin = new URLSearchParams(location.search).get("run");
try {
	set(JSON.parse(sessionStorage.getItem(kept)) ?? {});
} catch {
	set({});
}
try {
	if (origin) {
		await from(origin);
		history.replaceState(null, "", "/");
	}
	await policies();
} catch (err) {
	place.append(note(err.message, "bad"));
}
