package page_test

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
)

// TestSession: a session is made, its cells share variables and files, both are shown, and it is deleted.
func TestSession(t *testing.T) {
	t.Parallel()
	for _, l := range looks() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			b := newTab(t, newRig(t, nil), l)
			b.login(keys.User, "/sessions")
			b.sees(".empty", "no sessions yet")
			b.run("document.querySelector('details.more').open = true")
			b.write("details.more input", "report")
			b.press("Create")
			b.until("location.pathname.startsWith('/sessions/ses_')")
			b.sees("h1", "Session report")
			b.cell("total := 40\nerr := os.WriteFile(\"notes.txt\", []byte(\"kept\"), 0o600)", "th code", "total")
			b.sees("th a", "notes.txt")
			b.cell("text, err := os.ReadFile(\"notes.txt\")\nfmt.Println(total+2, string(text), err)", ".output", "42 kept <nil>")
			b.sees("th code", "text")
			b.cell("return total + 3", ".result section code", "43")
			b.still()
			b.audit()
			b.picture("real-session-" + l.name)
			b.press("Save")
			b.sees(".note", "Saved as snap_")
			b.run("document.querySelector('[aria-label=\"Delete notes.txt\"]').click()")
			b.until("![...document.querySelectorAll('th a')].length")
			b.press("Delete")
			b.press("Delete it, with its files")
			b.until("location.pathname === '/sessions'")
			b.sees(".empty", "no sessions yet")
		})
	}
}

// TestSessionWaits: the list of sessions, and the page of one, lead to the run that waits, which is answered there.
func TestSessionWaits(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	v := must(r.sessions.Create(t.Context(), string(keys.User), sessions.Request{Name: "asks", Tools: "package tools\nfunc Ask(question string) string"}))(t)
	id := r.start(t, runs.Request{Session: v.ID, Code: "fmt.Println(Ask(\"name?\"))"})
	b := newTab(t, r, looks()[0])
	b.login(keys.User, "/sessions")
	b.sees("td a", "waits for an answer")
	b.audit()
	b.open("/sessions/" + v.ID)
	b.sees(".facts a", "waits for an answer")
	b.audit()
	b.run("document.querySelector('.facts a').click()")
	b.until("location.pathname === " + quote("/runs/"+id))
	b.sees(".waiting .name", "Ask")
	b.write(".waiting textarea", `"Ann"`)
	b.press("Answer")
	b.sees(".state", "done")
	b.sees(".output", "Ann")
	b.open("/sessions")
	b.sees("td", "idle")
	if eval[bool](b, "document.querySelector('td a') !== null") {
		t.Error("the list leads to a run that has ended")
	}
}

// cell runs a cell of a session, and waits for a text in an element.
func (b *tab) cell(code, selector, text string) {
	b.t.Helper()
	b.write("#code", code)
	b.press("Run")
	b.sees(selector, text)
	b.sees(".state", "done")
}

// TestReal: the pages of policies, of a run with its calls and decisions, and of the machine show what the server has.
func TestReal(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	id := r.start(t, runs.Request{Code: "err := os.WriteFile(\"a.txt\", nil, 0o600)\nfmt.Println(err)\n" + publish, Tools: searchTool})
	for _, l := range looks() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			b := newTab(t, r, l)
			b.login(keys.User, "/policies")
			for path, seen := range map[string][2]string{
				"/policies": {"th a", "default"}, "/policies/default": {"section th", "memory"}, "/runs/" + id: {".timeline .kind", "call"},
			} {
				b.open(path)
				b.sees(seen[0], seen[1])
				b.still()
				b.audit()
			}
			b.open("/runs/" + id)
			b.sees(".timeline", "file.write")
			b.sees(".timeline", "Search")
			b.picture("real-run-" + l.name)
			b.run("[...document.querySelectorAll('.facts a')].find((e) => e.textContent === 'default@builtin').click()")
			b.sees("section th", "memory")
			b.open("/policies/default?version=0")
			b.sees(".note", "does not have this version")
			b.audit()
			b.press("Log out")
			b.until("document.querySelector('#key')")
			b.login(keys.Operator, "/machine")
			b.sees("main", "v1.2.3")
			b.sees("main", "none: this process does all runs")
			b.sees("main td, main th", "default@builtin")
			b.still()
			b.audit()
			b.picture("real-machine-" + l.name)
		})
	}
}
