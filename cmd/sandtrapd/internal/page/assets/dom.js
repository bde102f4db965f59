// Elements are made here, and nowhere from HTML: all text of scripts, tools and tenants becomes text nodes.

const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

// plain is text whose control characters can be seen: those that turn the direction of writing would have it read as something else.
export function plain(text) {
	return String(text).replace(/\r\n/g, "\n").replace(hidden, (c) => {
		const code = c.codePointAt(0);
		if (code < 0x20) return String.fromCodePoint(0x2400 + code);
		return "⟨U+" + code.toString(16).toUpperCase().padStart(4, "0") + "⟩";
	});
}

// cut is plain text of at most n characters.
export function cut(text, n) {
	text = String(text);
	return plain(text.length > n ? text.slice(0, n) + "…" : text);
}

const addresses = new Set(["href", "src", "action"]);

// el makes an element. Properties: class, on (listeners), data, and attributes by their names; children are nodes and text.
export function el(tag, props, ...children) {
	const e = document.createElement(tag);
	for (const [name, value] of Object.entries(props ?? {})) {
		if (value === undefined || value === null || value === false) continue;
		if (name === "class") e.className = value;
		else if (name === "on") for (const [type, f] of Object.entries(value)) e.addEventListener(type, f);
		else if (name === "data") Object.assign(e.dataset, value);
		else if (addresses.has(name) && !/^\/(?![\/\\])/.test(value)) throw new Error("not an address of this server: " + value);
		else if (name.startsWith("on")) throw new Error("a listener as text: " + name);
		else e.setAttribute(name, value === true ? "" : value);
	}
	add(e, children);
	return e;
}

export function add(parent, ...children) {
	for (const c of children.flat(Infinity)) {
		if (c === undefined || c === null || c === false) continue;
		parent.append(c instanceof Node ? c : plain(c));
	}
	return parent;
}

export function fill(parent, ...children) {
	parent.replaceChildren();
	return add(parent, ...children);
}

export const main = document.getElementById("main");

// say tells a screen reader one thing, in place of what it was told before.
export function say(text) {
	const status = document.getElementById("status");
	if (status) status.textContent = plain(text);
}

// field is a control with its label.
export function field(label, control, hint) {
	const id = control.id || (control.id = "f" + Math.random().toString(36).slice(2));
	const note = hint && el("span", { class: "muted small", id: id + "-hint" }, hint);
	if (note) control.setAttribute("aria-describedby", note.id);
	return el("div", { class: "field" }, el("label", { for: id }, label), control, note);
}

export function button(text, onclick, kind) {
	return el("button", { type: "button", class: kind, on: { click: onclick } }, text);
}

export function note(text, kind) {
	return el("p", { class: "note " + (kind ?? ""), role: kind === "bad" ? "alert" : undefined }, text);
}

// doing runs an action of a button, which cannot be pressed meanwhile, and shows its error in a place.
export async function doing(pressed, place, action) {
	if (pressed.disabled) return;
	pressed.disabled = true;
	fill(place);
	try {
		await action();
	} catch (err) {
		fill(place, note(err.message, "bad"));
	} finally {
		pressed.disabled = false;
	}
}
