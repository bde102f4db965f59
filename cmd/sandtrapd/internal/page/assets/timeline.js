// The events of a run on a line of time. Output is summed up, so that a script that prints much does not fill it.

import { cut, el } from "./dom.js";
import { bytes, duration } from "./format.js";

const most = 400; // entries

export class Timeline {
	constructor() {
		this.list = el("ol", { class: "timeline" });
		this.node = el("section", { class: "times", "aria-label": "Time line" }, el("h2", {}, "Time line"), this.list);
		this.clear();
	}

	clear() {
		this.list.replaceChildren();
		this.entries = [];
		this.first = undefined;
		this.last = undefined;
	}

	add(kind, data) {
		const at = data.time ?? this.last;
		this.first ??= at;
		this.last = at;
		const before = this.entries.at(-1);
		if (kind === "stdout" || kind === "stderr") {
			const size = new Blob([data.text ?? ""]).size;
			if (before?.kind === kind) {
				before.size += size;
				before.end = at;
				before.text.textContent = bytes(before.size);
			} else this.push({ kind, at, end: at, size }, bytes(size));
		} else if (kind === "call" && data.phase === "end") this.ended(data, at);
		else this.push({ kind, at, end: at, sequence: data.phase === "begin" ? data.sequence : undefined }, words(kind, data), data);
		if (!this.timer) this.timer = setTimeout(() => this.place(), 50);
	}

	// ended completes the entry of a call.
	ended(data, at) {
		const begun = this.entries.findLast((e) => e.sequence !== undefined && e.sequence === data.sequence);
		if (!begun) return;
		begun.end = at;
		const size = data.received > 0 && bytes(data.received);
		begun.text.append(el("span", { class: data.error ? "bad" : "muted" }, [duration(data.duration_ms ?? at - begun.at), data.status, size, data.error && cut(data.error, 300)].filter(Boolean).map(String).join(" · ")));
	}

	push(entry, text, data) {
		if (this.entries.length >= most) return;
		entry.bar = el("span", { class: "mark" });
		entry.text = el("span", { class: "what" }, text);
		entry.when = el("span", { class: "when" }, "");
		entry.node = el("li", { class: "event " + entry.kind.replace(/[^a-z]/g, "") }, entry.when, el("span", { class: "kind" }, cut(entry.kind, 20)), entry.text,
			el("span", { class: "track", "aria-hidden": "true" }, entry.bar));
		if (data?.args) entry.text.append(el("code", { class: "small" }, cut(JSON.stringify(data.args), 300)));
		this.entries.push(entry);
		this.list.append(entry.node);
	}

	// place puts each mark where its time is between the first event and the last one.
	place() {
		this.timer = undefined;
		const span = Math.max(this.last - this.first, 1);
		for (const e of this.entries) {
			e.when.textContent = "+" + duration(Math.max(0, e.at - this.first));
			e.bar.style.left = Math.max(0, Math.min(98, 100 * (e.at - this.first) / span)) + "%";
			e.bar.style.width = Math.max(0, Math.min(100, 100 * (e.end - e.at) / span)) + "%";
		}
	}
}

// words say what an event was.
function words(kind, data) {
	switch (kind) {
	case "start": return "policy " + cut(data.policy, 60);
	case "call": case "decision":
		return [data.decision, data.member ?? data.name, data.code, data.ask ?? data.reason, data.rule && "rule " + data.rule, data.by && "by " + data.by]
			.filter((p) => typeof p === "string" && p !== "").map((p) => cut(p, 200)).join(" · ") + " ";
	case "pause": return (data.pending?.length ?? 0) === 1 ? "1 call waits" : (data.pending?.length ?? 0) + " calls wait";
	case "resume": return (data.answers ?? 0) === 1 ? "1 answer" : (data.answers ?? 0) + " answers";
	case "gap": return data.events > 0 ? data.events + " events are not kept any more" : cut("more " + (data.of ?? "events") + " are in the record", 200);
	case "result": return cut(data.state ?? "", 20) + (data.result?.error ? " · " + cut(data.result.error.kind, 40) : "");
	}
	return "";
}
