package toolfile_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/toolfile"
)

// TestPackage: two packages with the same declarations have types of their own, by the names of the packages, and a package takes the
// members of two files.
func TestPackage(t *testing.T) {
	list := "package tools\ntype ListIn struct { Owner string }\ntype ListOut struct { N int }\nfunc List(in ListIn) (ListOut, error)\n"
	count := "package tools\ntype CountIn struct { Owner string }\nfunc Count(in CountIn) (int, error)\n"
	var called []string
	call := func(path string) toolfile.Call {
		return func(_ context.Context, name string, args json.RawMessage) (json.RawMessage, error) {
			called = append(called, path+"."+name+string(args))
			if name == "Count" {
				return json.RawMessage("4"), nil
			}
			return json.RawMessage(`{"N":3}`), nil
		}
	}
	var packages []sandtrap.Package
	for _, path := range []string{"github", "gitlab"} {
		p := sandtrap.Package{Path: path, Members: map[string]any{}}
		for _, src := range []string{list, count} {
			f, err := toolfile.ParsePackage(path, "x.go", []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			for name, member := range f.Members(call(path)) {
				p.Members[name] = member
			}
		}
		packages = append(packages, p)
	}
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Packages: packages})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, err := box.Run(t.Context(), sandtrap.Script{Text: `
		r, err := gitlab.List(gitlab.ListIn{Owner: "a"})
		n, _ := github.Count(github.CountIn{})
		fmt.Printf("%T %+v %v %d", r, r, err, n)`})
	if err != nil || res.Stdout != "gitlab.ListOut {N:3} <nil> 4" {
		t.Errorf("%q, %v", res.Stdout, err)
	}
	if got := strings.Join(called, " "); got != `gitlab.List{"in":{"Owner":"a"}} github.Count{"in":{"Owner":""}}` {
		t.Error(got)
	}
	called = nil
	for script, want := range map[string]string{
		`github.List(github.ListIn{Ower: "a"})`: "did you mean Owner?",
		`github.List(gitlab.ListIn{})`:          "cannot use gitlab.ListIn{}",
	} {
		if _, err := box.Run(t.Context(), sandtrap.Script{Text: script}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", script, err)
		}
	}
	if called != nil {
		t.Errorf("%q were called", called)
	}
}
