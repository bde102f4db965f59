package sessions

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestSessionReuses: where a cell has used a variable of an earlier one, := goes on with that variable, as it would
// lower down in one function. If the value has another type, the cell declares a variable, as in a block within it.
func TestSessionReuses(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		session := b.Session(sandtrap.Policy{Std: []string{"fmt", "strconv"}, Limits: rig.Limits})
		for i, cell := range []struct{ src, want, failure string }{
			{"n, err := strconv.Atoi(\"1x\")\nfmt.Println(n, err != nil)", "0 true", ""},
			{"func failed() bool { return err != nil }", "", ""},
			{"fmt.Println(err)\nm, err := strconv.Atoi(\"2\")\nfmt.Println(m, err)", "strconv.Atoi: parsing \"1x\": invalid syntax\n2 <nil>", ""},
			{"fmt.Println(failed())", "false", ""},
			{"n := n + 5\nfmt.Println(n)", "5", ""},
			{"if err == nil {\n\tn++\n}\nn, k := n*2, 1\nm, err := strconv.Atoi(\"x\")\nfmt.Println(n, k, m, err != nil, failed())", "12 1 0 true true", ""},
			{"twice := func() int { return 2 * n }", "", ""},
			{"fmt.Println(n)\nn, z := \"text\", 1\nfmt.Println(n, z, twice())", "12\ntext 1 24", ""},
			{"n := len(n)\nfmt.Println(n + 1)", "5", ""},
			{"n := fmt.Sprint(n)\nfmt.Println(n + \"a\")", "4a", ""},
			{"above := func() string { return n }\nk := n + \"b\"\nn := []int{len(k)}\nn = append(n, 2)\nfunc below() []int { return n }", "", ""},
			{"fmt.Println(above(), k, n, below())", "4 4b [2 2] [2 2]", ""},
			{"if len(n) > 0 {\n\tn := 1.5\n\tfmt.Println(n)\n}\nvar n map[string]int\nfmt.Println(n, len(below()))", "1.5\nmap[] 2", ""},
			{"n[\"a\"] = 1\nn := 7", "", "assignment to entry in nil map"},
			{"n += 1\nn, k = \"s\", k", "", "cannot use \"s\" (untyped string constant) as int value in assignment"},
			{"fmt.Println(n.size)\nn := \"x\"", "", "n.size undefined (type int has no field or method size)"},
			{"fmt.Println(failed())\nfailed := 1\nfmt.Println(failed)", "true\n1", ""},
			{"func() { n++ }()\nn, q := n+1, 9\nfmt.Println(n, q)", "2 9", ""},
			{"later := func() int { return n }\nn := \"text\"\nfmt.Println(later(), n)", "2 text", ""},
			{"fact := func(n int) int { if n < 2 { return 1 }; return n * fact(n-1) }\nfmt.Println(fact(3))", "6", ""},
			{"fact := func(n, by int) int { if n < 2 { return by }; return n * fact(n-1, by) }\nfmt.Println(fact(3, 2))", "12", ""},
			{"two := func() int { return three }\nthree := 3\nfmt.Println(two())", "3", ""},
			{"type point struct{ x int }\np := point{3}", "", ""},
			{"fmt.Println(p.x)\ntype point struct{ x, y int }\np := point{1, 2}\nfmt.Println(p)", "3\n{1 2}", ""},
			{"n := \"new\"\nfmt.Println(n)", "new", ""},
			{"fmt.Println(never)\nnever := 1\nfmt.Println(never)", "", "never is used before it is declared on line 2"},
			{"func size() int { return len(n) }\nif size() < 9 {\n\tm = size()\n}\nn := \"longer text\"\nfmt.Println(size(), m)", "11 3", ""},
			{"func show() { fmt.Println(n) }\nshow()\nn := 1.5\nshow()", "", ":1:27: n is used before it is declared on line 3 (show is used before that, too"},
			{"func text() string { return fmt.Sprint(n) }\nn := \"new\"\nm = 0\nfmt.Println(text())", "new", ""},
			{"fmt.Println(n, m, k)", "new 0 4b", ""},
		} {
			res, err := session.Run(b.Context(), sandtrap.Script{Text: cell.src})
			if got := strings.TrimSpace(res.Stdout); got != cell.want || (err == nil) != (cell.failure == "") || err != nil && !strings.Contains(err.Error(), cell.failure) {
				b.Errorf("cell %d, %q: printed %q and ended with %v, want %q and %q", i+1, cell.src, got, err, cell.want, cell.failure)
			}
		}
		const ask = "fmt.Println(above(), len(below()), twice(), n, m, k, p, failed)"
		const answer = "4 2 24 new 0 4b {1 2} 1\n"
		for range 2 {
			if res, err := session.Run(b.Context(), sandtrap.Script{Text: ask}); err != nil || res.Stdout != answer {
				b.Errorf("printed %q and ended with %v, want %q", res.Stdout, err, answer)
			}
			session = moved(b, session)
		}
	})
}

// TestSessionReusesInputs: above a := of a name that a cell has as an input, and an earlier cell declares too, it is the input.
func TestSessionReusesInputs(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		session := b.Session(rig.Pure())
		for _, cell := range []struct{ src, want, failure string }{
			{"fmt.Println(n)", "5", ""},
			{"n := n + 1\nfmt.Println(n)", "6", ""},
			{"fmt.Println(n)\nn := \"text\"", "", "cannot assign a value of type string to n, which is of type int"},
			{"fmt.Println(n)\nvar n string", "", "n is used before it is declared on line 2"},
			{"n := \"text\"\nfmt.Println(n)", "text", ""},
		} {
			res, err := session.Run(b.Context(), sandtrap.Script{Text: cell.src, Inputs: map[string]any{"n": 5}})
			if got := strings.TrimSpace(res.Stdout); got != cell.want || (err == nil) != (cell.failure == "") || err != nil && !strings.Contains(err.Error(), cell.failure) {
				b.Errorf("%q: printed %q and ended with %v, want %q and %q", cell.src, got, err, cell.want, cell.failure)
			}
		}
	})
}

// TestSessionInstances: generic functions of an earlier cell take types wherever in a later cell these are declared: an
// engine may go by positions to tell which types a function declares.
func TestSessionInstances(t *testing.T) {
	cells := []string{"type box[T any] struct { x T }\nfunc pack[T any](x T) box[T] {\n\ttype inner struct { x T }\n\treturn box[T]{inner{x}.x}\n}", "", "fmt.Println(pack(c9(2)))"}
	want := ""
	for i := range 40 {
		cells[1] += fmt.Sprintf("type c%d int\nfmt.Printf(\"%%T\\n\", pack(c%d(1)))\n", i, i)
		want += fmt.Sprintf("main.box[main.c%d]\n", i)
	}
	rig.EachSession(t, func(b rig.Bench) {
		if got := printedBy(b, b.Box(sandtrap.Policy{Std: []string{"fmt"}, Limits: rig.Limits}), cells); got != want+"{2}\nend of session\n" {
			b.Errorf("prints\n%s", got)
		}
	})
}
