package sandtrap

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"
	"golang.org/x/tools/txtar"

	"github.com/sandtrap-go/sandtrap/vfs"
)

// fill writes the files of an archive.
func fill(t *testing.T, base afero.Fs, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := "/" + f.Name
		if err := base.MkdirAll(name[:strings.LastIndex(name, "/")+1], 0o755); err != nil {
			t.Fatal(err)
		}
		if err := afero.WriteFile(base, name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// moduleBox is a sandbox with packages beneath /lib.
func moduleBox(t *testing.T, archive string, p Policy) (*Sandbox, afero.Fs) {
	t.Helper()
	base := vfs.Mem()
	fill(t, base, archive)
	p.Files = &Files{ModuleRoot: "/lib", Open: func() (afero.Fs, error) { return base, nil }}
	box, err := New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	return box, base
}

const library = `
-- lib/helpers/stats/stats.go --
package stats

import "fmt"

func init() { fmt.Println("init stats") }

type Mean struct{ sum, n float64 }

func (m *Mean) Add(f float64) { m.sum += f; m.n++ }

func (m Mean) String() string { return fmt.Sprintf("mean %.1f", m.sum/m.n) }
-- lib/helpers/stats/stats_test.go --
package stats

this is not Go
-- lib/helpers/report/report.go --
package report

import "helpers/stats"

var Total stats.Mean

func Of(all ...float64) fmtStringer {
	var m stats.Mean
	for _, f := range all {
		m.Add(f)
		Total.Add(f)
	}
	return m
}

type fmtStringer interface{ String() string }

func Fail(n int) int { return []int{1}[n] }

func Loop() {
	for {
	}
}
-- lib/root.go --
package lib
-- other/tools/audit/audit.go --
package audit
`

// TestOwnPackages runs scripts with packages from their files.
func TestOwnPackages(t *testing.T) {
	box, _ := moduleBox(t, library, Policy{Std: StdDefault(), Limits: Limits{Ticks: 100_000}})
	for _, tc := range []struct{ name, src, stdout, err string }{
		{name: "both", src: `package main
import (
	"fmt"
	"helpers/report"
	"helpers/stats"
)
type own struct{ stats.Mean }
func main() {
	var o own
	o.Add(3)
	fmt.Println(report.Of(1, 2), o, report.Total.String())
	fmt.Printf("%T %+v\n", o.Mean, o.Mean)
}`, stdout: "init stats\nmean 1.5 mean 3.0 mean 1.5\nstats.Mean mean 3.0\n"},
		{name: "snippet", src: "import \"helpers/stats\"\nvar m stats.Mean\nm.Add(4)\nx := m\nfmt.Println(x)", stdout: "init stats\nmean 4.0\n"},
		{name: "panic", src: "import \"helpers/report\"\nreport.Fail(5)", stdout: "init stats\n", err: "helpers/report/report.go:18:31: runtime error: index out of range [5] with length 1"},
		{name: "ticks", src: "import \"helpers/report\"\nreport.Loop()", stdout: "init stats\n", err: "ticks"},
		{name: "blank", src: "package main\nimport _ \"helpers/stats\"\nfunc main() {}", stdout: "init stats\n"},
		{name: "blank in a snippet", src: "import _ \"helpers/report\"\nfmt.Println(1)", stdout: "init stats\n1\n"},
		{name: "missing", src: "import \"helpers/nothing\"\nnothing.F()", err: `there is no package "helpers/nothing" here`},
		{name: "misspelt", src: "import \"helper/stat\"\nstat.F()", err: `did you mean import "helpers/stats"?`},
		{name: "elsewhere", src: "import \"tools/audit\"\naudit.F()", err: `there is no package "tools/audit" in /lib; the one in /other/tools/audit is unreachable from there: move it to /lib/tools/audit`},
		{name: "relative", src: "import \"../secret\"\nsecret.F()", err: "nothing outside of it can be"},
		{name: "out", src: "import \"helpers/../../secret\"\nsecret.F()", err: "nothing outside of it can be"},
		{name: "denied all the same", src: "import \"os/exec\"\nexec.Command(\"x\")", err: "scripts may not start programs"},
		{name: "the root", src: "import \"lib\"\nlib.F()", err: `there is no package "lib" here`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, err := box.Run(t.Context(), Script{Text: tc.src})
			if res.Stdout != tc.stdout {
				t.Errorf("stdout %q, want %q", res.Stdout, tc.stdout)
			}
			if tc.err == "" && err != nil || tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err)) {
				t.Errorf("got %v, want %q", err, tc.err)
			}
			if strings.HasPrefix(tc.src, "import") && strings.HasSuffix(tc.src, ".F()") && !errors.Is(err, ErrImport) {
				t.Errorf("%v is no ErrImport", err)
			}
		})
	}
}

// TestOwnPackageMended fails, is mended, and is there: nothing of the failure is
// kept, and nothing of what was there before the change.
func TestOwnPackageMended(t *testing.T) {
	box, base := moduleBox(t, "-- lib/a/a.go --\npackage a\n\nfunc F() int { return \"x\" }\n", Policy{Std: StdDefault()})
	run := func() (string, error) {
		res, err := box.Run(t.Context(), Script{Text: "import \"a\"\nfmt.Print(a.F())"})
		return res.Stdout, err
	}
	if _, err := run(); err == nil || !errors.Is(err, KindType) || !strings.Contains(err.Error(), "a/a.go:3:") {
		t.Errorf("broken: %v", err)
	}
	for _, n := range []int{1, 2} {
		fill(t, base, fmt.Sprintf("-- lib/a/a.go --\npackage a\n\nfunc F() int { return %d }\n", n))
		if out, err := run(); err != nil || out != fmt.Sprint(n) {
			t.Errorf("got %q, %v", out, err)
		}
		if out, err := run(); err != nil || out != fmt.Sprint(n) {
			t.Errorf("again: got %q, %v", out, err)
		}
	}
}

// TestOwnPackageShadowed prefers what the policy offers.
func TestOwnPackageShadowed(t *testing.T) {
	box, _ := moduleBox(t, "-- lib/corp/kv/kv.go --\npackage kv\n\nfunc Name() string { return \"file\" }\n", Policy{
		Std:      StdDefault(),
		Packages: []Package{{Path: "corp/kv", Members: map[string]any{"Name": func() string { return "host" }}}},
	})
	res, err := box.Run(t.Context(), Script{Text: "import \"corp/kv\"\nfmt.Print(kv.Name())"})
	if err != nil || res.Stdout != "host" {
		t.Error(res.Stdout, err)
	}
}

// TestGoMod follows the go.mod at the root.
func TestGoMod(t *testing.T) {
	box, _ := moduleBox(t, `
-- lib/go.mod --
module example.com/app

go 1.26

require (
	example.com/gone v1.2.3
	example.com/local v0.0.0
	example.com/out v0.0.0
)

replace example.com/local => ./third/local

replace example.com/out => ../out
-- lib/util/util.go --
package util

import "example.com/local/deep"

func Name() string { return "util " + deep.Name }
-- lib/third/local/deep/deep.go --
package deep

const Name = "deep"
`, Policy{Std: StdDefault()})
	for _, tc := range []struct{ src, stdout, err string }{
		{src: "import \"example.com/app/util\"\nfmt.Print(util.Name())", stdout: "util deep"},
		{src: "import \"util\"\nfmt.Print(util.Name())", err: `did you mean import "example.com/app/util"?`},
		{src: "import \"example.com/gone/x\"\nx.F()", err: "module example.com/gone of /lib/go.mod is not here, and modules cannot be downloaded"},
		{src: "import \"example.com/out\"\nout.F()", err: "which is outside of /lib"},
	} {
		res, err := box.Run(t.Context(), Script{Text: tc.src})
		if res.Stdout != tc.stdout || tc.err == "" && err != nil || tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err)) {
			t.Errorf("%s: got %q, %v, want %q, %q", tc.src, res.Stdout, err, tc.stdout, tc.err)
		}
	}
}

// TestOwnPackageDenied gives packages no more than the script has.
func TestOwnPackageDenied(t *testing.T) {
	box, _ := moduleBox(t, `
-- lib/evil/evil.go --
package evil

import "os/exec"

func Run() { exec.Command("true").Run() }
-- lib/kept/kept.go --
package kept

import "strings"

func F() string { return strings.Repeat("x", 3) }
`, Policy{Std: StdDefault(), Exclude: []string{"strings.Repeat"}})
	for _, src := range []string{"import \"evil\"\nevil.Run()", "import \"kept\"\nkept.F()"} {
		res, err := box.Run(t.Context(), Script{Text: src})
		if !errors.Is(err, KindDenied) || res.Ticks != 0 {
			t.Errorf("%s: %v after %d ticks", src, err, res.Ticks)
		}
	}
}

// counted counts how often a file is opened, and takes its time for each.
type counted struct {
	afero.Fs
	opens int
	takes time.Duration
}

func (c *counted) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	c.opens++
	time.Sleep(c.takes)
	return c.Fs.OpenFile(name, flag, perm)
}

func (c *counted) Open(name string) (afero.File, error) { return c.OpenFile(name, 0, 0) }

// TestNearIsBounded looks for a package in a tree of many directories, and in one that is
// slow to read.
func TestNearIsBounded(t *testing.T) {
	for _, tc := range []struct {
		name  string
		takes time.Duration
		most  int
	}{
		{"many", 0, maxSearched + 10},
		{"slow", 10 * time.Millisecond, minSearched + 20},
	} {
		t.Run(tc.name, func(t *testing.T) {
			base := &counted{Fs: vfs.Mem()}
			for i := range 10_000 {
				if err := base.MkdirAll(fmt.Sprintf("/lib/d%d/e%d", i%100, i), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			box, err := New(t.Context(), Policy{Files: &Files{ModuleRoot: "/lib", Open: func() (afero.Fs, error) { return base, nil }}})
			if err != nil {
				t.Fatal(err)
			}
			base.opens, base.takes = 0, tc.takes
			_, err = box.Run(t.Context(), Script{Text: "import \"not/there\"\nthere.F()"})
			if err == nil || !strings.Contains(err.Error(), `there is no package "not/there" here`) {
				t.Error(err)
			}
			if base.opens > tc.most {
				t.Errorf("%d files were opened, want at most %d", base.opens, tc.most)
			}
		})
	}
}

// A sealed is a struct of a host that hides something.
type sealed struct{ n int }

// TestPackagesBring: what a package of the script's has from the host is the host's for the script, too, which imports
// nothing of that.
func TestPackagesBring(t *testing.T) {
	one := &sealed{1}
	box, _ := moduleBox(t, "-- lib/own/own.go --\npackage own\nimport \"corp/vault\"\nfunc Get() *vault.Sealed { return vault.Open() }\n-- lib/top/top.go --\npackage top\nimport \"own\"\nvar Get = own.Get\n",
		Policy{Packages: []Package{{Path: "corp/vault", Members: map[string]any{"Sealed": (*sealed)(nil), "Open": func() *sealed { return one }}}}})
	session, err := box.Session()
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	const set = "func set[T any](p *T) { var z T; *p = z }\n"
	for _, text := range []string{set + "import \"own\"\nset(own.Get())", "import \"top\"\n*top.Get() = *top.Get()", "import \"top\"", set + "set(top.Get())"} {
		_, alone := box.Run(t.Context(), Script{Text: text})
		_, cell := session.Run(t.Context(), Script{Text: text})
		if refused := strings.Contains(text, "Get"); refused && (alone == nil || cell == nil) || *one != (sealed{1}) {
			t.Errorf("%s: %v, %v; the host has %v", text, alone, cell, *one)
		}
	}
}
