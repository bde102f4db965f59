// Package nettest tests package net/http of scripts, as hosts, scripts and servers see it, in each isolation.
package nettest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// isolations are those that this machine has.
func isolations(t *testing.T) []sandtrap.Isolation {
	t.Helper()
	list := []sandtrap.Isolation{sandtrap.None, sandtrap.Process}
	if machine.Raced {
		return list
	}
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Isolation: sandtrap.Kernel})
	if err != nil {
		t.Logf("no isolation kernel: %v", err)
		return list
	}
	box.Close()
	return append(list, sandtrap.Kernel)
}

func eachIsolation(t *testing.T, test func(t *testing.T, p sandtrap.Policy)) {
	for _, mode := range isolations(t) {
		t.Run(string(mode), func(t *testing.T) {
			p := rig.Pure()
			p.Isolation, p.Limits.Timeout = mode, 20*time.Second
			test(t, p)
		})
	}
}

func mustBox(t testing.TB, p sandtrap.Policy, n egress.Network) *sandtrap.Sandbox {
	t.Helper()
	p.Network = n
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	return box
}

// program makes one program of those in a directory, that does what its argument names.
func program(t *testing.T, from string) (file string, names []string, texts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	texts = map[string]string{}
	files, _ := filepath.Glob(filepath.Join(from, "*.go"))
	imports, cases := "", ""
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(f), ".go")
		names, texts[name] = append(names, name), string(text)
		own := strings.Replace(string(text), "package main", "package p"+name, 1)
		rig.WriteFile(t, filepath.Join(dir, "p"+name, "p.go"), strings.Replace(own, "func main()", "func Main()", 1))
		imports += fmt.Sprintf("\t%q\n", "programs/p"+name)
		cases += fmt.Sprintf("\tcase %q:\n\t\tp%s.Main()\n", name, name)
	}
	rig.WriteFile(t, filepath.Join(dir, "go.mod"), "module programs\n\ngo 1.26\n")
	rig.WriteFile(t, filepath.Join(dir, "main.go"), "package main\n\nimport (\n\t\"os\"\n"+imports+")\n\nfunc main() {\n\tswitch os.Args[2] {\n"+cases+"\t}\n}\n")
	file = filepath.Join(dir, "program")
	cmd := exec.Command("go", "build", "-o", file, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file, names, texts
}

// TestSameAsGo: programs do the same, compiled by Go against a server of net/http and as scripts.
func TestSameAsGo(t *testing.T) {
	s := newServer(t)
	file, names, texts := program(t, "testdata")
	want := map[string]string{}
	for _, name := range names {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		out, err := exec.CommandContext(ctx, file, s.URL, name).CombinedOutput()
		cancel()
		if err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
		want[name] = string(out)
	}
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		box := mustBox(t, p, s.gate(t))
		for _, name := range names {
			res, err := box.Run(t.Context(), sandtrap.Script{Text: texts[name], Args: []string{"script", s.URL}})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got := res.Stdout + res.Stderr; got != want[name] {
				t.Errorf("%s:\ngot  %s\nwant %s", name, got, want[name])
			}
		}
	})
	if n := s.busy(); n > 0 {
		t.Errorf("%d requests go on", n)
	}
}
