// An editor of source: a textarea with line numbers beside it. Ctrl+Enter runs; Tab writes a tab, but after Escape it leaves.

import { el } from "./dom.js";

export class Editor {
	constructor(run) {
		this.run = run;
		this.marks = new Set();
		this.numbers = el("div", { class: "numbers", "aria-hidden": "true" });
		this.band = el("div", { class: "bands", "aria-hidden": "true" });
		this.area = el("textarea", {
			id: "code", wrap: "off", spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-label": "Go source", "aria-describedby": "keys",
			on: { input: () => this.changed(), scroll: () => this.scroll(), keydown: (e) => this.key(e), blur: () => { this.leaves = false; } },
		});
		this.node = el("div", { class: "editor" }, this.numbers, el("div", { class: "area" }, this.band, this.area));
		this.changed();
	}

	get value() { return this.area.value; }

	set value(text) {
		this.area.value = text;
		this.mark([]);
	}

	changed() {
		const n = this.area.value.split("\n").length;
		if (n !== this.count || this.marks.size > 0) {
			this.count = n;
			this.marks = new Set();
			this.draw();
		}
	}

	// mark marks lines, until the text changes, and shows the first one.
	mark(lines) {
		this.marks = new Set(lines);
		this.count = this.area.value.split("\n").length;
		this.draw();
		if (lines.length > 0) {
			const height = parseFloat(getComputedStyle(this.area).lineHeight);
			const top = (lines[0] - 1) * height;
			if (top < this.area.scrollTop || top > this.area.scrollTop + this.area.clientHeight - 2 * height) this.area.scrollTop = top - this.area.clientHeight / 2;
		}
	}

	draw() {
		const numbers = [], bands = [];
		for (let i = 1; i <= Math.min(this.count, 20000); i++) {
			numbers.push(el("span", { class: this.marks.has(i) ? "marked" : undefined }, i));
		}
		for (const line of this.marks) {
			const band = el("div", {});
			band.style.top = "calc(var(--line) * " + (line - 1) + ")";
			bands.push(band);
		}
		this.numbers.replaceChildren(el("div", {}, numbers));
		this.band.replaceChildren(el("div", {}, bands));
		this.scroll();
	}

	scroll() {
		const up = "translateY(" + -this.area.scrollTop + "px)";
		this.numbers.firstElementChild.style.transform = up;
		this.band.firstElementChild.style.transform = up;
	}

	key(e) {
		if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) {
			e.preventDefault();
			this.run();
		} else if (e.key === "Escape") {
			this.leaves = true;
		} else if (e.key === "Tab" && !e.shiftKey && !this.leaves) {
			e.preventDefault();
			this.insert("\t");
		} else if (e.key === "Enter" && !e.shiftKey && !e.isComposing) {
			const before = this.area.value.slice(0, this.area.selectionStart);
			const indent = /[^\n]*$/.exec(before)[0].match(/^[\t ]*/)[0] + (/[{(]\s*$/.test(before) ? "\t" : "");
			if (indent) {
				e.preventDefault();
				this.insert("\n" + indent);
			}
		}
	}

	// insert writes text as if it were typed: the browser can undo it.
	insert(text) {
		if (!document.execCommand("insertText", false, text)) {
			this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
			this.changed();
		}
	}
}
