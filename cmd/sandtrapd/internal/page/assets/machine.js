// The machine: workers, queue and layers of isolation, as the server says.

import { call, optional } from "./api.js";
import { add, el, fill, main, note } from "./dom.js";
import { tree } from "./tree.js";

const every = 5000; // ms between two looks
const place = el("div", {});
let before = "";

add(main, el("div", { class: "title" }, el("h1", {}, "Machine")), place);

async function look() {
	try {
		const m = await optional(call("GET", "/v1/machine"));
		const text = JSON.stringify(m);
		if (m === undefined) {
			fill(place, note("This server does not tell of its machine: it does not answer at /v1/machine."));
			return;
		}
		if (text !== before) fill(place, el("div", { class: "machine" }, tree(m)));
		before = text;
	} catch (err) {
		before = "";
		fill(place, note(err.message, "bad"));
	}
	setTimeout(() => document.hidden ? addEventListener("visibilitychange", look, { once: true }) : look(), every);
}
look();
