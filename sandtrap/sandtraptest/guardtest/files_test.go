package guardtest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// protects blocks operations on what is below keep.
func protects(dir string, ops ...string) *guard.Policy {
	p := &guard.Policy{}
	for _, op := range ops {
		p.Rules = append(p.Rules, rules.Rule{
			Name: "keep " + op, On: []string{op}, When: []rules.Condition{{Param: "path", Path: []string{dir + "/keep/**"}}}, Do: rules.Block, Text: "keep is kept",
		})
	}
	return p
}

// TestFiles: rules about files hold whatever way a script takes, and scripts see them as errors of permission.
func TestFiles(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		dir := b.T.TempDir()
		rig.WriteFile(b.T, filepath.Join(dir, "keep", "a"), "secret")
		rig.WriteFile(b.T, filepath.Join(dir, "b"), "open")
		p := rig.Pure()
		p.Files = &sandtrap.Files{Paths: []string{dir + ":rw"}}
		for name, tc := range map[string]struct{ ops, src string }{
			"read":          {"file.read", `os.ReadFile("/data/keep/a")`},
			"read by dots":  {"file.read", `os.ReadFile("/data/keep/../keep/./a")`},
			"read by chdir": {"file.read", `1, os.Chdir("/data/keep"); _, err = os.ReadFile("a")`},
			"write":         {"file.write", `1, os.WriteFile("/data/keep/a", nil, 0o600)`},
			"append":        {"file.write", `os.OpenFile("/data/keep/a", os.O_APPEND|os.O_WRONLY, 0)`},
			"new":           {"file.write", `os.Create("/data/keep/n")`},
			"truncate":      {"file.write", `1, os.Truncate("/data/keep/a", 0)`},
			"remove":        {"file.remove", `1, os.Remove("/data/keep/a")`},
			"remove all":    {"file.remove", `1, os.RemoveAll("/data")`},
			"move away":     {"file.remove", `1, os.Rename("/data/keep", "/data/other")`},
			"move onto":     {"file.write", `1, os.Rename("/data/b", "/data/keep/a")`},
			"mkdir":         {"file.mkdir", `1, os.MkdirAll("/data/keep/x/y", 0o700)`},
			"chmod":         {"file.change", `1, os.Chmod("/data/keep/a", 0o777)`},
			"list":          {"file.list", `os.ReadDir("/data/keep")`},
			"walk":          {"file.list", `1, filepath.WalkDir("/data", func(_ string, _ fs.DirEntry, err error) error { return err })`},
			"fs.FS":         {"file.read", `fs.ReadFile(os.DirFS("/data"), "keep/a")`},
		} {
			p := p
			rig.WriteFile(b.T, filepath.Join(dir, "b"), "open") // in a worker, which removes one after the other, it may be gone
			p.Std = append(p.Std, "io/fs")
			p.Guard = protects(dir, strings.Split(tc.ops, " ")...)
			res, err := b.RunOnce(p, "_, err := "+strings.ReplaceAll(tc.src, "/data", dir)+"\nfmt.Print(errors.Is(err, fs.ErrPermission), err)")
			if err != nil || !strings.HasPrefix(res.Stdout, "true ") || !strings.Contains(res.Stdout, "is not allowed: keep is kept") {
				b.T.Errorf("%s: %q, %v", name, res.Stdout, err)
			}
			text, err := os.ReadFile(filepath.Join(dir, "keep", "a"))
			if err != nil || string(text) != "secret" {
				b.T.Errorf("%s: %q, %v", name, text, err)
			}
		}
	})
}

// TestFileLinks: a rule is about the file that a link leads to.
func TestFileLinks(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		p := rig.Pure()
		p.Files = &sandtrap.Files{}
		const made = "os.MkdirAll(\"/data/keep\", 0o700)\nos.WriteFile(\"/data/keep/a\", nil, 0o600)\n"
		p.Guard = protects("/data", "file.read")
		res, err := b.RunOnce(p, made+`err := os.Symlink("/data", "/tmp/l"); fmt.Println(err)
_, err = os.ReadFile("/tmp/l/keep/a"); fmt.Println(err)
os.Symlink("keep/a", "/data/m")
_, err = os.ReadFile("/tmp/l/m"); fmt.Println(err)`)
		const refused = "permission denied: file.read is not allowed: keep is kept (the same call is refused again: change it, or go on without it)\n"
		if err != nil || res.Stdout != "<nil>\nopen /tmp/l/keep/a: "+refused+"open /tmp/l/m: "+refused {
			b.T.Errorf("%q, %v", res.Stdout, err)
		}
	})
}

// TestReadBeforeWrite: the built-in rule wants a file to be read before it is written.
func TestReadBeforeWrite(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		p := rig.Pure()
		dir := b.T.TempDir()
		rig.WriteFile(b.T, filepath.Join(dir, "a"), "old")
		p.Files = &sandtrap.Files{Paths: []string{dir + ":rw"}}
		p.Guard = &guard.Policy{Rules: []rules.Rule{{Use: "read_before_write"}}}
		s := b.Session(p)
		for src, want := range map[string]bool{"fmt.Print(os.WriteFile(`/data/a`, []byte(`new`), 0o600))": true} {
			res, err := s.Run(b.T.Context(), sandtrap.Script{Text: strings.ReplaceAll(src, "/data", dir)})
			if err != nil || strings.Contains(res.Stdout, "is not allowed") != want {
				b.T.Errorf("%q %v", res.Stdout, err)
			}
		}
		const made = "fmt.Print(os.WriteFile(`/data/new`, nil, 0o600), os.WriteFile(`/data/new`, []byte(`more`), 0o600))"
		if res, err := s.Run(b.T.Context(), sandtrap.Script{Text: strings.ReplaceAll(made, "/data", dir)}); err != nil || res.Stdout != "<nil> <nil>" {
			b.T.Errorf("%q %v", res.Stdout, err)
		}
		if res, err := s.Run(b.T.Context(), sandtrap.Script{Text: strings.ReplaceAll("os.ReadFile(`/data/a`)", "/data", dir)}); err != nil {
			b.T.Error(res.Stdout, err)
		}
		if res, err := s.Run(b.T.Context(), sandtrap.Script{Text: strings.ReplaceAll("fmt.Print(os.WriteFile(`/data/a`, []byte(`new`), 0o600))", "/data", dir)}); err != nil || res.Stdout != "<nil>" {
			b.T.Errorf("%q %v", res.Stdout, err)
		}
	})
}

// TestRecord: each call and each operation on a file is one decision in the record, between the begin and the end of its run.
func TestRecord(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		events := make(chan record.Event, 100)
		p := rig.Pure()
		p.Files = &sandtrap.Files{}
		p.Funcs = map[string]any{"get": sandtrap.Member{Value: func(n int, token string) error { return errors.New("no page") }, Params: []string{"n", "token"}}}
		p.Guard = &guard.Policy{Deny: []string{"file.mkdir"}, Record: record.Func(func(e record.Event) error { events <- e; return nil })}
		if res, err := b.RunOnce(p, "get(7, `hunter2`)\nos.WriteFile(`/x`, nil, 0o600)\nos.Mkdir(`/d`, 0o700)"); err != nil {
			b.T.Fatal(res.Stderr, err)
		}
		close(events)
		var got []string
		for e := range events {
			if e.Kind == record.KindUse {
				continue // see TestUse
			}
			got = append(got, strings.Join([]string{string(e.Kind), e.Member, string(e.Args), string(e.Decision), string(e.Code), e.Error, e.Outcome}, " "))
		}
		want := []string{
			"start      ", `decision get {"n":7,"token":"[redacted]"} allow   `, `return get {"n":7,"token":"[redacted]"}   no page `,
			`decision file.write {"path":"/x"} allow   `, `return file.write {"path":"/x"}    `, `decision file.mkdir {"path":"/d"} deny policy  `, "end      ok",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			b.T.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// TestRecordFails: a run whose record cannot be written ends, and the call is not made.
func TestRecordFails(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		calls := 0
		p := rig.Pure()
		p.Funcs = map[string]any{"get": func() error { calls++; return nil }}
		full := record.Func(func(record.Event) error { return errors.New("no space left") })
		p.Guard = &guard.Policy{Record: full}
		res, err := b.RunOnce(p, "get(); fmt.Println(1)")
		if !errors.Is(err, sandtrap.KindDenied) || res.Stdout != "" || calls > 0 || !strings.Contains(err.Error(), "the record of the run cannot be written") {
			b.T.Errorf("%q, %v, %d", res.Stdout, err, calls)
		}
		p.Guard = &guard.Policy{Record: full, RecordMayFail: true}
		if res, err := b.RunOnce(p, "get(); fmt.Println(1)"); err != nil || res.Stdout != "1\n" || calls != 1 {
			b.T.Errorf("%q, %v, %d", res.Stdout, err, calls)
		}
	})
}
