package sandtraptest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

type (
	vUser struct { // a member
		Name string
		Sub  *vUser
	}
	vUserID string // a member
	vIDs    []vUserID
	vOrder  struct { // no member, of one that is
		ID   int
		User vUser
		Note string
	}
	vOrders struct { // no member, of one that is, behind a pointer
		ID   vUserID
		User *vUser
		Tags map[string]vUser
	}
	vNode struct { // no member, holds itself
		V    int
		Next *vNode
	}
	vTree struct {
		V    int
		Kids []*vTree
		By   map[string]*vTree
	}
	vPlain struct{ A, B int }
	vLock  struct {
		sync.Mutex
		N int
	}
)

func list(n ...int) (head *vNode) {
	for i := len(n) - 1; i >= 0; i-- {
		head = &vNode{n[i], head}
	}
	return head
}

var vTypes = map[string]any{"User": (*vUser)(nil), "UserID": (*vUserID)(nil)}

// call calls the function that a script left, with arguments.
func call(name string, args ...any) func(*sandtrap.Result) string {
	return func(res *sandtrap.Result) string {
		got, err := res.Func(name).Call(context.Background(), args...)
		return fmt.Sprintf("%v %v %s", got.Returned, err, got.Stdout)
	}
}

// again gives what the function f has returned to the function g.
func again(f, g string) func(*sandtrap.Result) string {
	return func(res *sandtrap.Result) string {
		got, err := res.Func(f).Call(context.Background())
		if err != nil {
			return err.Error()
		}
		return fmt.Sprintf("%T ", got.Returned[0]) + call(g, got.Returned...)(res)
	}
}

// asJSON is v in JSON, or what is wrong with that.
func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "no JSON"
	}
	return string(b)
}

func twice(v any) any { return v }

var valueRegistrations = []registration{
	// Inputs.
	{name: "an input with a listed field", types: vTypes, inputs: map[string]any{"in": vOrder{1, vUser{Name: "ann"}, "n"}}, src: `fmt.Println(in.ID, in.User.Name, in.Note)`},
	{name: "an input with listed fields behind others", types: vTypes, inputs: map[string]any{"in": vOrders{"u", &vUser{Name: "ann", Sub: &vUser{Name: "bob"}}, map[string]vUser{"x": {Name: "eve"}}}}, src: `fmt.Println(in.ID, in.User.Sub.Name, in.Tags["x"].Name)`},
	{name: "a list of such inputs", types: vTypes, inputs: map[string]any{"in": []vOrder{{1, vUser{Name: "ann"}, "n"}}}, src: `for _, o := range in { fmt.Println(o.ID, o.User.Name); var u reg.User = o.User; fmt.Println(u.Name) }`},
	{name: "a pointer to such an input", types: vTypes, inputs: map[string]any{"in": &vOrder{1, vUser{Name: "ann"}, "n"}}, src: `in.Note = "changed"; fmt.Println(in.Note, in.User.Name)`},
	{name: "a pointer to a listed input", types: vTypes, inputs: map[string]any{"in": &vUser{Name: "ann"}}, src: `in.Name = "bob"; fmt.Println(in.Name); var u *reg.User = in; fmt.Println(u.Name)`},
	{name: "a list that holds itself by its type", err: "between host and script: the type holds itself, and only a member of Packages or Funcs may: list it there", inputs: map[string]any{"in": list(1, 2, 3)}, src: `for n := in; n != nil; n = n.Next { fmt.Println(n.V) }`},
	{name: "a tree", err: "the type holds itself", inputs: map[string]any{"in": vTree{1, []*vTree{{V: 2}}, map[string]*vTree{"k": {V: 3}}}}, src: `fmt.Println(in.V, in.Kids[0].V, in.By["k"].V)`},
	{name: "a listed list that holds itself", types: vTypes, inputs: map[string]any{"in": vUser{"a", &vUser{"b", &vUser{Name: "c"}}}}, src: `for u := &in; u != nil; u = u.Sub { fmt.Println(u.Name) }`},
	{name: "a tree that is copied", err: "the type holds itself", copied: true, inputs: map[string]any{"in": vTree{1, []*vTree{{V: 2}}, map[string]*vTree{"k": {V: 3}}}}, src: `fmt.Println(in.V, in.Kids[0].V, in.By["k"].V)`},
	{name: "a list that is copied", err: "the type holds itself", copied: true, inputs: map[string]any{"in": list(1, 2)}, src: `fmt.Println(in.V)`},
	{name: "a copied listed one", copied: true, types: vTypes, inputs: map[string]any{"in": vUser{"ann", &vUser{Name: "bob"}}}, src: `fmt.Println(in.Name, in.Sub.Name); var u reg.User = in; fmt.Println(u.Name)`},
	{name: "a copied listed one, changed", copied: true, types: vTypes, inputs: map[string]any{"in": &vUser{"ann", &vUser{Name: "bob"}}, "same": &vUser{Name: "x"}}, src: `in.Sub.Name = "zoe"; fmt.Println(in.Name, in.Sub.Name)`},
	{name: "a copied plain one", copied: true, inputs: map[string]any{"in": &vPlain{1, 2}, "m": map[string]int{"a": 1}}, src: `in.A = 3; m["b"] = 1; fmt.Println(in.A, len(m))`},
	{name: "an input with a lock", err: "value.Mutex of type sync.Mutex cannot be copied", inputs: map[string]any{"in": &vLock{N: 1}}, src: `fmt.Println(in.N)`},
	{name: "an input of a named list", types: vTypes, inputs: map[string]any{"in": vIDs{"a", "b"}}, src: `for _, id := range in { fmt.Println(id) }; var x reg.UserID = in[0]; fmt.Println(x)`},
	{name: "an input with a fixed zone", inputs: map[string]any{"in": time.Date(2024, 1, 2, 3, 4, 5, 0, time.FixedZone("CEST", 7200))}, src: `fmt.Println(in); n, o := in.Zone(); fmt.Println(n, o, in.Location())`},
	// Results.
	{name: "a result of a named list", types: vTypes, result: func() any { return new(vIDs) }, src: `result := []reg.UserID{"a", "b"}`},
	{name: "a result of a recursive type", result: func() any { return new(vNode) }, src: "type N struct { V int; Next *N }\nresult := N{1, &N{2, nil}}", after: nil},
	{name: "a result of the host's struct with a listed one", types: vTypes, result: func() any { return new(vOrder) }, src: "type O struct { ID int; User reg.User; Note string }\nresult := O{1, reg.User{Name: `a`}, `n`}"},
	{name: "a result that does not fit", types: vTypes, result: func() any { return new(vPlain) }, kind: sandtrap.KindContract, src: `fmt.Println("runs"); result := "x"`},
	{name: "a result of another field", types: vTypes, result: func() any { return new(vPlain) }, kind: sandtrap.KindContract, src: "fmt.Println(`runs`)\ntype P struct { A int; C string }\nresult := P{}"},
	{name: "a result of a listed type that does not fit", types: vTypes, result: func() any { return new(vUser) }, kind: sandtrap.KindContract, src: `fmt.Println("runs"); result := reg.UserID("x")`},
	{name: "a result that may fit", types: vTypes, result: func() any { return new(vUser) }, kind: sandtrap.KindContract, src: `fmt.Println("runs"); var result any = reg.UserID("x")`},
	{name: "a result of an id", types: vTypes, result: func() any { return new(vUserID) }, src: `result := reg.UserID("x")`},
	{name: "a result of a time", result: func() any { return new(time.Time) }, src: `result := time.Date(2024, 1, 2, 3, 4, 5, 0, time.FixedZone("CEST", 7200))`},
	{name: "a result with a function", result: func() any { return new(struct{ F *sandtrap.Func }) }, src: "result := struct { F func() int }{func() int { return 3 }}"},
	{name: "a variable with a fixed zone", src: `x := time.Date(2024, 1, 2, 3, 4, 5, 0, time.FixedZone("CEST", 7200)); fmt.Println(x)`, after: func(res *sandtrap.Result) string { return fmt.Sprint(res.Vars["x"]) }},
	{name: "a tool with a fixed zone", funcs: one("at", func(t time.Time) time.Time { return t.Add(time.Hour) }), src: `fmt.Println(at(time.Date(2024, 1, 2, 3, 4, 5, 0, time.FixedZone("CEST", 7200))), at(time.Date(2024, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))))`},
	// Functions.
	{name: "a map given to another function", src: `f := func() map[string]any { return map[string]any{"a": 1, "l": []any{1, "x", nil}, "m": map[string]any{"k": 2.5}} }; g := func(m map[string]any) string { return fmt.Sprint(m) }`, after: again("f", "g")},
	{name: "a struct given to another function", src: "type P struct { X, Y int; L []string }\nf := func() P { return P{1, 2, []string{`a`}} }; g := func(p P) string { return fmt.Sprint(p) }", after: again("f", "g")},
	{name: "a pointer given to another function", src: "type P struct { X, Y int }\nf := func() *P { return &P{1, 2} }; g := func(p *P) string { return fmt.Sprint(*p) }", after: again("f", "g")},
	{name: "a struct given as any", src: "type P struct { X, Y int }\nf := func() P { return P{1, 2} }; g := func(p any) string { return fmt.Sprintf(`%v %T`, p, p) }", after: again("f", "g")},
	{name: "a list of structs given to another function", src: "type P struct { X, Y int }\nf := func() []P { return []P{{1, 2}} }; g := func(p []P) string { return fmt.Sprint(p) }", after: again("f", "g")},
	{name: "an error given to another function", src: "f := func() error { return io.EOF }; g := func(e error) string { return fmt.Sprint(e == io.EOF) }", after: again("f", "g")},
	{name: "anys given to another function", src: "f := func() []any { return []any{1, int8(2), `x`, nil, []int{3}} }; g := func(l []any) string { return fmt.Sprintf(`%v %T %T`, l, l[1], l[4]) }", after: again("f", "g")},
	{name: "a host's struct as an argument", src: "type P struct { A, B int }\ng := func(p P) string { return fmt.Sprint(p) }", after: call("g", vPlain{1, 2})},
	{name: "a host's struct as any", src: "type P struct { A, B int }\ng := func(p any) string { return fmt.Sprintf(`%v %T`, p, p) }", after: call("g", vPlain{1, 2})},
	{name: "a host's numbers as any", src: "g := func(l ...any) string { return fmt.Sprintf(`%v`, l) }", after: call("g", vUserID("x"), []vUserID{"y"}, map[vUserID]vPlain{"k": {1, 2}}, &vPlain{3, 4})},
	{name: "a recursive argument", src: "type N struct { V int; Next *N }\ng := func(n *N) int { return n.V + n.Next.V }", after: call("g", list(1, 2))},
	{name: "a recursive argument as any", src: "g := func(n any) string { return fmt.Sprint(n) }", after: call("g", vNode{1, nil})},
	{name: "a listed argument", types: vTypes, src: "g := func(u reg.User, id reg.UserID) string { return u.Name + string(id) }", after: call("g", vUser{Name: "ann"}, vUserID("i"))},
	{name: "a host's argument with a lock", src: "g := func(n any) string { return fmt.Sprint(n) }", after: call("g", &vLock{N: 1})},
	{name: "what returns nothing much", src: "g := func() (any, map[string]int, []int, *int, error) { return nil, nil, nil, nil, nil }", after: call("g")},
	// Arguments of tools.
	{name: "any of a list of a type", funcs: one("kind", func(v any) string { return fmt.Sprintf("%v %+v", v, v) + asJSON(v) }), src: "type P struct { X int }\nfmt.Println(kind([]P{{1}}))"},
	{name: "any of a type", funcs: one("kind", func(v any) string { return fmt.Sprintf("%v", v) }), src: "type P struct { X int }\nfmt.Println(kind(P{1}))"},
	{name: "any of a map of a type", funcs: one("kind", func(v any) string { return fmt.Sprintf("%v", v) }), src: "type P struct { X int }\nfmt.Println(kind(map[string]any{`p`: P{1}}))"},
	{name: "any of a named number", funcs: one("kind", func(v any) string { return fmt.Sprintf("%v", v) }), src: "type N int\nfmt.Println(kind(N(1)))"},
	{name: "any of a type as JSON", funcs: one("kind", asJSON), src: "type P struct { X int `json:\"x\"`; y int }\ntype M struct { F func() }\ntype T int\nfunc (t T) MarshalText() ([]byte, error) { return []byte(fmt.Sprint(`t`, int(t))), nil }\nfmt.Println(kind(P{1, 2}), kind(&P{3, 4}), kind(M{}), kind(T(5)), kind(map[string]T{`k`: 6}), kind([]any{P{7, 8}, nil}))"},
	{name: "any that the host keeps", funcs: func() map[string]any {
		var kept []any
		return map[string]any{"keep": func(v any) { kept = append(kept, v) }, "kept": func(n int) any { return kept[n] }, "same": func(a, b any) bool { return a == b }}
	}, src: "type P struct { X int }\np := &P{1}; m := map[string]*P{`p`: p}\nkeep(p); keep(m); keep([]any{p, *p})\np.X = 2\nfmt.Println(kept(0).(*P) == p, kept(1).(map[string]*P)[`p`] == p, kept(2).([]any)[0] == any(p), kept(2).([]any)[1].(P).X, same(p, p), same(P{1}, P{1}))"},
	{name: "any of a pointer", funcs: one("kind", func(v any) string { return fmt.Sprintf("%T", v) }), src: "x := 1\nfmt.Println(kind(&x), kind([]*int{&x}))"},
	{name: "any of anonymous structs", funcs: one("kind", func(v any) string { return fmt.Sprintf("%v %+v", v, v) + asJSON(v) }), src: "fmt.Println(kind(struct{ X, Y int }{1, 2}), kind([]struct{ X int }{{3}}))"},
	{name: "any that comes back", funcs: one("twice", twice), src: "type P struct { X int }\np := &P{1}\nfmt.Println(twice(1) == any(1), twice(`x`), twice([]int{1}), twice(map[string]any{`a`: 1}), twice(nil) == nil)"},
	{name: "any of a type that comes back", funcs: one("twice", twice), src: "type P struct { X int }\np := &P{1}\nq, ok := twice(p).(*P)\nfmt.Println(q == p, ok)\nr, ok := twice(*p).(P)\nfmt.Println(r, ok)"},
	{name: "any of a function", differs: "functions cross as arguments of their type alone", funcs: one("twice", twice), src: "f := func() int { return 1 }\ng, ok := twice(f).(func() int)\nfmt.Println(ok && g() == 1)"},
	{name: "a structure of the script's type as a listed one", types: vTypes, funcs: one("kind", func(v any) string { return fmt.Sprintf("%T %v", v, v) }), src: "fmt.Println(kind(reg.User{Name: `a`}), kind(reg.UserID(`x`)), kind([]reg.UserID{`y`}), kind(map[reg.UserID]reg.User{`z`: {}}))"},
	{name: "any results of listed types", types: vTypes, funcs: one("get", func(n int) any {
		return []any{vUser{Name: "u"}, vUserID("i"), &vUser{Name: "p"}, []vUser{{Name: "l"}}, map[string]vUserID{"k": "v"}}[n]
	}), src: "u, ok := get(0).(reg.User); fmt.Println(u.Name, ok)\ni, ok := get(1).(reg.UserID); fmt.Println(i, ok)\np, ok := get(2).(*reg.User); fmt.Println(p.Name, ok)\nl, ok := get(3).([]reg.User); fmt.Println(l[0].Name, ok)\nm, ok := get(4).(map[string]reg.UserID); fmt.Println(m, ok)"},
	{name: "any results of types that are not listed", differs: "a list of such values is shown as one", funcs: one("get", func(n int) any {
		return []any{vPlain{1, 2}, &vPlain{3, 4}, []vPlain{{5, 6}}, vUserID("i"), list(1), time.FixedZone("X", 60)}[n]
	}), src: "for i := range 5 { fmt.Printf(`%v`, get(i) != nil) }\nfmt.Printf(`%v %v %v`, get(0), get(2), get(3))"},
	{name: "type names of any results", differs: "a number or a text of the host's crosses as what it is made of", funcs: one("get", func(n int) any { return []any{vPlain{1, 2}, &vPlain{3, 4}, vUserID("i"), list(1)}[n] }), src: "for i := range 4 { fmt.Printf(`%T `, get(i)) }"},
	{name: "type names of inputs", types: vTypes, inputs: map[string]any{"a": vPlain{1, 2}, "b": vUser{}, "c": vOrder{}, "d": vUserID("x")}, src: "fmt.Printf(`%T %T %T %T`, a, b, c, d)"},
	{name: "type names of errors", funcs: one("fail", func(n int) error {
		return []error{fmt.Errorf("x"), fmt.Errorf("w: %w", errBad), &sameLimit{}, sameCode(1), errBad}[n]
	}), src: "for i := range 5 { fmt.Printf(`%T `, fail(i)) }"},
	// Locks and what is of no use to the host.
	{name: "locks among variables", src: "var mu sync.Mutex; mu.Lock()\nvar rw sync.RWMutex; rw.RLock()\nvar once sync.Once; once.Do(func() {})\nvar wg sync.WaitGroup; wg.Wait()\nx := 1; p := &sync.Mutex{}", after: func(res *sandtrap.Result) string {
		return fmt.Sprint(len(res.Vars), res.Vars["x"]) + string(res.JSON("mu")) + string(res.JSON("p"))
	}},
	{name: "a struct with a lock", src: "type S struct { mu sync.Mutex; N int }\ns := &S{N: 1}; s.mu.Lock()\nt := []*S{s}", after: func(res *sandtrap.Result) string {
		return string(res.JSON("s")) + string(res.JSON("t")) + fmt.Sprint(len(res.Vars))
	}},
	{name: "channels and functions among variables", differs: "what is no data does not cross, with a warning", src: "c := make(chan int, 1); c <- 1\nf := func() int { return 1 }\nm := map[string]func() int{`f`: f}\nl := []chan int{c}\np := &c\nr := strings.NewReader(`x`)\nre := regexp.MustCompile(`x`)\nctx := context.Background()\nb := &bytes.Buffer{}; b.WriteString(`b`)\nx := 1", after: func(res *sandtrap.Result) string { return fmt.Sprint(len(res.Vars), res.Vars["x"]) }},
}
