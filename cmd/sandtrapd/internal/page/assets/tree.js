// Values of JSON whose fields this page does not know one by one, as names with values.

import { cut, el } from "./dom.js";
import { bytes, count } from "./format.js";

const words = (name) => cut(name, 80).replaceAll("_", " ");

function one(name, v) {
	if (v === null || v === undefined) return "";
	if (typeof v === "boolean") return v ? "yes" : "no";
	if (typeof v === "number") return /bytes$|^size$|memory/.test(name) ? bytes(v) : count(v);
	return cut(v, 4000);
}

const flat = (v) => v === null || typeof v !== "object";

// tree shows a value, to a bounded depth.
export function tree(v, name = "", depth = 0) {
	if (flat(v)) return el("span", {}, one(name, v));
	if (depth > 6) return el("code", {}, cut(JSON.stringify(v), 2000));
	if (Array.isArray(v)) {
		if (v.length === 0) return el("span", { class: "muted" }, "none");
		if (v.every(flat)) return el("ul", { class: "words" }, v.slice(0, 500).map((i) => el("li", {}, one(name, i))));
		return v.slice(0, 200).every((i) => !flat(i) && !Array.isArray(i)) ? table(v, depth) : el("ul", { class: "plain" }, v.slice(0, 200).map((i) => el("li", {}, tree(i, name, depth + 1))));
	}
	if (depth > 0 && Object.values(v).every(flat)) return el("span", {}, Object.entries(v).slice(0, 50).map(([k, i]) => words(k) + " " + one(k, i)).join(", "));
	return el("dl", { class: "tree" }, Object.entries(v).slice(0, 200).map(([k, i]) => el("div", { class: flat(i) ? undefined : "deep" }, el("dt", {}, words(k)), el("dd", {}, tree(i, k, depth + 1)))));
}

// cell is nothing for what is empty.
function cell(v, name, depth) {
	if (v === "missing") return el("strong", { class: "bad" }, v);
	return flat(v) ? one(name, v) || null : tree(v, name, depth + 1);
}

// table shows a list of objects, with the columns that are in use.
export function table(list, depth = 0) {
	list = list.slice(0, 200).filter((o) => o !== null && typeof o === "object");
	const names = [...new Set(list.flatMap((o) => Object.keys(o).filter((n) => o[n] !== "")))].slice(0, 12);
	return el("table", { class: "list" }, el("thead", {}, el("tr", {}, names.map((n) => el("th", { scope: "col" }, words(n))))),
		el("tbody", {}, list.map((o) => el("tr", {}, names.map((n) => el("td", { data: { label: words(n) } }, cell(o[n], n, depth)))))));
}
