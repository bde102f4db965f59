// Numbers as people read them.

export function bytes(n) {
	if (!Number.isFinite(n)) return "";
	const units = ["B", "KiB", "MiB", "GiB", "TiB"];
	let at = 0;
	while (n >= 1024 && at < units.length - 1) { n /= 1024; at++; }
	return (at === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)) + " " + units[at];
}

export function duration(ms) {
	if (!Number.isFinite(ms)) return "";
	if (ms < 1) return Math.round(ms * 1000) + " µs";
	if (ms < 1000) return (ms < 10 ? ms.toFixed(1) : Math.round(ms)) + " ms";
	const s = ms / 1000;
	if (s < 60) return s.toFixed(s < 10 ? 2 : 1) + " s";
	if (s < 3600) return Math.floor(s / 60) + " min " + Math.floor(s % 60) + " s";
	return Math.floor(s / 3600) + " h " + Math.floor(s % 3600 / 60) + " min";
}

export function count(n) {
	return Number.isFinite(n) ? n.toLocaleString("en") : "";
}

const two = (n) => String(n).padStart(2, "0");

// time is that of the day if it was today, with the date before it otherwise.
export function time(text) {
	const t = new Date(text);
	if (Number.isNaN(t.getTime())) return "";
	const clock = two(t.getHours()) + ":" + two(t.getMinutes()) + ":" + two(t.getSeconds());
	if (t.toDateString() === new Date().toDateString()) return clock;
	return t.getFullYear() + "-" + two(t.getMonth() + 1) + "-" + two(t.getDate()) + " " + clock;
}
