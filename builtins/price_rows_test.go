package builtins

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// wayOf says who pays for each member: a shim, a type of this module's own, or nobody, because it
// is bounded.
func wayOf(t *Table, r Ref) string {
	name := strings.TrimPrefix(r.String(), r.Path+".")
	p := t.at(r.Path)
	if row := p.row(name); row != nil && row.Value != nil && isShim(reflect.TypeOf(row.Value)) {
		return "shim"
	}
	if r.Owner != "" {
		if rt, _ := p.owner(r); strings.HasPrefix(rt.PkgPath(), "github.com/sandtrap-go/sandtrap") {
			return "own"
		}
	}
	return "bounded"
}

// TestEveryPriceDecided: a function or method of the standard library has a shim, or is one of a
// type of our own, or is in its package's Bounded; and no other name is there.
func TestEveryPriceDecided(t *testing.T) {
	table := tableOf(t, Std()...)
	bounded := map[string]bool{}
	for _, p := range Std() {
		for w := range strings.FieldsSeq(p.Bounded) {
			if bounded[p.Path+"."+w] {
				t.Errorf("%s.%s is in Bounded twice", p.Path, w)
			}
			bounded[p.Path+"."+w] = true
		}
	}
	all := pricedMembers()
	if len(all) < 2000 {
		t.Fatalf("only %d members were found", len(all))
	}
	for _, r := range all {
		way := wayOf(table, r)
		if (way == "bounded") != bounded[r.String()] {
			t.Errorf("%v is a %s member, and in Bounded: %v", r, way, bounded[r.String()])
		}
		delete(bounded, r.String())
	}
	for name := range bounded {
		t.Errorf("%s is in Bounded, and is no function or method", name)
	}
}

var writeTable = flag.Bool("write", false, "write docs/prices.md anew")

const pricesFile = "../docs/prices.md"

// TestPricesDocumented: docs/prices.md has the table of the rows.
func TestPricesDocumented(t *testing.T) {
	text, err := os.ReadFile(pricesFile)
	if err != nil {
		t.Fatal(err)
	}
	const head = "|---|---|---|---|---|\n"
	before, _, ok := strings.Cut(string(text), head)
	if !ok {
		t.Fatalf("%s has no table", pricesFile)
	}
	want := before + head + priceTable(t)
	if *writeTable {
		err = os.WriteFile(pricesFile, []byte(want), 0o644)
	} else if string(text) != want {
		t.Errorf("%s is not what the rows say: go test ./builtins -run TestPricesDocumented -write", pricesFile)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func priceTable(t *testing.T) string {
	table := tableOf(t, Std()...)
	names := map[string]map[string][]string{}
	for _, r := range pricedMembers() {
		if names[r.Path] == nil {
			names[r.Path] = map[string][]string{}
		}
		way := wayOf(table, r)
		names[r.Path][way] = append(names[r.Path][way], strings.TrimPrefix(r.String(), r.Path+"."))
	}
	var out strings.Builder
	for _, p := range Std() {
		if n := names[p.Path]; n != nil {
			fmt.Fprintf(&out, "| %s | %s | %s | %s | %s |\n", p.Path, strings.Join(n["shim"], " "), strings.Join(n["own"], " "), strings.Join(n["bounded"], " "), p.Holds)
		}
	}
	return out.String()
}
