package page_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
)

const searchTool = "package tools\n\n// Search finds pages.\nfunc Search(query string) ([]string, error)\n\n// Publish makes a page public.\nfunc Publish(page string) error"

const mandelbrot = `img := image.NewRGBA(image.Rect(0, 0, 96, 64))
for y := range 64 {
	for x := range 96 {
		c := complex(float64(x)/32-2.2, float64(y)/32-1)
		z, n := complex(0, 0), 0
		for ; n < 32 && real(z)*real(z)+imag(z)*imag(z) < 4; n++ {
			z = z*z + c
		}
		img.Set(x, y, color.RGBA{uint8(n * 8), uint8(n * 5), uint8(90 + n*5), 255})
	}
}
var buf bytes.Buffer
if err := png.Encode(&buf, img); err != nil {
	panic(err)
}
fmt.Println("a picture of", buf.Len() > 100, img.Bounds())
artifact("mandelbrot.png", buf.Bytes())
`

const publish = `pages, err := Search("open issues")
if err != nil {
	panic(err)
}
for _, p := range pages {
	fmt.Println("publishing", p)
	if err := Publish(p); err != nil {
		fmt.Println("not published:", err)
	}
}
`

// TestWay: the whole way of a user in the browser, on each size of window. Output comes, the line of an error is marked, a
// picture is shown, calls are answered, a run is forked, cancelled and replayed.
func TestWay(t *testing.T) {
	t.Parallel()
	for _, l := range looks() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, nil)
			b := newTab(t, r, l)
			b.open("/runs")
			b.do(chromedp.WaitVisible("#key"))
			b.audit()
			b.picture("login-" + l.name)
			b.do(chromedp.SendKeys("#key", "wrong\r"))
			b.sees("#message", "does not know the key")
			b.do(chromedp.SendKeys("#key", r.tokens[keys.User]+"\r"))
			b.sees("h1", "Runs")
			b.sees(".empty", "no runs yet")
			b.audit()

			b.open("/")
			b.write("#code", mandelbrot)
			b.press("Run")
			b.sees(".state", "done")
			b.sees(".output", "a picture of true")
			b.until("document.querySelector('.artifact img')?.naturalWidth === 96")
			b.audit()
			b.picture("playground-" + l.name)

			b.write("#code", "fmt.Println(1)\n\nname := \"a\" + 1\nfmt.Println(name)\n")
			b.do(chromedp.Focus("#code"), chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
			b.sees(".error", "mismatched types")
			b.sees(".hint", "fmt.Sprint(1)")
			b.until("document.querySelectorAll('.numbers .marked').length === 1 && document.querySelector('.numbers .marked').textContent === '3'")
			b.audit()
			b.picture("error-" + l.name)

			b.answers()
			b.audit()
			b.picture("answer-" + l.name)
			b.press("Answer")
			b.sees(".state", "done")
			b.sees(".output", "publishing a/b\nnot published: the call has failed")
			b.lists(l)
		})
	}
}

// answers runs a script that waits, and answers its first call.
func (b *tab) answers() {
	b.run("document.querySelector('details.more').open = true")
	b.write("textarea[placeholder^=package]", searchTool)
	b.write("#code", publish)
	b.press("Run")
	b.sees(".state", "pending")
	b.write(".waiting textarea", "[")
	b.press("Answer")
	b.sees(".waiting .note", "not JSON")
	b.write(".waiting textarea", "5")
	b.press("Answer")
	b.sees(".waiting .note", "does not fit")
	b.write(".waiting textarea", `["a/b"]`)
	b.press("Answer")
	b.sees(".waiting .name", "Publish")
	b.write(".waiting select", "error")
}

// lists goes through the runs, to one that waits: it is forked, a fork is cancelled, and the run replayed.
func (b *tab) lists(l look) {
	id := b.rig.start(b.t, runs.Request{Code: publish, Tools: searchTool})
	b.open("/runs")
	b.until("document.querySelectorAll('tbody tr').length === 4")
	b.still()
	b.audit()
	b.picture("runs-" + l.name)
	b.run("document.querySelector('.chip input[value=failed]').click()")
	b.until("document.querySelectorAll('tbody tr').length === 1 && location.search === '?state=failed'")
	b.run("document.querySelector('.chip input[value=failed]').click()")
	b.write("input[type=search]", "PUBLISHING")
	b.until("document.querySelectorAll('tbody tr').length === 2")

	b.open("/runs/" + id)
	b.sees(".state", "pending")
	b.sees(".timeline .kind", "pause")
	b.still()
	b.press("Fork")
	b.sees(".note", "1 fork waits")
	b.audit()
	b.picture("run-" + l.name)
	b.run("document.querySelector('.note a').click()")
	b.sees(".facts", "fork of")
	b.press("Cancel")
	b.sees(".state", "cancelled")
	b.audit()
	b.open("/runs/" + id)
	b.press("Replay")
	b.until("location.pathname.startsWith('/runs/run_') && !location.pathname.endsWith(" + quote(id) + ")")
	b.sees(".state", "pending")
	b.run("[...document.querySelectorAll('a.button')].find((e) => e.textContent === 'Edit').click()")
	b.until("document.querySelector('#code')?.value.startsWith('pages, err') && document.querySelector('textarea[placeholder^=package]').value.includes('Publish')")
	b.press("Log out")
	b.do(chromedp.WaitVisible("#key"))
	if res, _ := b.rig.send(b.t, "GET", "/v1/runs", ""); res.StatusCode != http.StatusUnauthorized {
		b.t.Errorf("%d", res.StatusCode)
	}
}

// TestCancel: a run that goes on is seen by its output as it comes, and ends when the button is pressed.
func TestCancel(t *testing.T) {
	t.Parallel()
	b := newTab(t, newRig(t, nil), looks()[0])
	b.login(keys.User, "/")
	b.write("#code", "fmt.Println(\"it begins\")\nfor i := 0; ; i++ {\n\ttime.Sleep(time.Millisecond)\n}")
	b.press("Run")
	b.sees(".output", "it begins")
	b.sees(".state", "running")
	b.press("Cancel")
	b.sees(".state", "cancelled")
	b.sees(".error", "cancelled")
}

// TestKeyboard: the skip link is the first stop, a tab can be written, and Escape lets Tab leave the editor.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	b := newTab(t, newRig(t, nil), looks()[0])
	b.login(keys.User, "/")
	b.sees("button", "Run")
	b.do(chromedp.KeyEvent(kb.Tab))
	b.until("document.activeElement.className === 'skip' && getComputedStyle(document.activeElement).top === '6px'")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until("document.activeElement.id === 'main'")
	b.write("#code", "if true {")
	b.do(chromedp.Focus("#code"), chromedp.KeyEvent(kb.End))
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} { // as a keyboard has it
		command(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, NativeVirtualKeyCode: 13})
	}
	b.do(chromedp.KeyEvent(kb.Tab))
	b.until(`document.querySelector("#code").value === "if true {\n\t\t" && document.querySelectorAll(".numbers span").length === 2`)
	b.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.Tab))
	b.until("document.activeElement.tagName === 'SUMMARY'")
	outline := eval[string](b, "getComputedStyle(document.activeElement).outlineStyle + ' ' + getComputedStyle(document.activeElement).outlineWidth")
	if outline != "solid 2px" {
		t.Errorf("the focus is seen as %q", outline)
	}
}

// answered are responses of the API, as it has them.
var answered = map[string]string{
	"GET /v1/machine": `{"version":"v1.0.0","isolation":{"mode":"kernel","level":"strict","missing":[]},"runs":{"running":3,"queued":1},"workers":{"starting":0,"ready":2,"busy":2,"waiting":1,"queued":1},
		"plans":[{"policy":"default","tools":false,"waits":false,"workers":{"starting":0,"ready":2,"busy":2,"waiting":0,"queued":1}},{"policy":"research","tools":true,"waits":true,"workers":{"starting":0,"ready":0,"busy":0,"waiting":1,"queued":0}}],
		"sessions":4,"streams":2,"layers":[{"name":"namespaces","state":"active"},{"name":"seccomp","state":"active"},{"name":"landlock","state":"active"},{"name":"cgroups","state":"missing","reason":"the service may not make groups","remedy":"Delegate=yes in its systemd unit"}]}`,
	"GET /v1/cluster": `{"mode":"embedded","queues":[{"name":"here","turns":4,"waiting":0,"tenants":[]},{"name":"workers","turns":12,"waiting":3,"tenants":[{"tenant":"research","waiting":3,"oldest_ms":1200}]}],
		"workers":[{"name":"self","slots":4,"running":2,"isolation":"kernel","version":"v1.0.0","seen_ms":120,"unfit":""},{"name":"newer","slots":0,"running":0,"isolation":"","version":"","seen_ms":90,"unfit":"it speaks version 2 of the protocol, and this server version 1"}],"again":7}`,
	"GET /v1/policies":          `{"policies":[{"name":"default","version":"1","source":"builtin","about":"The standard library without network and files."},{"name":"research","version":"3","source":"file","about":"Reads the public web, and asks before it posts."}]}`,
	"GET /v1/policies/research": `{"name":"research","version":"3","source":"sent","about":"Reads the public web, and asks before it posts.","text":"profile: offline\nnetwork:\n  - GET https://*.wikipedia.org/*\nlimits:\n  timeout: 20s\n"}`,
	"GET /v1/policies/research/explain": `{"isolation":{"name":"isolation","value":"kernel","from":{"file":"default"}},
		"openings":[{"field":"Network","opens":"GET https://*.wikipedia.org/*","from":{"file":"research.yaml","line":3},"layers":["network"],"kernel":"requests leave through the gate of the host; the worker has no network"}],
		"functions":[{"name":"Search","decision":"allow"},{"name":"Publish","decision":"ask","reason":"it makes a page public","rules":["publish"],"declares":"writes"}],
		"limits":[{"name":"timeout","value":"20s","from":{"file":"research.yaml","line":5}},{"name":"memory","value":"256 MiB","from":{"file":"default"}}]}`,
	"GET /v1/sessions": `{"sessions":[{"id":"ses_a","name":"quarterly report","policy":"research","state":"ready","created":"2026-11-20T09:12:00Z","used":"2026-11-20T11:40:10Z","bytes":483112},{"id":"ses_b","name":"","policy":"default","state":"idle","created":"2026-11-19T16:00:00Z","used":"2026-11-19T16:02:00Z","bytes":1210}]}`,
	"GET /v1/sessions/ses_a": `{"id":"ses_a","name":"quarterly report","policy":"research","state":"ready","created":"2026-11-20T09:12:00Z","used":"2026-11-20T11:40:10Z","bytes":483112,
		"variables":[{"kind":"var","name":"rows","type":"[][]string"},{"kind":"var","name":"total","type":"float64"},{"kind":"func","name":"parse","type":"func(line string) ([]string, error)"},{"kind":"type","name":"Quarter","type":"struct{Year, Number int}"}]}`,
	"GET /v1/sessions/ses_a/files": `{"files":[{"path":"data/sales.csv","size":481022,"mode":"644","modified":"2026-11-20T09:15:00Z"},{"path":"report.md","size":2090,"mode":"644","modified":"2026-11-20T11:40:09Z"}]}`,
}

// TestViews: the pages of sessions, policies and the machine show what the API has.
func TestViews(t *testing.T) {
	t.Parallel()
	r := newRig(t, answered)
	for _, l := range looks() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			b := newTab(t, r, l)
			b.login(keys.Operator, "/runs")
			for _, v := range []struct{ name, path, selector, text string }{
				{"machine", "/machine", "td", "Delegate=yes"},
				{"machine", "/machine", "td", "it speaks version 2 of the protocol"},
				{"machine", "/machine", "td", "research"},
				{"policies", "/policies", "th a", "research"},
				{"policy", "/policies/research", "code", "timeout: 20s"},
				{"sessions", "/sessions", "th a", "quarterly report"},
				{"session", "/sessions/ses_a", "th", "report.md"},
			} {
				b.open(v.path)
				b.sees("main "+v.selector, v.text)
				b.still()
				b.audit()
				b.picture(v.name + "-" + l.name)
			}
		})
	}
}

// TestTimeline: calls have their duration and what came of them, decisions their reason, and output is summed up.
func TestTimeline(t *testing.T) {
	t.Parallel()
	b := newTab(t, newRig(t, nil), looks()[0])
	b.login(keys.User, "/")
	got := eval[string](b, `import("/assets/timeline.js").then(({ Timeline }) => {
		const line = new Timeline();
		line.add("start", { time: 1000, policy: "research" });
		line.add("decision", { time: 1010, sequence: 1, member: "GET https://a.b", decision: "allow", rule: "web", reason: "public" });
		line.add("call", { time: 1010, phase: "begin", sequence: 1, member: "GET https://a.b", args: { q: 1 } });
		line.add("stdout", { time: 1015, text: "ab" });
		for (let i = 0; i < 1000; i++) line.add("stdout", { time: 1020, text: "é" });
		line.add("call", { time: 1260, phase: "end", sequence: 1, member: "GET https://a.b", duration_ms: 250, status: 200, received: 2048 });
		line.add("gap", { time: 1270, of: "calls and decisions" });
		line.add("result", { time: 2000, state: "failed", result: { error: { kind: "panic" } } });
		line.place();
		return [...line.list.children].map((e) => e.innerText.replace(/\s+/g, " ") + "@" + e.querySelector(".mark").style.left + "+" + e.querySelector(".mark").style.width).join("\n");
	})`)
	want := `+0 µs start policy research @0%+0%
+10 ms decision allow · GET https://a.b · public · rule web @1%+0%
+10 ms call GET https://a.b {"q":1} 250 ms · 200 · 2.0 KiB @1%+25%
+15 ms stdout 2.0 KiB @1.5%+0.5%
+270 ms gap more calls and decisions are in the record @27%+0%
+1.00 s result failed · panic @98%+0%`
	if squeeze(got) != squeeze(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// squeeze is text without spaces: whether there are some between elements depends on their layout.
func squeeze(text string) string { return strings.Join(strings.Fields(text), "") }

// TestAbsent: where the server has no such routes, or not what an address names, the pages say so.
func TestAbsent(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"GET /v1/machine": "", "GET /v1/policies": "", "GET /v1/sessions": ""})
	b := newTab(t, r, looks()[1])
	b.login(keys.Operator, "/machine")
	for path, text := range map[string]string{
		"/machine": "does not tell", "/policies": "does not list", "/policies/p": "no such policy", "/sessions": "has no sessions", "/sessions/s": "no such session", "/runs/run_x": "no such run",
	} {
		b.open(path)
		b.sees(".note", text)
		b.audit()
	}
}

// hostile are texts that scripts, tools and other tenants might write.
const hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>javascript:alert(3)\u202eevil\u2066\u200b\x1b[31m&lt;\"'`"

// TestHostile: in every place where values are shown, they are text: no element is made of them, and what turns the direction of
// writing can be seen.
func TestHostile(t *testing.T) {
	t.Parallel()
	text := quote(hostile)
	long := quote(strings.Repeat("wide", 20_000))
	answers := map[string]string{
		"GET /v1/policies":           fmt.Sprintf(`{"policies":[{"name":%[1]s,"version":%[1]s,"source":%[1]s,"about":%[1]s},{"name":"p","about":%[2]s}]}`, text, long),
		"GET /v1/policies/p":         fmt.Sprintf(`{"name":%[1]s,"version":%[1]s,"source":%[1]s,"about":%[1]s,"tenants":[%[1]s],"text":%[1]s}`, text),
		"GET /v1/policies/p/explain": fmt.Sprintf(`{"isolation":{"name":%[1]s,"value":%[1]s,"from":{"file":%[1]s,"line":1}},"openings":[{"field":%[1]s,"opens":%[1]s,"kernel":%[2]s,"from":{"file":%[1]s}}],"functions":[{"name":%[1]s,"decision":%[1]s,"reason":%[1]s,"rules":[%[1]s],"declares":%[1]s}],"limits":[]}`, text, long),
		"GET /v1/sessions":           fmt.Sprintf(`{"sessions":[{"id":"s","name":%[1]s,"policy":%[1]s,"state":%[1]s,"waits":%[1]s,"created":%[1]s,"used":"","bytes":1}],"next_cursor":%[1]s}`, text),
		"GET /v1/sessions/s":         fmt.Sprintf(`{"id":"s","name":%[1]s,"policy":%[1]s,"state":%[1]s,"waits":%[1]s,"variables":[{"name":%[1]s,"kind":%[1]s,"type":%[2]s}]}`, text, long),
		"GET /v1/sessions/s/files":   fmt.Sprintf(`{"files":[{"path":%[1]s,"size":5,"modified":%[1]s},{"path":"//example.com/x"},{"path":"../../v1/keys"}]}`, text),
		"GET /v1/cluster":            fmt.Sprintf(`{"mode":%[1]s,"queues":[null,%[1]s,{"name":%[1]s,"turns":%[2]s,"tenants":[{%[1]s:%[1]s},%[1]s]}],"workers":[{"name":%[1]s,%[1]s:%[2]s},null],"again":%[2]s}`, text, long),
		"GET /v1/machine":            fmt.Sprintf(`{%[1]s:%[1]s,"version":%[2]s,"workers":{%[1]s:%[1]s},"isolation":{"mode":%[1]s,"missing":[%[1]s]},"layers":[{"name":%[1]s,"state":{%[1]s:%[1]s}}],"deep":{"list":[%[1]s,[%[1]s]],"wide":%[2]s}}`, text, long),
	}
	for _, l := range looks() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, answers)
			id := r.start(t, runs.Request{Code: hostileScript, Tools: searchTool, Inputs: map[string]json.RawMessage{"s": json.RawMessage(text)}})
			b := newTab(t, r, l)
			b.login(keys.Operator, "/machine")
			b.sees(".tree", "alert(1)")
			b.clean()
			b.press("Log out")
			b.until("document.querySelector('#key')")
			b.login(keys.User, "/policies")
			for path, selector := range map[string]string{
				"/policies": "td", "/policies/p": "td", "/policies/" + url.PathEscape(hostile): "h1", "/sessions": "tbody th", "/sessions/s": "td", "/runs/" + url.PathEscape(hostile): ".note",
			} {
				b.open(path)
				b.until(fmt.Sprintf("document.querySelector(%s)", quote("main "+selector)))
				b.still()
				b.clean()
			}
			b.open("/runs")
			b.sees("tbody th", "<script>alert(1)")
			b.clean()
			b.open("/runs/" + id)
			b.sees(".args", "alert(1)")
			b.sees("main", "Earlier output is not shown")
			b.clean()
			b.write(".waiting select", "error")
			b.write(".waiting textarea", hostile)
			b.press("Answer")
			b.sees(".error", "panic")
			b.until("[...document.querySelectorAll('.artifact img')].every((i) => i.complete)")
			b.press("Show")
			b.sees(".artifact pre", "<script>alert(1)")
			b.clean()
		})
	}
}

// TestAddresses: the scripts of the pages make no element with an address that is not one of this server, or with a listener as text.
func TestAddresses(t *testing.T) {
	t.Parallel()
	b := newTab(t, newRig(t, nil), looks()[0])
	b.open("/login")
	got := eval[[]string](b, `import("/assets/dom.js").then(({ el }) => [
		["a", { href: "javascript:alert(1)" }], ["a", { href: "https://example.com/" }], ["a", { href: "//example.com/" }], ["a", { href: "/\\example.com/" }],
		["img", { src: "data:image/svg+xml,<svg/>" }], ["form", { action: "" }], ["a", { href: " /runs" }], ["p", { onclick: "alert(1)" }],
	].flatMap(([tag, props]) => { try { return [el(tag, props).outerHTML]; } catch (err) { return []; } }).concat(el("a", { href: "/runs" }).outerHTML))`)
	if len(got) != 1 || got[0] != `<a href="/runs"></a>` {
		t.Errorf("%q", got)
	}
}

// hostileScript has hostile source, output, files, arguments of a call and an error.
const hostileScript = `_ = "<script>alert(1)</script>` + "\u202e\u2066" + ` ></code><img src=x onerror=alert(4)>"
fmt.Fprint(os.Stderr, s)
fmt.Print(strings.Repeat("wide", 200000), s)
artifact("x<img src=x>.svg", []byte("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><script>alert(5)</script></svg>"))
artifact("x.html", []byte(s))
r, err := Search(s)
panic(fmt.Sprint(s, r, err))
`

// clean checks that the page has no element, address or direction of writing that the server did not make.
func (b *tab) clean() {
	b.t.Helper()
	b.audit()
	found := eval[[]string](b, `[
		...[...document.querySelectorAll("script:not(head > script), iframe, object, embed, main [onerror], main style, main link")],
		...[...document.querySelectorAll("img")].filter((e) => !new URL(e.src).pathname.startsWith("/v1/runs/run_")),
		...[...document.querySelectorAll("[href], [src], [action]")].filter((e) => new URL(e.href || e.src || e.action, location).origin !== location.origin),
	].map((e) => e.outerHTML.slice(0, 200)).concat(/[\u202e\u2066\u200b\u001b]/.test(document.body.textContent) ? ["a control character"] : [],
		document.body.textContent.includes("⟨U+202E⟩") ? [] : ["no mark of U+202E"])`)
	for _, f := range found {
		b.t.Errorf("%s: %s", eval[string](b, "location.pathname"), f)
	}
}
