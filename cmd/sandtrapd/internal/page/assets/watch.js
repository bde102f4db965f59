// A run as it goes on: output, calls that wait, and its end. The playground, a session and the page of a run show it.

import { call, follow, path } from "./api.js";
import { el, fill, note, say } from "./dom.js";
import { Output } from "./output.js";
import { pending } from "./pending.js";
import { badge, figures, result } from "./result.js";

export class Watch {
	// changed is told of each new state, with the result once there is one; timeline may be undefined.
	constructor(changed, timeline) {
		this.changed = changed ?? (() => {});
		this.timeline = timeline;
		this.output = new Output();
		this.head = el("div", { class: "watch-head" });
		this.waits = el("div", {});
		this.end = el("div", {});
		this.node = el("div", { class: "watch" }, this.head, this.waits, this.output.node, this.end);
		this.state("", "");
	}

	stop() {
		this.abort?.abort();
	}

	// state shows a state, with figures.
	state(state, result, ...more) {
		fill(this.head, state ? badge(state) : el("span", { class: "muted" }, "nothing has run yet"), result && figures(result), more);
	}

	clear() {
		this.stop();
		this.output.clear();
		this.said = { stdout: 0, stderr: 0 };
		this.timeline?.clear();
		fill(this.waits);
		fill(this.end);
		this.state("");
	}

	// run shows a run from its beginning.
	async run(id, ...more) {
		this.clear();
		this.id = id;
		this.more = more;
		this.after = 0;
		await this.go();
	}

	async go(focus) {
		const abort = this.abort = new AbortController();
		fill(this.waits);
		this.state("running", undefined, this.more);
		this.changed("running");
		let calls, ended, run;
		try {
			this.after = await follow(this.id, this.after, abort.signal, (kind, data) => {
				this.timeline?.add(kind, data);
				if (kind === "stdout" || kind === "stderr") this.heard(kind, data.text ?? "");
				else if (kind === "gap" && data.events > 0) this.output.gap(data.events);
				else if (kind === "pause") calls = data.pending ?? [];
				else if (kind === "resume") calls = undefined;
				else if (kind === "result") ended = data;
			});
		} catch (err) {
			fill(this.end, note(err.message, "bad"));
			return;
		}
		if (abort.signal.aborted) return;
		if (!ended) { // a run that was cancelled while it waited has no event of its end
			run = await call("GET", path("v1", "runs", this.id));
			if (run.state !== "pending" && run.state !== "running") ended = { state: run.state, result: run.result };
		}
		this.complete(ended?.result ?? run?.result);
		if (ended) this.ended(ended);
		else if (calls) this.pause(calls, focus);
	}

	heard(kind, text) {
		this.said[kind] += text.length;
		this.output.add(kind, text);
	}

	// complete shows the output of a result, if some of it did not come as events.
	complete(result) {
		if (["stdout", "stderr"].some((kind) => (result?.[kind] ?? "").length > this.said[kind])) {
			this.output.clear();
			for (const kind of ["stderr", "stdout"]) {
				this.said[kind] = result[kind].length;
				this.output.add(kind, result[kind]);
			}
		}
		this.output.flush();
	}

	pause(calls, focus) {
		const form = pending(this.id, calls, () => this.go(true));
		fill(this.waits, form.node);
		this.state("pending", undefined, this.more);
		this.changed("pending");
		say(calls.length === 1 ? "A call waits for its answer." : calls.length + " calls wait for answers.");
		if (focus) form.focus();
	}

	ended(data) {
		fill(this.end, result(this.id, data.result));
		this.state(data.state, data.result, this.more);
		this.changed(data.state, data.result);
		const e = data.result?.error;
		say("The run is " + data.state + "." + (e ? (e.line > 0 ? " Line " + e.line + ": " : " ") + e.message : ""));
	}

	async cancel() {
		await call("POST", path("v1", "runs", this.id, "cancel"));
		this.stop();
		await this.go();
	}
}
