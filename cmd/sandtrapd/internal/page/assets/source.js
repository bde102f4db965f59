// Source with line numbers, and the lines of an error marked.

import { el, cut } from "./dom.js";

const most = 5000; // lines

// places are the lines of an error and of those beside it, with the error of each.
export function places(error) {
	const list = new Map();
	for (const e of error ? [error, ...(error.more ?? [])] : []) {
		if (e.line > 0 && (!e.file || e.file === "script.go") && !list.has(e.line)) list.set(e.line, e);
	}
	return list;
}

// explain is an error in words: where, what, and what to do.
export function explain(error, brief) {
	const where = error.line > 0 ? (error.file && error.file !== "script.go" ? error.file + ":" : "line ") + error.line + (error.column > 0 ? ":" + error.column : "") : "";
	return el("div", { class: "error" },
		el("p", {}, !brief && where && el("span", { class: "where" }, where), el("strong", {}, error.kind), " ", cut(error.message, 4000)),
		error.hint && el("p", { class: "hint" }, "Hint: " + cut(error.hint, 2000)),
		!brief && error.stack?.length > 1 && el("details", {}, el("summary", {}, "Stack"),
			el("pre", {}, error.stack.slice(0, 50).map((f) => f.func + "  " + (f.file ?? "") + ":" + f.line + "\n").join(""))));
}

// source shows a script. The pre is one stop for the keyboard, which scrolls it.
export function source(text, error) {
	const marked = places(error);
	const lines = text.split("\n");
	const node = el("div", { class: "code", tabindex: "0", role: "region", "aria-label": "Source" });
	lines.slice(0, most).forEach((line, i) => {
		const e = marked.get(i + 1);
		node.append(el("div", { class: e ? "line marked" : "line", "data": { line: i + 1 } }, el("span", { class: "number", "aria-hidden": "true" }, i + 1), el("code", {}, cut(line, 5000) || " ")));
		if (e) node.append(el("div", { class: "remark" }, explain(e, true)));
	});
	if (lines.length > most) node.append(el("p", { class: "muted" }, lines.length - most + " more lines are not shown."));
	return node;
}
