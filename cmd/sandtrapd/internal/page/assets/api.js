// The API of the server, with the cookie of the login.

// A Problem is an error that the server has told of.
export class Problem extends Error {
	constructor(status, code, detail) {
		super(detail);
		this.status = status;
		this.code = code;
	}
}

async function problem(response) {
	if (response.status === 401) {
		location.assign("/login?next=" + encodeURIComponent(location.pathname + location.search));
	}
	let body = {};
	try { body = await response.json(); } catch { /* not from the server itself */ }
	return new Problem(response.status, body.code ?? "", body.detail || "The server answered " + response.status + ".");
}

async function send(method, path, options) {
	let response;
	try {
		response = await fetch(path, { method, credentials: "same-origin", cache: "no-store", redirect: "error", ...options });
	} catch (err) {
		if (err.name === "AbortError") throw err;
		throw new Problem(0, "offline", "The server cannot be reached.");
	}
	if (!response.ok) throw await problem(response);
	return response;
}

// call makes a request whose response is JSON, or empty.
export async function call(method, path, body, headers) {
	const options = { headers: { Accept: "application/json", ...headers } };
	if (body !== undefined) {
		options.headers["Content-Type"] = "application/json";
		options.body = JSON.stringify(body);
	}
	const text = await (await send(method, path, options)).text();
	return text ? JSON.parse(text) : null;
}

// now makes a request whose response does not wait for the end of a run.
export const now = (path, body) => call("POST", path, body, { Prefer: "respond-async" });

// text is the first n bytes of a response.
export async function text(path, n) {
	const reader = (await send("GET", path, {})).body.getReader();
	const decoder = new TextDecoder();
	let out = "", size = 0;
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return { text: out + decoder.decode(), whole: true };
		const part = value.subarray(0, n - size);
		size += part.length;
		out += decoder.decode(part, { stream: true });
		if (size >= n) {
			reader.cancel();
			return { text: out, whole: false };
		}
	}
}

export const put = (path, body) => send("PUT", path, { body });

// path joins parts of an address, each of which may have any characters.
export const path = (...parts) => "/" + parts.map(encodeURIComponent).join("/");

// events reads one stream of events, and gives each to a function. It returns the ID of the last one.
async function events(run, after, signal, each) {
	const response = await send("GET", path("v1", "runs", run, "events") + "?after=" + after, { headers: { Accept: "text/event-stream" }, signal });
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	let rest = "", event = {};
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return after;
		const lines = (rest + value).split("\n");
		rest = lines.pop();
		for (const line of lines) {
			if (line === "") {
				if (event.event) {
					after = Number(event.id ?? after);
					each(event.event, parse(event.data), after);
				}
				event = {};
				continue;
			}
			const at = line.indexOf(": ");
			if (at > 0) event[line.slice(0, at)] = line.slice(at + 2);
		}
	}
}

function parse(data) {
	try { return JSON.parse(data) ?? {}; } catch { return {}; }
}

const wait = (ms, signal) => new Promise((resolve) => {
	const timer = setTimeout(resolve, ms);
	signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); }, { once: true });
});

// follow reads the events of a run until it has ended or waits, also when the connection breaks. It returns the ID of the last one.
export async function follow(run, after, signal, each) {
	let over = false, pause = 500;
	while (!over && !signal.aborted) {
		try {
			after = await events(run, after, signal, (kind, data, id) => {
				over = kind === "result" || kind === "pause" ? true : kind === "resume" ? false : over;
				after = id;
				pause = 500;
				each(kind, data, id);
			});
			// A stream ends with the run, but a proxy may end it too.
			over ||= (await call("GET", path("v1", "runs", run))).state !== "running";
		} catch (err) {
			if (signal.aborted) return after;
			if (err instanceof Problem && err.status >= 400 && err.status < 500 && err.status !== 429) throw err;
		}
		if (!over) {
			await wait(pause, signal);
			pause = Math.min(2 * pause, 10000);
		}
	}
	return after;
}

// optional is what a request gives, or undefined where the server has no such route, or no such thing.
export async function optional(promise) {
	try { return await promise; } catch (err) {
		if (err instanceof Problem && (err.status === 404 || err.status === 403)) return undefined;
		throw err;
	}
}
