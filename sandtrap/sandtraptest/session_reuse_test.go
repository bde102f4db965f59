package sandtraptest

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestSessionReuses: where a cell has used a variable of an earlier one, := goes on with that variable, as it would
// lower down in one function.
func TestSessionReuses(t *testing.T) {
	eachSession(t, func(b bench) {
		session := b.session(sandtrap.Policy{Std: []string{"fmt", "strconv"}, Limits: limits})
		for i, cell := range []struct{ src, want, failure string }{
			{"n, err := strconv.Atoi(\"1x\")\nfmt.Println(n, err != nil)", "0 true", ""},
			{"func failed() bool { return err != nil }", "", ""},
			{"fmt.Println(err)\nm, err := strconv.Atoi(\"2\")\nfmt.Println(m, err)", "strconv.Atoi: parsing \"1x\": invalid syntax\n2 <nil>", ""},
			{"fmt.Println(failed())", "false", ""},
			{"n := n + 5\nfmt.Println(n)", "5", ""},
			{"if err == nil {\n\tn++\n}\nn, k := n*2, 1\nm, err := strconv.Atoi(\"x\")\nfmt.Println(n, k, m, err != nil, failed())", "12 1 0 true true", ""},
			{"fmt.Println(n)\nn, z := \"text\", 1\nfmt.Println(n, z)", "", "cannot assign a value of type string to n, which is of type int"},
			{"n := fmt.Sprint(n)\nfmt.Println(n + \"a\")", "", "cannot assign a value of type string to n, which is of type int (this is the n of an earlier cell"},
			{"k := n + 1\nn := []int{k}\nn = append(n, 2)", "", ":2:1: cannot assign a value of type []int to n"},
			{"fmt.Println(failed())\nfailed := 1\nfmt.Println(failed)", "", "failed"},
			{"n := \"new\"\nfmt.Println(n)", "new", ""},
			{"fmt.Println(later)\nlater := 1\nfmt.Println(later)", "", "later is used before it is declared on line 2"},
			{"fmt.Println(n, m, k)", "new 0 1", ""},
		} {
			res, err := session.Run(b.Context(), sandtrap.Script{Text: cell.src})
			if got := strings.TrimSpace(res.Stdout); got != cell.want || (err == nil) != (cell.failure == "") || err != nil && !strings.Contains(err.Error(), cell.failure) {
				b.Errorf("cell %d, %q: printed %q and ended with %v, want %q and %q", i+1, cell.src, got, err, cell.want, cell.failure)
			}
		}
	})
}
