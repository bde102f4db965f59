package dryruntest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/dryrun"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// programs are scripts that call tools and change files. DIR is the directory; those in goroutines may call in any order.
var programs = map[string]string{
	"nothing":     `fmt.Println("hi")`,
	"one":         `fmt.Println(search("go", 3))`,
	"args":        `search("a \"b\" <c>\n", -1); send("x@y", "ü")`,
	"results":     `for _, hit := range must(search("go", 2)) { must(0, send(hit, "hello")) }`,
	"failing":     `fmt.Println(send("nobody", ""))`,
	"variadic":    `fmt.Println(total(), total(1, 2, 3))`,
	"spread":      `list := []int{4, 5}; fmt.Println(total(list...))`,
	"struct":      `o, err := book(Order{ID: 7, Lines: []string{"a"}}); fmt.Println(o, err)`,
	"context":     `fmt.Println(whoami())`,
	"package":     `fmt.Println(mail.Send("a"), mail.Send("b"))`,
	"object":      `fmt.Println(desk.Lookup("k"))`,
	"blocking":    `fmt.Println(slow(3))`,
	"loop":        `for i := range 20 { total(i) }`,
	"panics":      `total(1); panic("end")`,
	"deferred":    `defer total(2); total(1)`,
	"sorted":      `x := []int{3, 1, 2}; sort.Slice(x, func(i, j int) bool { return total(x[i]) < total(x[j]) }); fmt.Println(x)`,
	"goroutines":  `var wg sync.WaitGroup; for i := range 8 { wg.Go(func() { slow(i) }) }; wg.Wait()`,
	"unread":      `go func() { total(9) }(); time.Sleep(time.Millisecond)`,
	"exit":        `total(1); os.WriteFile("DIR/new", []byte("x"), 0o600); os.Exit(3)`,
	"write":       `must(0, os.WriteFile("DIR/new.txt", []byte("a\nb\n"), 0o644))`,
	"create":      `f := must(os.Create("DIR/made")); fmt.Fprintln(f, "x"); f.Close()`,
	"overwrite":   `must(0, os.WriteFile("DIR/notes.txt", []byte("one\n2\nthree\n"), 0o644))`,
	"same":        `must(0, os.WriteFile("DIR/notes.txt", must(os.ReadFile("DIR/notes.txt")), 0o644))`,
	"append":      `f := must(os.OpenFile("DIR/todo.md", os.O_APPEND|os.O_WRONLY, 0)); fmt.Fprint(f, "- c"); f.Close()`,
	"part":        `f := must(os.OpenFile("DIR/big.bin", os.O_RDWR, 0)); f.WriteAt([]byte("here"), 5000); f.Close()`,
	"binary":      `must(0, os.WriteFile("DIR/b", []byte{0, 1, 2, 255}, 0o600))`,
	"truncate":    `must(0, os.Truncate("DIR/notes.txt", 5))`,
	"remove":      `must(0, os.Remove("DIR/todo.md"))`,
	"remove all":  `must(0, os.RemoveAll("DIR/data"))`,
	"rename":      `must(0, os.Rename("DIR/notes.txt", "DIR/n.txt"))`,
	"rename over": `must(0, os.Rename("DIR/notes.txt", "DIR/todo.md"))`,
	"rename dir":  `must(0, os.Rename("DIR/old", "DIR/data/old")); fmt.Println(os.ReadDir("DIR/old"))`,
	"mkdir":       `must(0, os.MkdirAll("DIR/x/y/z", 0o755)); must(0, os.Mkdir("DIR/w", 0o700))`,
	"chmod":       `must(0, os.Chmod("DIR/notes.txt", 0o600)); must(0, os.Chmod("DIR/old", 0o700))`,
	"symlink":     `must(0, os.Symlink("notes.txt", "DIR/l2"))`,
	"by link":     `must(0, os.WriteFile("DIR/link", []byte("by link"), 0o600))`,
	"temporary":   `f := must(os.CreateTemp("DIR", "t*")); fmt.Println(f.Name()); f.Close(); os.Remove(f.Name()); os.WriteFile("/tmp/t", nil, 0o600)`,
	"undone":      `os.WriteFile("DIR/u", nil, 0o600); os.Remove("DIR/u"); os.Chmod("DIR/notes.txt", 0o600); os.Chmod("DIR/notes.txt", 0o644)`,
	"again":       `os.Remove("DIR/todo.md"); os.WriteFile("DIR/todo.md", []byte("new"), 0o600)`,
	"dir to file": `os.RemoveAll("DIR/old"); os.WriteFile("DIR/old", []byte("file"), 0o600)`,
	"secret":      `fmt.Println(os.WriteFile("DIR/.env", nil, 0o600)); fmt.Println(os.ReadFile("DIR/.env"))`,
	"outside":     `fmt.Println(os.WriteFile("/etc/passwd", nil, 0o600))`,
	"missing":     `fmt.Println(os.ReadFile("DIR/none")); fmt.Println(os.Remove("DIR/none"))`,
	"listing":     `os.WriteFile("DIR/a1", nil, 0o600); os.Remove("DIR/todo.md"); for _, e := range must(os.ReadDir("DIR")) { fmt.Println(e.Name(), e.IsDir()) }`,
	"both":        `for i, hit := range must(search("x", 3)) { os.WriteFile(fmt.Sprintf("DIR/%d.txt", i), []byte(hit), 0o644); send(hit, fmt.Sprint(i)) }`,
	"by results":  `if total(1, 2) == 3 { os.Remove("DIR/todo.md") } else { send("wrong", "") }`,
	"chdir":       `must(0, os.Chdir("DIR/data")); os.WriteFile("here", nil, 0o600); fmt.Println(os.Getwd())`,
	"denied":      `fmt.Println(pay(5)); total(1)`,
	"asked":       `fmt.Println(erase("a")); fmt.Println(erase("b"))`,
	"by rule":     `fmt.Println(send("x@evil", "a")); fmt.Println(send("y", "b"))`,
	"budget":      `for range 5 { fmt.Println(charge()) }`,
	"file rule":   `fmt.Println(os.Remove("DIR/data/1.csv")); fmt.Println(os.RemoveAll("DIR/old"))`,
	"file asked":  `fmt.Println(os.WriteFile("DIR/ask.me", []byte("x"), 0o600))`,
	"ended":       `total(1); strict(1); total(2)`,
}

// An Order is data of a tool.
type Order struct {
	ID    int      `json:"id"`
	Lines []string `json:"lines"`
}

// A host has tools that note the calls that come to them.
type host struct {
	mu    sync.Mutex
	calls []string
}

// note notes a call with the arguments by name.
func (h *host) note(name string, args ...any) {
	text := name + "("
	for i := 0; i < len(args); i += 2 {
		value, err := json.Marshal(args[i+1])
		if err != nil {
			panic(err)
		}
		value = bytes.ReplaceAll(bytes.ReplaceAll(value, []byte(`\u003c`), []byte("<")), []byte(`\u003e`), []byte(">"))
		text += fmt.Sprintf("%s=%s ", args[i], value)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, text+")")
}

// A Desk is a live object.
type Desk struct{ *host }

// Lookup is a tool.
func (d Desk) Lookup(key string) string {
	d.note("example.com/desk.Lookup", "p0", key)
	return key + "!"
}

// tools are functions by their names as guards have them.
func (h *host) tools() map[string]any {
	return map[string]any{
		"search": func(query string, limit int) ([]string, error) {
			h.note("search", "query", query, "limit", limit)
			list := []string{}
			for i := range max(0, limit) {
				list = append(list, fmt.Sprint(query, i))
			}
			return list, nil
		},
		"send": func(to, text string) error {
			h.note("send", "to", to, "text", text)
			if to == "nobody" {
				return errors.New("no such address")
			}
			return nil
		},
		"total": func(list ...int) (sum int) {
			h.note("total", "list", list)
			for _, n := range list {
				sum += n
			}
			return sum
		},
		"book": func(o Order) (Order, error) {
			h.note("book", "order", o)
			o.ID++
			return o, nil
		},
		"whoami": func(ctx context.Context) string {
			h.note("whoami")
			return fmt.Sprint(ctx != nil)
		},
		"slow": func(n int) int {
			h.note("slow", "n", n)
			return n * n
		},
		"pay":                     func(n int) error { h.note("pay", "n", n); return nil },
		"erase":                   func(name string) error { h.note("erase", "name", name); return nil },
		"charge":                  func() error { h.note("charge"); return nil },
		"strict":                  func(n int) { h.note("strict", "n", n) },
		"example.com/mail.Send":   func(text string) int { h.note("example.com/mail.Send", "p0", text); return len(text) },
		"example.com/desk.Lookup": Desk{h}.Lookup,
	}
}

// policy has the tools, and a guard that asks nobody but the test, in files of a directory.
func (h *host) policy(b rig.Bench, dir string, asked *[]string) sandtrap.Policy {
	t := h.tools()
	member := func(name string, params ...string) sandtrap.Member {
		return sandtrap.Member{Value: t[name], Params: params}
	}
	slow, pay, erase, charge, strict := member("slow", "n"), member("pay", "n"), member("erase", "name"), member("charge"), member("strict", "n")
	slow.Blocking, pay.Risk, erase.Risk, charge.Cost, strict.Requires = true, decide.Critical, decide.High, 2, []string{"none"}
	p := rig.Pure()
	p.Engine, p.Isolation = b.Engine, b.Isolation
	p.Funcs = map[string]any{
		"search": member("search", "query", "limit"), "send": member("send", "to", "text"), "total": member("total", "list"),
		"book": member("book", "order"), "whoami": t["whoami"], "slow": slow, "pay": pay, "erase": erase, "charge": charge, "strict": strict,
		"Order": (*Order)(nil), "name": "a name",
	}
	p.Packages = []sandtrap.Package{
		{Path: "example.com/mail", Members: map[string]any{"Send": t["example.com/mail.Send"]}},
		{Path: "example.com/desk", Object: Desk{h}},
	}
	p.Files = &sandtrap.Files{Paths: []string{dir + ":rw"}}
	p.Guard = &guard.Policy{
		MaxRisk: decide.High, Budget: guard.NewBudget(5),
		Approver: approver(func(r decide.Request) { *asked = append(*asked, r.Member) }),
		Rules: []rules.Rule{
			{Name: "evil", On: []string{"send"}, When: []rules.Condition{{Param: "to", Regexp: `.*@evil`}}, Do: rules.Block},
			{Name: "csv", On: []string{"file.remove"}, When: []rules.Condition{{Param: "path", Path: []string{"**/*.csv"}}}, Do: rules.Block},
			{Name: "me", On: []string{"file.write"}, When: []rules.Condition{{Param: "path", Path: []string{"**/*.me"}}}, Do: rules.Ask},
		},
	}
	return p
}

// An approver approves, and tells.
type approver func(r decide.Request)

func (a approver) Ask(_ context.Context, list []decide.Request) (answers []decide.Answer, err error) {
	for _, r := range list {
		a(r)
		answers = append(answers, decide.Answer{ID: r.ID, Verdict: decide.Approve})
	}
	return answers, nil
}

// made are the calls of a report that it says would be made, as a host notes them.
func made(t *testing.T, rep *dryrun.Report) (list []string) {
	for _, c := range rep.Calls {
		if c.Decision == record.Deny || strings.HasPrefix(c.Name, "file.") {
			continue
		}
		d := json.NewDecoder(bytes.NewReader(c.Args))
		text := c.Name + "("
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}
		for d.More() {
			name, _ := d.Token()
			var value json.RawMessage
			if err := d.Decode(&value); err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("%s=%s ", name, value)
		}
		list = append(list, text+")")
	}
	return list
}

const helpers = "\nfunc must[T any](v T, err error) T { if err != nil { panic(err) }; return v }\n"

// TestPlanEqualsRun: a dry run with functions that return the same lists the calls that a real run makes afterwards, by what the
// functions note, and the changes that the disk shows then. It calls nothing, asks nobody, spends nothing and touches nothing.
func TestPlanEqualsRun(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		for name, src := range rig.Some(programs, 4) {
			b.In(name, func(b rig.Bench) { planEqualsRun(b, name, src) })
		}
	})
}

func planEqualsRun(b rig.Bench, name, src string) {
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	fill(b.T, dir)
	script := sandtrap.Script{Text: strings.ReplaceAll(src, "DIR", dir)}
	if strings.Contains(src, "must(") {
		script.Text = "package main\nimport (" + imports(src) + ")" + helpers + "func main() {\n" + script.Text + "\n}"
	}
	var asked []string
	real, stubbed := &host{}, &host{}
	p := real.policy(b, dir, &asked)
	budget := p.Guard.(*guard.Policy).Budget
	before := walked(b.T, dir)

	rep, planErr := dryrun.Run(b.Context(), p, script, dryrun.Options{Stubs: stubbed.tools()})
	rig.NoKernel(b, planErr)
	if len(real.calls) > 0 || len(asked) > 0 || budget.Spent() > 0 {
		b.Fatalf("the dry run has called %q, asked about %q and spent %d", real.calls, asked, budget.Spent())
	}
	if now := walked(b.T, dir); !maps.Equal(now, before) {
		b.Fatalf("the dry run has changed the disk: %v", changed(before, now))
	}

	box, err := sandtrap.New(b.Context(), p)
	if err != nil {
		b.Fatal(err)
	}
	defer box.Close()
	res, runErr := box.Run(b.Context(), script)
	if rig.EngineRefused(res) && b.Engine == "yaegi" {
		b.Skip("the engine does not run it")
	}
	if fmt.Sprint(planErr) != fmt.Sprint(runErr) || rep.Result.Stdout != res.Stdout {
		b.Errorf("the dry run ends with %v\n%s\nand the run with %v\n%s", planErr, rep.Result.Stdout, runErr, res.Stdout)
	}
	plan := made(b.T, rep)
	if name == "goroutines" {
		slices.Sort(plan)
		slices.Sort(real.calls)
	}
	if !slices.Equal(plan, real.calls) {
		b.Errorf("the dry run lists\n%q\nand the run calls\n%q", plan, real.calls)
	}
	var asks []string
	for _, c := range rep.Calls {
		if c.Decision == record.Ask {
			asks = append(asks, c.Name)
		}
		inWorker := b.Isolation != sandtrap.None && strings.HasPrefix(c.Name, "file.") // which does not say where these are
		if c.N == 0 || c.At == "" && b.Engine == "vm" && !inWorker {
			b.Errorf("%+v has no place or number", c)
		}
	}
	if !slices.Equal(asks, asked) {
		b.Errorf("the dry run says that it asks about %q, and the run has about %q", asks, asked)
	}
	after := walked(b.T, dir)
	if got, want := planned(rep.Files), changed(before, after); !maps.Equal(got, want) {
		b.Errorf("the dry run lists\n%v\nand the disk shows\n%v", got, want)
	}
	for _, c := range rep.Files {
		if c.After != nil && c.After.SHA256 != "" && c.After.SHA256 != after[c.Path].sum {
			b.Errorf("%s: hash %s", c.Path, c.After.SHA256)
		}
		if c.Diff != "" && c.Kind == vfs.Modified && c.Before.Mode[0] == '-' {
			patched(b.T, c, after[c.Path].sum)
		}
	}
}

// patched checks that the lines of a change lead from what the disk had to what it has, by patch.
func patched(t *testing.T, c dryrun.Change, sum string) {
	if _, err := exec.LookPath("patch"); err != nil {
		return
	}
	dir := t.TempDir()
	fill(t, dir)
	at := filepath.Join(dir, filepath.Base(c.Path))
	cmd := exec.Command("patch", "--quiet", "--fuzz=0", "--no-backup-if-mismatch", at)
	cmd.Stdin = strings.NewReader("--- a\n+++ a\n" + c.Diff)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v %s\n%s", c.Path, err, out, c.Diff)
	}
	if got := walked(t, dir)[at].sum; got != sum {
		text, _ := os.ReadFile(at)
		t.Errorf("%s: patch makes %q of it by\n%s", c.Path, text, c.Diff)
	}
}

// imports are the packages that a program uses.
func imports(src string) (list string) {
	for _, path := range []string{"fmt", "os", "sync", "sort", "time", "example.com/mail", "example.com/desk"} {
		if strings.Contains(src, filepath.Base(path)+".") {
			list += fmt.Sprintf("%q;", path)
		}
	}
	return list
}
