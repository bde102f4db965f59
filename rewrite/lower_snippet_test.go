package rewrite

import (
	"go/types"
	"testing"
)

func TestLowerSnippet(t *testing.T) {
	for _, src := range []string{`
a, err := strconv.Atoi("1")
b, err := strconv.Atoi("2")
var t = struct{ X int; strings.Builder }{X: 1}
p := &t
var q, r int = 1, 2
fmt.Println(a+b, p, q, r, err)
strings.Cut("a", "b")
len("x")
f(3)
1+time.Second
func f(n int) int { return a+n }
t.X++
in
`} {
		p := lower(t, src, Input{Name: "in", Type: types.NewMap(types.Typ[types.String], types.Universe.Lookup("any").Type())})
		t.Log(p.Text(), p.Echoes(), p.Vars(), p.Bindings())
		if err := recheck(p); err != nil {
			t.Error(err)
		}
		if err := buildSSA(p); err != nil {
			t.Error(err)
		}
	}
}
