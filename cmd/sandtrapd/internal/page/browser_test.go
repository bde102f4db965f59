package page_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
)

var screenshots = flag.String("screenshots", "", "`directory` that gets pictures of the pages")

// browserTime bounds how long a test waits for the browser.
const browserTime = 2 * time.Minute

// chromium is the browser of all tests, which is started once.
var chromium struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	os.Exit(code)
}

func startChromium() {
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, chromium.err = exec.LookPath(name); chromium.err == nil {
			break
		}
	}
	if chromium.err != nil {
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)
	allocator, stopProcess := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	chromium.ctx, chromium.stop = ctx, func() { stop(); stopProcess() }
	chromium.err = chromedp.Do(ctx)
}

// A tab is a browser without a cookie, at one server.
type tab struct {
	t      *testing.T
	ctx    context.Context
	rig    *rig
	faults *faults
}

// faults are what the browser complains of.
type faults struct {
	mu   sync.Mutex
	list []string
}

func (f *faults) add(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, fmt.Sprintf(format, args...))
}

// A look is a size of the window.
type look struct {
	name          string
	width, height int64
}

func looks() []look { return []look{{"desktop", 1280, 800}, {"phone", 320, 640}} }

// themes are those that a user can prefer.
func themes() []string { return []string{"dark", "light"} }

// newTab opens a tab. Errors on the console, violations of the content security policy and requests to other servers fail the test.
func newTab(t *testing.T, r *rig, l look) *tab {
	t.Helper()
	chromium.once.Do(startChromium)
	if chromium.err != nil {
		if os.Getenv("SANDTRAPD_BROWSER_TESTS") == "required" {
			t.Fatalf("there is no browser: %v", chromium.err)
		}
		t.Skipf("%s needs Chromium: %v", t.Name(), chromium.err)
	}
	ctx, stop := chromedp.NewContext(chromium.ctx, chromedp.WithNewBrowserContext())
	if err := chromedp.Do(ctx); err != nil {
		stop()
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(ctx, browserTime)
	b := &tab{t, ctx, r, &faults{}}
	t.Cleanup(func() {
		cancel()
		stop()
		b.faults.mu.Lock()
		defer b.faults.mu.Unlock()
		for _, f := range b.faults.list {
			t.Error(f)
		}
	})
	if err := chromedp.Listen(ctx, b.observe); err != nil {
		t.Fatal(err)
	}
	command(b, log.Enable, cdp.Empty{})
	command(b, network.Enable, network.EnableParams{})
	command(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: l.width, Height: l.height, DeviceScaleFactor: 1, Mobile: l.width < 500})
	command(b, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}) // as if it were the only tab
	b.prefer("light")
	return b
}

// prefer sets the theme that the user prefers.
func (b *tab) prefer(theme string) {
	b.t.Helper()
	command(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
}

func command[P, R any](b *tab, c cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, c, params); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) observe(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.faults.add("exception: %s %v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception)
	case *runtime.EventConsoleAPICalled:
		for _, a := range e.Args {
			b.faults.add("console.%s: %s", e.Type, a.Value)
		}
	case *log.EventEntryAdded:
		bad := e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning
		if !bad || e.Entry.Source == log.EntrySourceNetwork && strings.Contains(e.Entry.Text, "status of 4") {
			return // the pages show what the server refuses
		}
		b.faults.add("%s %s: %s %s", e.Entry.Level, e.Entry.Source, e.Entry.Text, e.Entry.URL)
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, b.rig.URL+"/") && !strings.HasPrefix(u, "data:") && u != "about:blank" {
			b.faults.add("a request to %s", u)
		}
	}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// eval is the value of an expression of JavaScript.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// run is for expressions without a value.
func (b *tab) run(expression string) {
	b.t.Helper()
	eval[chromedp.Void](b, expression)
}

// until waits until an expression is true, also on the page that comes after this one.
func (b *tab) until(expression string) {
	b.t.Helper()
	var err error
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var ok bool
		if ok, err = chromedp.Run(b.ctx, chromedp.Evaluate[bool]("Boolean("+expression+")")); ok {
			return
		}
	}
	text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.body.innerText"))
	b.t.Fatalf("waiting for %s: %v; the page says:\n%s", expression, err, text)
}

// sees waits until an element has a text in it.
func (b *tab) sees(selector, text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("[...document.querySelectorAll(%s)].some((e) => e.textContent.includes(%s))", quote(selector), quote(text)))
}

func quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // it is text
	}
	return string(data)
}

// press presses the button with this text.
func (b *tab) press(text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("[...document.querySelectorAll('button')].some((e) => e.textContent === %s && !e.disabled)", quote(text)))
	b.do(chromedp.Click(fmt.Sprintf("//button[text()=%s]", quote(text))))
}

// write puts a text in the place of that of a control.
func (b *tab) write(selector, text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.querySelector(%s)", quote(selector)))
	b.run(fmt.Sprintf("(() => { const e = document.querySelector(%s); e.value = %s; e.dispatchEvent(new Event('input', {bubbles: true})); e.dispatchEvent(new Event('change', {bubbles: true})); })()", quote(selector), quote(text)))
}

func (b *tab) open(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.rig.URL + path))
}

// login logs in at the page for that, which goes on to the path.
func (b *tab) login(role keys.Role, path string) {
	b.t.Helper()
	b.open(path)
	b.do(chromedp.WaitVisible("#key"), chromedp.SendKeys("#key", b.rig.tokens[role]+"\r"), chromedp.WaitVisible(".bar"))
}

// picture writes pictures of the page, one for each theme, if there is a directory for them.
func (b *tab) picture(name string) {
	if *screenshots == "" {
		return
	}
	for _, theme := range themes() {
		b.prefer(theme)
		data, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
		if err == nil {
			err = os.WriteFile(filepath.Join(*screenshots, name+"-"+theme+".png"), data, 0o644)
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

// still checks that nothing has moved since the page was loaded.
func (b *tab) still() {
	b.t.Helper()
	moved := eval[float64](b, `new Promise((resolve) => {
		let sum = 0;
		new PerformanceObserver((list) => list.getEntries().forEach((s) => { sum += s.value; })).observe({ type: "layout-shift", buffered: true });
		setTimeout(() => resolve(sum), 60);
	})`)
	if moved > 0.1 { // as https://web.dev/articles/cls has it
		b.t.Errorf("%s: the layout has shifted by %.3f", eval[string](b, "location.pathname"), moved)
	}
}

// audit measures the page as it is: no scrolling to the side, each text with the contrast of WCAG AA, each control with a name and
// a size to hit, in each theme.
func (b *tab) audit() {
	b.t.Helper()
	for _, theme := range themes() {
		b.prefer(theme)
		for _, f := range eval[[]string](b, auditScript) {
			b.t.Errorf("%s, %s: %s", eval[string](b, "location.pathname"), theme, f)
		}
	}
}

const auditScript = `(() => {
	const found = [];
	const width = document.documentElement.clientWidth; // innerWidth grows with what is too wide for a phone
	const wide = document.documentElement.scrollWidth - width;
	if (wide > 0) found.push("the page scrolls to the side by " + wide + " px: " + [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > width + 1).slice(0, 3).map((e) => e.outerHTML.slice(0, 120)));
	const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
	const rgb = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return canvas.getImageData(0, 0, 1, 1).data; };
	const light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255]; };
	const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 2;
	for (const e of document.querySelectorAll("body *")) {
		if (!seen(e) || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
		const [a, b] = [light(rgb(getComputedStyle(e).color)), light(behind(e))];
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) found.push("contrast " + ratio.toFixed(2) + ": " + e.outerHTML.slice(0, 120));
	}
	for (const e of document.querySelectorAll("button, input, select, textarea, a[href]")) {
		if (!seen(e) || e.type === "hidden") continue;
		const name = e.getAttribute("aria-label") || e.labels?.[0]?.textContent || (e.matches("button, a") && e.textContent);
		if (!name?.trim()) found.push("without a name: " + e.outerHTML.slice(0, 120));
		const box = (e.matches("[type=checkbox], [type=radio]") ? e.labels[0] : e).getBoundingClientRect();
		if (e.matches("button, input, select") && (box.height < 24 || box.width < 24)) found.push("smaller than 24 px: " + e.outerHTML.slice(0, 120));
	}
	return found;
})()`
