// The output of a run as it comes: a bounded part of it is in the page.

import { el, plain } from "./dom.js";

const most = 200000; // characters

export class Output {
	constructor(label) {
		this.cut = el("p", { class: "muted small", hidden: true }, "Earlier output is not shown here.");
		this.text = el("pre", { class: "output", tabindex: "0", role: "region", "aria-label": label ?? "Output" });
		this.node = el("div", {}, this.cut, this.text);
		this.clear();
	}

	clear() {
		this.text.replaceChildren();
		this.cut.hidden = true;
		this.size = this.lines = 0;
		clearTimeout(this.timer);
		this.timer = undefined;
		this.waiting = [];
		this.waits = 0;
	}

	add(kind, text) {
		if (text.length > most) {
			text = text.slice(-most);
			this.cut.hidden = false;
		}
		this.waiting.push([kind, text]);
		this.waits += text.length;
		while (this.waits > most && this.waiting.length > 1) {
			this.waits -= this.waiting.shift()[1].length;
			this.cut.hidden = false;
		}
		if (!this.timer) this.timer = setTimeout(() => this.flush(), 30);
	}

	// flush shows what has come since the last time.
	flush() {
		clearTimeout(this.timer);
		this.timer = undefined;
		const end = this.text.scrollHeight - this.text.scrollTop - this.text.clientHeight < 40;
		for (const [kind, text] of this.waiting) {
			const shown = plain(text);
			const last = this.text.lastElementChild;
			if (last && last.className === kind && last.textContent.length < 20000) last.append(shown);
			else this.text.append(el("span", { class: kind }, shown));
			this.size += shown.length;
		}
		this.waiting = [];
		this.waits = 0;
		while (this.size > most && this.text.childElementCount > 1) {
			this.size -= this.text.firstElementChild.textContent.length;
			this.text.firstElementChild.remove();
			this.cut.hidden = false;
		}
		if (end) this.text.scrollTop = this.text.scrollHeight;
	}

	gap(n) {
		this.add("stderr", "[" + n + " events are not kept any more]\n");
	}
}
