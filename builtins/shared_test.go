package builtins

import (
	"reflect"
	"testing"
)

// TestRowsAreShared: tables of packages that nothing was changed of have the rows of the standard library, and
// not copies; what a host changes of a package is its table's alone.
func TestRowsAreShared(t *testing.T) {
	make := func(change func(p *Package)) *pkg {
		p := Std("os")[0].Without("files", "none").Without("environment", "none")
		change(&p)
		table, err := NewTable(append(Std("io/fs"), p)...)
		if err != nil {
			t.Fatal(err)
		}
		if table.at("io/fs").Package != stdPackage("io/fs") {
			t.Error("io/fs is a copy")
		}
		return table.at("os")
	}
	same := make(func(*Package) {})
	if again := make(func(*Package) {}); &again.Members[0] != &same.Members[0] {
		t.Error("the denials of os are made again")
	}
	if !same.row("Open").Deny || same.Package == stdPackage("os") || stdPackage("os").Members[0].Why == "none" {
		t.Error("os without files is not a package of its own")
	}
	changed := make(func(p *Package) { p.Prompt = "*" })
	if !changed.promptWords()["*"] || same.promptWords()["*"] || stdPackage("os").Prompt == "*" {
		t.Error("a change of one table's package is not its own")
	}
	for name, change := range map[string]func(p *Package){
		"Prompt": func(p *Package) { p.Prompt = "*" }, "Prints": func(p *Package) { p.Prints = "" }, "OfHost": func(p *Package) { p.OfHost = true },
		"Members": func(p *Package) { p.Members = p.Members[1:] }, "Denied": func(p *Package) { p.Denied = nil },
		"a denial": func(p *Package) { p.Denied = append([]Denial{{Names: "X"}}, p.Denied[1:]...) },
	} {
		for _, path := range []string{"bytes", "os"} {
			p := Std(path)[0]
			if len(p.Denied) == 0 || name == "Prints" && p.Prints == "" {
				continue
			}
			if change(&p); p.Shared() == stdPackage(path) {
				t.Errorf("%s: %s was changed, and it is shared", path, name)
			}
		}
	}
}

// TestRowsAreSmall: there are thousands of rows, in each program of a host's.
func TestRowsAreSmall(t *testing.T) {
	if size := reflect.TypeFor[Member]().Size(); size > 112 {
		t.Errorf("a row takes %d bytes", size)
	}
}
