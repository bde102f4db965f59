// One session: run cells in it, see its variables, and its files.

import { call, now, optional, path, put } from "./api.js";
import { add, button, cut, doing, el, field, fill, main, note } from "./dom.js";
import { Editor } from "./editor.js";
import { bytes, time } from "./format.js";
import { facts, sessionState } from "./result.js";
import { places } from "./source.js";
import { Watch } from "./watch.js";

const id = main.dataset.id;
const at = (...parts) => path("v1", "sessions", id, ...parts);
const fileAt = (name) => at("files", ...name.split("/").filter((p) => p !== "" && p !== "." && p !== ".."));
const place = el("div", {}), about = el("div", {}), variables = el("div", {}), files = el("div", {});
const title = el("h1", {}, "Session");

const editor = new Editor(() => run());
const watch = new Watch((state, result) => {
	if (result?.error) editor.mark([...places(result.error).keys()]);
	if (state !== "running") refresh().catch(fail);
});
const start = button("Run", () => run(), "main");

function run() {
	doing(start, place, async () => {
		editor.mark([]);
		watch.clear();
		const begun = await now("/v1/runs", { code: editor.value, session: id });
		watch.run(begun.id, el("a", { href: path("runs", begun.id) }, "Open the run"));
	});
}

const save = button("Save", () => doing(save, place, async () => {
	const made = await call("POST", at("save"), {});
	fill(place, el("p", { class: "note", role: "status" }, "Saved as ", el("code", {}, cut(made.snapshot, 100)), "."));
}));
const fork = button("Fork", () => doing(fork, place, async () => {
	await call("POST", at("fork"), { n: 1 });
	location.assign("/sessions");
}));
let sure = false;
const remove = button("Delete", () => doing(remove, place, async () => {
	if (!sure) {
		sure = true;
		remove.textContent = "Delete it, with its files";
		setTimeout(() => { sure = false; remove.textContent = "Delete"; }, 5000);
		return;
	}
	await call("DELETE", at());
	location.assign("/sessions");
}));

const upload = el("input", { type: "file", on: { change: async () => {
	const [file] = upload.files;
	if (!file) return;
	try {
		await put(fileAt(file.name), file);
		upload.value = "";
		await refresh();
	} catch (err) { fail(err); }
} } });

const fail = (err) => fill(place, note(err.message, "bad"));

async function refresh() {
	const [s, list] = await Promise.all([call("GET", at()), optional(call("GET", at("files")))]);
	title.textContent = "";
	add(title, "Session ", cut(s.name || s.id, 100));
	fill(about, facts(["state", sessionState(s)], ["policy", cut(s.policy ?? "", 40)], ["created", time(s.created)], ["used", time(s.used)], ["size", bytes(s.bytes)]));
	const vars = (s.variables ?? []).slice(0, 500);
	fill(variables, vars.length === 0 ? el("p", { class: "muted" }, "None yet.") : el("table", { class: "list" },
		el("thead", {}, el("tr", {}, ["Name", "Kind", "Type"].map((t) => el("th", { scope: "col" }, t)))),
		el("tbody", {}, vars.map((v) => el("tr", {}, el("th", { scope: "row", class: "head" }, el("code", {}, cut(v.name, 100))), el("td", { data: { label: "Kind" } }, cut(v.kind ?? "", 30)),
			el("td", { data: { label: "Type" } }, el("code", {}, cut(v.type ?? "", 300))))))));
	showFiles(list);
}

function showFiles(list) {
	if (!list) {
		fill(files, note("This server keeps no files of sessions."));
		return;
	}
	const rows = (list.files ?? []).slice(0, 1000);
	fill(files, rows.length === 0 ? el("p", { class: "muted" }, "None yet.") : el("table", { class: "list" },
		el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Path"), el("th", { scope: "col", class: "num" }, "Size"), el("th", { scope: "col", class: "num" }, "Changed"), el("th", { scope: "col" }, el("span", { class: "hidden" }, "Delete")))),
		el("tbody", {}, rows.map((f) => {
			const drop = button("Delete", () => doing(drop, place, async () => { await call("DELETE", fileAt(f.path)); await refresh(); }), "link");
			drop.setAttribute("aria-label", "Delete " + cut(f.path, 200));
			return el("tr", {}, el("th", { scope: "row", class: "head" }, el("a", { href: fileAt(f.path), download: f.path.split("/").pop() }, cut(f.path, 300))),
				el("td", { class: "num", data: { label: "Size" } }, bytes(f.size)), el("td", { class: "num", data: { label: "Changed" } }, time(f.modified)), el("td", { class: "num" }, drop));
		}))));
}

try {
	const s = await optional(call("GET", at()));
	if (!s) {
		add(main, el("h1", {}, "Session"), note("There is no such session, or this server has none."));
	} else {
		watch.state("");
		await refresh(); // before the page has anything that it could move
		add(main, el("div", { class: "title" }, title, el("div", { class: "row" }, save, fork, remove)), place, about,
			el("div", { class: "columns" }, el("section", { class: "write", "aria-label": "Cell" }, el("div", { class: "row tools" }, start), editor.node,
				el("p", { class: "muted small", id: "keys" }, "Ctrl+Enter runs. Tab writes a tab; Escape and then Tab leaves the editor.")),
				el("section", { class: "read", "aria-label": "Run" }, watch.node)),
			el("div", { class: "columns" }, el("section", {}, el("h2", {}, "Variables"), variables),
				el("section", {}, el("h2", {}, "Files"), files, field("Upload a file", upload))));
	}
} catch (err) {
	add(main, place);
	fail(err);
}
