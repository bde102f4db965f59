package builtins

import (
	"context"
	"go/types"
	"net/http"
	"reflect"
	"runtime"
	"testing"
)

type ofHost struct{ N int }

func (ofHost) Do(http.Header) {}

// TestBasesAreShared: tables with the same selection of the standard library have the same go/types of it, whatever else
// they have, and each its own of the rest.
func TestBasesAreShared(t *testing.T) {
	without := func(p Package) Package { return p.Without("files", "none") }
	same := func(a, b *Table, path string) bool {
		t.Helper()
		x, err := a.Import(path)
		y, err2 := b.Import(path)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		return x == y
	}
	plain := tableOf(t, Std("fmt", "os", "io/fs")...)
	funcs, err := Predeclare(map[string]any{"f": func(context.Context, ofHost) {}, "T": (*ofHost)(nil)})
	if err != nil {
		t.Fatal(err)
	}
	hosts := tableOf(t, append(Std("fmt", "os", "io/fs"), funcs)...)
	if !same(plain, hosts, "fmt") || !same(plain, hosts, "os") {
		t.Error("tables of one selection have types of their own")
	}
	less := func() *Table { return tableOf(t, Std("fmt")[0], without(Std("os")[0]), Std("io/fs")[0]) }
	one := less()
	if !same(one, less(), "os") {
		t.Error("tables of a selection without files have types of their own")
	}
	excluded, err := Std("os")[0].Select(Filter{Exclude: []string{"Exit"}})
	if err != nil {
		t.Fatal(err)
	}
	for what, other := range map[string]*Table{
		"one without files":   one,
		"a smaller one":       tableOf(t, Std("os", "io/fs")...),
		"one with a denial":   tableOf(t, Std("fmt")[0], excluded, Std("io/fs")[0]),
		"one of other denial": tableOf(t, Std("fmt")[0], Std("os")[0].Without("files", "other"), Std("io/fs")[0]),
	} {
		if same(plain, other, "os") || same(one, other, "os") && other != one {
			t.Errorf("%s has the types of another selection", what)
		}
	}
	for rt, inBase := range map[reflect.Type]bool{
		reflect.TypeFor[ofHost](): false, reflect.TypeFor[http.Header](): true, reflect.TypeFor[context.Context](): true,
	} {
		typ := hosts.shape(rt).(*types.Named)
		if _, ok := hosts.base.types[rt]; ok != inBase {
			t.Errorf("%v is of the base: %v", rt, ok)
		}
		if back, err := hosts.TypeOf(typ); err != nil || back != rt || hosts.shape(rt) != typ {
			t.Errorf("%v comes back as %v, %v", rt, back, err)
		}
		if (plain.shape(rt) == typ) != inBase {
			t.Errorf("%v is shared, or is not", rt)
		}
	}
}

// TestBaseIsNotAHosts: packages of the host's that what is of Go depends on are below no other table.
func TestBaseIsNotAHosts(t *testing.T) {
	for what, own := range map[string]func() (Package, error){
		"a package in place of Go's": func() (Package, error) { return Host("net/http", "", map[string]any{"F": func() {}}) },
		"a type of Go's":             func() (Package, error) { return Host("x.org/x", "", map[string]any{"H": (*http.Header)(nil)}) },
	} {
		p, err := own()
		if err != nil {
			t.Fatal(err)
		}
		if table := tableOf(t, append(Std("fmt"), p)...); table.base != nil {
			t.Errorf("%s: the table has a base", what)
		}
	}
}

// TestBasesGo: a base is gone when no table is over it.
func TestBasesGo(t *testing.T) {
	key := "bufio\nfmt\n"
	table := tableOf(t, Std("fmt", "bufio")...)
	known := func() bool {
		bases.Lock()
		defer bases.Unlock()
		_, ok := bases.of[key]
		return ok
	}
	if !known() {
		t.Fatal("the selection has another key")
	}
	runtime.KeepAlive(table)
	for range 100 {
		if runtime.GC(); !known() {
			return
		}
		runtime.Gosched()
	}
	t.Error("a base without a table is still known")
}
