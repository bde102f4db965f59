package hostwrite

import (
	_ "embed"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// attack is in the language of scripts: it has no package clause and no imports.
//
//go:embed testdata/attack.txt
var attack string

const attackImports = `"bytes"; "encoding/base64"; "encoding/binary"; "encoding/gob"; "encoding/json"; "encoding/xml"; "errors"; "flag"; "fmt"; "io"; "math/rand"; cryptorand "crypto/rand"; "reflect"; "slices"; "sort"; "strings"; "sync/atomic"; "text/template"`

// A variable is one that a row is of, as scripts write it.
type variable struct {
	path, name string
	t          reflect.Type
}

func (v variable) expr() string { return "v." + v.name }

// rowVariables are those of all rows, but for those that each run has of its own.
func rowVariables(t *testing.T) (list []variable) {
	t.Helper()
	for _, p := range builtins.Std() {
		for _, row := range p.Members {
			v := reflect.ValueOf(row.Value)
			if row.Deny || row.Value == nil || row.Settable {
				continue
			}
			switch rt := v.Type(); {
			case rt.Kind() == reflect.Pointer && !v.IsNil():
				list = append(list, variable{p.Path, row.Name, rt.Elem()})
			case rt.Kind() == reflect.Func && rt.NumIn() == 1 && rt.In(0) == reflect.TypeFor[*builtins.Env]() && rt.Out(0).Kind() != reflect.Func:
				list = append(list, variable{p.Path, row.Name, rt.Out(0)})
			}
		}
	}
	if len(list) < 300 {
		t.Fatalf("only %d variables", len(list))
	}
	return list
}

// statements are those that write to x, a variable of type t, or to what it leads to.
func statements(x string, t reflect.Type) []string {
	list := func(x string) []string {
		return []string{
			x + "[0] = " + x + "[1]", x + "[0], " + x + "[1] = " + x + "[1], " + x + "[0]", "clear(" + x + "[:])",
			"copy(" + x + "[:], " + x + "[1:])", "_ = append(" + x + "[:0], " + x + "[1:]...)", "_ = append(" + x + "[:1], " + x + "[5])",
			"slices.Reverse(" + x + "[:])", "_ = slices.Delete(" + x + "[:], 0, 1)", "_ = slices.Insert(" + x + "[:3], 0, " + x + "[4])",
			"sort.Slice(" + x + "[:], func(i, j int) bool { return i > j })", "for _, " + x + "[0] = range " + x + "[1:] {}",
			"_ = slices.CompactFunc(" + x + "[:], func(a, b E) bool { return true })",
			"slices.SortFunc(" + x + "[:], func(a, b E) int { return 1 })", "p := &" + x + "[0]; *p = " + x + "[1]",
			"q := (*[2]E)(" + x + "[:]); q[0] = q[1]", "f := func(e *E) { *e = " + x + "[1] }; f(&" + x + "[0])",
		}
	}
	switch {
	case t.Kind() == reflect.Slice:
		return list(x)
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Array:
		return append(list(x), x+"[0]++", x+"[0] ^= 7", "for "+x+"[0] = range 5 {}", "for i := range "+x+" { "+x+"[i] = 7 }", "*"+x+" = [256]E{}")
	case t.Kind() == reflect.Map:
		return []string{
			"for k := range " + x + " { delete(" + x + ", k); break }", "for k, e := range " + x + " { " + x + "[k+\"x\"] = e; break }", "clear(" + x + ")",
			"maps.DeleteFunc(" + x + ", func(string, E) bool { return true })", "for _, e := range " + x + " { maps.Copy(" + x + ", map[string]E{\"x\": e}) }",
			"var z E; for k := range " + x + " { " + x + "[k] = z }",
		}
	case t.Kind() == reflect.Pointer:
		return []string{"*" + x + " = *" + x, "p := *" + x + "; *" + x + " = p", "swap(" + x + ", " + x + ")", "var p = *" + x + "; q := &p; *" + x + " = *q"}
	}
	return []string{x + " = " + x, "p := &" + x + "; *p = " + x}
}

// elem is the type of the elements of t as scripts write it.
func elem(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map {
		return t.Elem().String()
	}
	return "int"
}

func standard() sandtrap.Policy {
	return sandtrap.Policy{Std: append(sandtrap.StdDefault(), "net/http"), Limits: sandtrap.Limits{Ticks: 100_000_000, Memory: 256 << 20}}
}

// TestVariables: whatever a script does with a variable of a row, the process has what it had.
func TestVariables(t *testing.T) {
	before := digests(processShares(t))
	vars := rowVariables(t)
	byPath := map[string][]variable{}
	for _, v := range vars {
		byPath[v.path] = append(byPath[v.path], v)
	}
	p := standard()
	p.Network = rig.Offline(t) // which opens net/http
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for path, list := range byPath {
		t.Run(path, func(t *testing.T) {
			var src strings.Builder
			fmt.Fprintf(&src, "import (v %q; %s)\n%s\n", path, attackImports, attack)
			for _, v := range list {
				fmt.Fprintf(&src, "attack(%s)\n", v.expr())
			}
			res, err := box.Run(t.Context(), sandtrap.Script{Text: src.String()})
			if d := differing(before, digests(processShares(t))); len(d) > 0 {
				t.Fatalf("other values now: %v", d)
			}
			if tried, _ := res.Vars["tried"].(int); err != nil || tried < 60*len(list) {
				t.Fatalf("%d things were tried of %d variables: %v", tried, len(list), err)
			}
		})
	}
}

// TestStatements: the statements that write to a variable of a row, or to what it leads to, are refused, end the run
// or write to a copy, in both engines.
func TestStatements(t *testing.T) {
	for _, engine := range []string{"vm", "yaegi"} {
		t.Run(engine, func(t *testing.T) { testStatements(t, engine) })
	}
}

func testStatements(t *testing.T, engine string) {
	before := digests(processShares(t))
	p := standard()
	p.Engine = engine
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for _, v := range rowVariables(t) {
		for _, s := range statements(v.expr(), v.t) {
			imports := "\"unicode\"; \"slices\"; \"sort\"; \"maps\"; \"time\"; \"encoding/base64\"; \"encoding/base32\"; \"hash/crc32\""
			src := fmt.Sprintf("import (v %q; %s)\ntype E = %s\nvar _ = unicode.Lu; var _ = slices.Max[[]int]; var _ = sort.Ints; var _ = maps.Keys[map[int]int]; var _ time.Time; var _ base64.CorruptInputError; var _ base32.CorruptInputError; var _ crc32.Table\nfunc swap[T any](a, b *T) { *a, *b = *b, *a }\n%s", v.path, imports, elem(v.t), s)
			res, err := box.Run(t.Context(), sandtrap.Script{Text: src})
			if errors.Is(err, sandtrap.KindSyntax) || errors.Is(err, sandtrap.KindType) && !slices.Contains([]string{"error", "io.Writer", "io.Reader", "os.Signal", "slog.Handler", "bool"}, v.t.String()) {
				t.Errorf("%s: %v", src, res.Error)
			}
		}
	}
	if d := differing(before, digests(processShares(t))); len(d) > 0 {
		t.Errorf("other values now: %v", d)
	}
}
