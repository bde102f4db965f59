package sandtraptest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// An Item and a Report are types of a host that scripts do not know.
type Item struct {
	Name  string
	Price float64
	Tags  []string
	Extra *Item
}

type Report struct {
	Title string
	Items []Item
	By    map[string]int
	When  time.Time
	Any   any
	Grid  [2][2]uint8
}

// A Bill is a type whose fields have other names in JSON.
type Bill struct {
	Total  float64        `json:"total"`
	Lines  []BillLine     `json:"lines,omitempty"`
	By     map[string]any `json:"by,omitzero"`
	Note   *string        `json:"note"`
	Secret int            `json:"-"`
	Paid   bool
}

type BillLine struct {
	Name  string `json:"name"`
	Count int    `json:"n"`
}

const billSrc = `
type Line struct {
	Name  string ` + "`json:\"name\"`" + `
	Count int    ` + "`json:\"n,omitempty\"`" + `
}
type Bill struct {
	Total float64 ` + "`json:\"total\"`" + `
	Lines []Line  ` + "`json:\"lines\"`" + `
	Paid  bool
}
`

const reportSrc = `
type Item struct { Name string; Price float64; Tags []string; Extra *Item }
type Report struct {
	Title string; Items []Item; By map[string]int; When time.Time; Any any; Grid [2][2]uint8
}
`

// TestDecode: variables in types of the host, without a contract: what a value is decides.
func TestDecode(t *testing.T) {
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tc := range []struct {
		src  string
		want any    // of the type that is decoded into
		err  string // or this, and nothing is stored
	}{
		{"result := 7", int64(7), ""},
		{"result := 7", 7.0, ""},
		{"result := int64(1) << 60", float64(1 << 60), ""},
		{"result := int64(1) << 60 + 1", float64(0), "result: 1152921504606846977 does not fit float64"},
		{"result := 300", int8(0), "result: 300 does not fit int8"},
		{"result := -1", uint(0), "result: -1 does not fit uint"},
		{"result := uint64(1) << 63", int64(0), "does not fit int64"},
		{"result := 1e300", float32(0), "result: 1e+300 does not fit float32"},
		{"result := 1.0", 0, "result: float64 does not fit int"},
		{"result := \"7\"", 0, "result: string does not fit int"},
		{"result := true", true, ""},
		{"result := complex64(1i)", complex128(1i), ""},
		{"type C float64\nresult := C(1.5)", 1.5, ""},
		{"result := time.Second", time.Second, ""},
		{"result := []any{1, \"a\", nil, []int{2}}", []any{1, "a", nil, []int{2}}, ""},
		{"result := []any{1, \"a\"}", []int(nil), "result[1]: string does not fit int"},
		{"result := []int{1, 2}", [2]int8{1, 2}, ""},
		{"result := []int{1, 2}", [3]int{}, "result: 2 elements do not fit [3]int"},
		{"var result []int", []int(nil), ""},
		{"result := map[string][]float64{\"a\": {1}}", map[string][]float64{"a": {1}}, ""},
		{"type K string\ntype N int\nresult := map[K]N{\"a\": 1}", map[string]int{"a": 1}, ""},
		{"type N int\nresult := map[N]N{3: 1}", map[int]int{3: 1}, ""},
		{"result := map[[1]int]int{{1}: 1}", map[string]int(nil), "does not fit string"},
		{"var result *int", (*int)(nil), ""},
		{"n := 3\nresult := &n", 3, ""},
		{"var result any", 0, "result: nil does not fit int"},
		{"result := func() {}", 0, "result"},
		{"type L struct { Next *L }\nresult := &L{}\nresult.Next = result", struct{ Next any }{}, "cannot be handed out"},
		{"result := make([]string, 2<<20)", []string(nil), "cannot be handed out: it is too large"},
		{"other := 1", 0, "the script left no variable result"},
		{reportSrc + `result := Report{Title: "t", Items: []Item{{Name: "a", Price: 1.5, Tags: []string{"x"}, Extra: &Item{Name: "b"}}},
			By: map[string]int{"k": 1}, When: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Any: "c", Grid: [2][2]uint8{{1}, {2, 3}}}`,
			Report{
				Title: "t", Items: []Item{{Name: "a", Price: 1.5, Tags: []string{"x"}, Extra: &Item{Name: "b", Tags: []string{}}}},
				By: map[string]int{"k": 1}, When: when, Any: "c", Grid: [2][2]uint8{{1}, {2, 3}},
			}, ""},
		{`result := map[string]any{"Name": "a", "Price": 2, "Tags": nil}`, Item{Name: "a", Price: 2}, ""},
		{`result := map[string]any{"Name": "a", "Price": "2"}`, Item{}, "result.Price: string does not fit float64"},
		{`result := map[string]any{"Name": "a", "Price": 2}`, Item{}, "result.Tags: missing"},
		{`result := map[string]any{"Name": "a", "Price": 2, "Tags": nil, "Prize": 1}`, Item{}, "result.Prize: there is no such field; there are Name, Price, Tags, Extra"},
		{`result := []any{map[string]any{"Name": "a", "Price": 1, "Tags": []any{"x", 2}}}`, []Item(nil), "result[0].Tags[1]: int does not fit string"},
		{billSrc + `result := Bill{2.5, []Line{{"a", 2}}, true}`, Bill{Total: 2.5, Lines: []BillLine{{"a", 2}}, Paid: true}, ""},
		{billSrc + `result := []any{Bill{1, []Line{{"a", 2}}, false}}`, []Bill{{Total: 1, Lines: []BillLine{{"a", 2}}}}, ""},
		{billSrc + `result := &Line{"a", 2}`, struct {
			Name string
			N    int
		}{"a", 2}, ""},
		{billSrc + `result := Line{"a", 2}`, map[string]any{"name": "a", "n": 2}, ""},
		{"type P struct { X, Y int }\nresult := []any{P{1, 2}, &P{3, 4}, nil}", []any{map[string]any{"X": 1, "Y": 2}, map[string]any{"X": 3, "Y": 4}, nil}, ""},
		{"type P struct { X, Y int }\nresult := map[string][]any{\"a\": {[]P{{1, 2}}}}", map[string][]struct{ P []struct{ X, Y int } }(nil), "does not fit"},
		{"type P struct { X, Y int }\nresult := map[string]any{\"a\": P{1, 2}, \"b\": []P{{3, 4}}}", struct {
			A struct{ X, Y int }
			B []struct{ X, Y int }
		}{struct{ X, Y int }{1, 2}, []struct{ X, Y int }{{3, 4}}}, ""},
		{"type P struct { X, Y int }\nresult := P{1, 2}", map[string]int{"X": 1, "Y": 2}, ""},
		{"type P struct { X int; Y string }\nresult := P{1, \"2\"}", map[string]int(nil), "result[Y]: string does not fit int"},
		{"type P struct { Total, Paid int }\nresult := P{}", Bill{}, "result.Paid: int does not fit bool"},
		{"type P struct { Paid bool }\nresult := P{}", Bill{}, "result.total: missing"},
		{`result := map[string]any{"total": 2, "paid": true, "by": map[string]int{"x": 1}}`, Bill{Total: 2, Paid: true, By: map[string]any{"x": 1}}, ""},
		{`result := map[string]int{"name": 1, "n": 2}`, BillLine{}, "result.name: int does not fit string"},
		{`result := map[string]int{"X": 1, "Y": 2}`, struct{ X, Y int }{1, 2}, ""},
		{`type K string; result := map[K]int{"x": 1, "y": 2}`, struct{ X, Y int }{1, 2}, ""},
		{`result := map[int]int{1: 1}`, struct{ X, Y int }{}, "does not fit a struct"},
		{`result := map[string]int{"X": 1, "x": 2, "Y": 3}`, struct{ X, Y int }{1, 3}, ""},
		{`result := map[string]string{"name": "a", "n": "2"}`, BillLine{}, "result.n: string does not fit int"},
		{"type A struct { X int `json:\"Y\"`; Y int }\nresult := A{1, 2}", map[string]any{"Y": 1}, ""},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.RunOnce(pure(), tc.src)
				if err != nil {
					b.Fatal(err)
				}
				into := reflect.New(reflect.TypeOf(tc.want))
				if strings.Contains(tc.err, "cannot be handed out") && !b.BoundsVars {
					return
				}
				err = res.Decode("result", into.Interface())
				if tc.err != "" {
					if !errors.Is(err, sandtrap.KindContract) || !strings.Contains(err.Error(), tc.err) || !into.Elem().IsZero() {
						b.Errorf("error %v, want %q; got %v", err, tc.err, into.Elem())
					}
					return
				}
				if got := into.Elem().Interface(); err != nil || !sameDecoded(got, tc.want) {
					b.Errorf("got %+v, %v, want %+v", got, err, tc.want)
				}
			})
		})
	}
	for _, into := range []any{nil, 3, (*int)(nil), Report{}} {
		if err := (&sandtrap.Result{Vars: map[string]any{"x": 1}}).Decode("x", into); !errors.Is(err, sandtrap.KindContract) {
			t.Errorf("into a %T: %v", into, err)
		}
	}
}

// sameDecoded takes empty and nil lists for the same: engines differ in which of them stands
// for the nil slice of a type of the script's.
func sameDecoded(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	alike := strings.NewReplacer("null", "[]")
	return reflect.DeepEqual(a, b) || errX == nil && errY == nil && reflect.TypeOf(a) == reflect.TypeOf(b) && alike.Replace(string(x)) == alike.Replace(string(y))
}

// TestDecodeCopies: what was decoded is not the memory of the variables.
func TestDecodeCopies(t *testing.T) {
	eachMode(t, func(b bench) {
		res, err := b.RunOnce(pure(), `l := []string{"a"}; m := map[string][]int{"k": {1}}; x := any(l)`)
		if err != nil {
			b.Fatal(err)
		}
		var l []string
		var m map[string][]int
		var x any
		for name, into := range map[string]any{"l": &l, "m": &m, "x": &x} {
			if err := res.Decode(name, into); err != nil {
				b.Fatal(err)
			}
		}
		l[0], m["k"][0], x.([]string)[0] = "b", 2, "c"
		if res.Vars["l"].([]string)[0] != "a" || res.Vars["m"].(map[string][]int)["k"][0] != 1 || res.Vars["x"].([]string)[0] != "a" {
			b.Errorf("got %v", res.Vars)
		}
	})
}

// TestResultContract: one value of one type, or an error that says before the run which part
// of its type does not fit, or after it which value.
func TestResultContract(t *testing.T) {
	type point struct{ X, Y int }
	for _, tc := range []struct {
		name string
		src  string
		into any
		want any
		err  string
		ran  bool // although it is an error
	}{
		{name: "fits", src: "type P struct{ X, Y int }\nresult := P{1, 2}\nother := 3", into: &point{}, want: point{1, 2}},
		{name: "program", src: "package main\nvar result struct{ X, Y int8 }\nfunc main() { result.X = 1 }", into: &point{}, want: point{1, 0}},
		{name: "pointer", src: "type P struct{ X, Y int }\nresult := &P{1, 2}", into: &point{}, want: point{1, 2}},
		{name: "any", src: `var result any = map[string]any{"X": 1, "Y": 2}`, into: &point{}, want: point{1, 2}},
		{name: "own type", src: "result := point{1, 2}", into: &point{}, want: point{1, 2}},
		{name: "list", src: "result := []float64{1}", into: &[]float64{}, want: []float64{1}},
		{name: "missing", src: "answer := 3", into: new(int), err: "the program leaves no result (end with return and the value)"},
		{name: "in a function", src: "package main\nfunc main() { result := 1; _ = result }", into: new(int), err: "leaves no result (declare it at the top level: var result"},
		{name: "other type", src: "result := \"3\"", into: new(int), err: "script.go:1:1: result: string does not fit int"},
		{name: "other field", src: "type P struct{ X, Z int }\nresult := P{}", into: &point{}, err: "script.go:2:1: result.Y: missing"},
		{name: "more fields", src: "type P struct{ X, Y, Z int }\nresult := P{}", into: &point{}, err: "result.Z: there is no such field; there are X, Y"},
		{name: "deep", src: "type I struct{ Name string; Price string; Tags []string }\nresult := []*I{}", into: &[]Item{}, err: "result[].Price: string does not fit float64"},
		{name: "func", src: "result := func() {}", into: new(int), err: "result: func() does not fit int"},
		{name: "recursive", src: "type T struct{ Kids []T }\nresult := T{[]T{{}, {}}}", into: new(struct{ Kids []any }), want: struct{ Kids []any }{[]any{map[string]any{"Kids": []any{}}, map[string]any{"Kids": []any{}}}}},
		{name: "tags", src: "type P struct{ A int `json:\"x\"`; B int `json:\"y\"` }\nresult := P{1, 2}", into: &point{}, want: point{1, 2}},
		{name: "missing by its tag", src: "type P struct{ A int `json:\"x\"`; Y int }\nresult := P{1, 2}", into: &BillLine{}, err: "script.go:2:1: result.name: missing"},
		{name: "tagged and more", src: "type P struct{ A int `json:\"x\"`; Y, B int }\nresult := P{1, 2, 3}", into: &point{}, err: "script.go:2:1: result.B: there is no such field; there are X, Y"},
		{name: "map", src: `result := map[string]int{"x": 1, "y": 2}`, into: &point{}, want: point{1, 2}},
		{name: "map of another type", src: `result := map[string]string{"x": "1"}`, into: &point{}, err: "script.go:1:1: result.X: string does not fit int; values of different types fit in a struct or a map[string]any"},
		{name: "misspelt", src: `result := map[string]any{"nmae": "a"}`, into: &struct {
			Name string `json:"name,omitempty"`
		}{}, err: "result.nmae: there is no such field; there are name", ran: true},
		{name: "nil", src: "if false { return errors.New(\"\") }\nreturn nil", into: new(*point), want: (*point)(nil)},
		{name: "nil for any", src: "return nil", into: new(any), want: nil},
		{name: "nil for a number", src: "return nil", into: new(int), err: "the program leaves no result: it returns nil (end with return and the value)"},
		{name: "not returned", src: "if len(os.Args) > 5 { return 1 }", into: new(int), want: 0},
		{name: "map without a key", src: `result := map[string]int{"x": 1}`, into: &point{}, err: "result.Y: missing", ran: true},
		{name: "into a map", src: "type P struct{ A int `json:\"x\"`; Y int }\nresult := P{1, 2}", into: &map[string]int{}, want: map[string]int{"x": 1, "Y": 2}},
		{name: "late", src: `var result any = map[string]any{"X": 1, "Y": "2"}`, into: &point{}, err: "result.Y: string does not fit int", ran: true},
		{name: "overflow", src: "result := math.MaxInt64", into: new(int8), err: "result: 9223372036854775807 does not fit int8", ran: true},
		{name: "stopped", src: "result := 1\nfor {}", into: new(int), err: "ticks", ran: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if b.Isolation != sandtrap.None && (tc.name == "own type" || tc.err != "" && !tc.ran) {
					b.Skip("a worker knows no types of the host: what does not fit is found after the run")
				}
				p := pure()
				if tc.name == "own type" {
					p.Funcs = map[string]any{"point": (*point)(nil)}
				}
				into := reflect.New(reflect.TypeOf(tc.into).Elem())
				res, err := b.Box(p).Run(b.Context(), sandtrap.Script{Text: tc.src, Result: into.Interface()})
				if len(res.Vars) != 0 || len(res.Types) != 0 {
					b.Errorf("more was handed out: %v", res.Vars)
				}
				if tc.err == "" {
					if got := into.Elem().Interface(); err != nil || !sameDecoded(got, tc.want) {
						b.Errorf("got %#v, %v, want %#v", got, err, tc.want)
					}
					return
				}
				if err == nil || !strings.Contains(err.Error(), tc.err) || !into.Elem().IsZero() {
					b.Errorf("error %v, want %q; got %v", err, tc.err, into.Elem())
				}
				if ran := !errors.Is(err, sandtrap.ErrRefused); ran != tc.ran || !ran && res.Ticks > 0 || tc.name != "stopped" && !errors.Is(err, sandtrap.KindContract) {
					b.Errorf("ran: %v, %d ticks; error %v", ran, res.Ticks, err)
				}
			})
		})
	}
	eachMode(t, func(b bench) {
		if b.Isolation != sandtrap.None {
			b.Skip("a worker knows no types of the host: what does not fit is found after the run")
		}
		box := b.Box(pure())
		if _, err := box.Check(b.Context(), sandtrap.Script{Text: "result := \"\"", Result: new(int)}); !errors.Is(err, sandtrap.KindContract) {
			b.Errorf("Check: %v", err)
		}
		if b.KeepsFuncs {
			var f *sandtrap.Func
			_, err := box.Run(b.Context(), sandtrap.Script{Text: "n := 1\nresult := func() int { n++; return n }", Result: &f})
			if err != nil {
				b.Fatal(err)
			}
			type point struct{ X, Y int }
			var p point
			_, err = box.Run(b.Context(), sandtrap.Script{Text: "type P struct { X, Y int; cache map[int]int }\nresult := P{1, 2, nil}", Result: &p})
			if err != nil || p != (point{1, 2}) {
				b.Errorf("with a field for the script alone: %v, %v", p, err)
			}
			if res, err := f.Call(b.Context()); err != nil || res.Returned[0] != 2 {
				b.Errorf("got %v, %v", res.Returned, err)
			}
		}
	})
}

// TestDecodeLongKeys: a long key is not written down for each value that lies below it.
func TestDecodeLongKeys(t *testing.T) {
	var into map[string][]int
	p := pure()
	p.Limits.Memory, p.Limits.Timeout = 64<<20, time.Minute
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = box.Run(t.Context(), sandtrap.Script{Result: &into, Text: "result := map[string][]int{strings.Repeat(\"x\", 1<<19): make([]int, 20000)}"})
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; err != nil || len(into) != 1 || grown > 256<<20 {
		t.Errorf("%d values, %d MiB were allocated, %v", len(into), grown>>20, err)
	}
	_, err = box.Run(t.Context(), sandtrap.Script{Result: &into, Text: "result := map[string]any{strings.Repeat(\"x\", 1<<19): []any{1, true}}"})
	if err == nil || len(err.Error()) > 1000 || !strings.Contains(err.Error(), "...][1]: bool does not fit int") {
		t.Errorf("an error of %d bytes", len(fmt.Sprint(err)))
	}
}

// TestResultWanted: the error of a result that does not fit says what the host wants, before the run and after it.
func TestResultWanted(t *testing.T) {
	type part struct {
		ID    int            `json:"id"`
		Count map[string]int `json:"count,omitempty"`
		At    time.Time
	}
	eachMode(t, func(b bench) {
		box := b.Box(pure())
		var one part
		var list []part
		var n int
		const fields = "with id int, count map[string]int (may be missing), At time.Time"
		for _, tc := range []struct {
			text string
			into any
			want string
		}{
			{"result := 5", &one, "the host wants a struct or map[string]any " + fields},
			{"type t struct { Idd int }\nresult := t{}", &one, "the host wants a struct or map[string]any " + fields},
			{"var v any = 3\nresult := v", &one, "the host wants a struct or map[string]any " + fields},
			{"result := 5", &list, "the host wants a []struct or []map[string]any " + fields},
			{"result := `x`", &n, "the host wants int"},
		} {
			_, err := box.Run(b.Context(), sandtrap.Script{Text: tc.text, Result: tc.into})
			if e, ok := errors.AsType[*sandtrap.Error](err); !ok || e.Kind != sandtrap.KindContract || e.Hint != tc.want {
				b.Errorf("%s: %v, want %s", tc.text, err, tc.want)
			}
		}
	})
}

// TestResultBehindPointers: the struct that the host wants may lead to one that the policy lists by a pointer, and what the
// script declares with the same fields fits, in workers too.
func TestResultBehindPointers(t *testing.T) {
	type owner struct {
		Name  string    `json:"name"`
		Since time.Time `json:"since"`
	}
	type report struct {
		Who   *owner `json:"who"`
		Count int    `json:"count"`
	}
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("scripts of engine yaegi have no names for types of Funcs")
		}
		p := pure()
		p.Std = append(p.Std, "time")
		p.Funcs = map[string]any{"owners": func() []owner { return nil }}
		box := b.Box(p)
		for _, text := range []string{
			"type who struct { Name string `json:\"name\"`; Since time.Time `json:\"since\"` }\ntype rep struct { Who *who `json:\"who\"`; Count int `json:\"count\"` }\nresult := rep{&who{Name: \"a\"}, 3}",
			"type rep struct { Who map[string]any `json:\"who\"`; Count int `json:\"count\"` }\nresult := rep{map[string]any{\"name\": \"a\", \"since\": time.Time{}}, 3}",
			"result := map[string]any{\"who\": &owner{Name: \"a\"}, \"count\": 3}",
		} {
			var got report
			_, err := box.Run(b.Context(), sandtrap.Script{Text: text, Result: &got})
			if err != nil || got.Count != 3 || got.Who == nil || got.Who.Name != "a" {
				b.Errorf("%s: %+v %v", text, got, err)
			}
		}
	})
}

// TestKeysOfStructs: in Vars and in JSON a key that is a struct of the script is its text, as Go prints it.
func TestKeysOfStructs(t *testing.T) {
	const src = "type in struct { X float64 }\ntype K struct { A int; b string; C [2]bool; In in }\n" +
		`m := map[K]int{{1, "x y", [2]bool{true, false}, in{1.5}}: 2}; p := fmt.Sprint(m)`
	eachMode(t, func(b bench) {
		res, err := b.RunOnce(pure(), src)
		if b.RefusedByEngine(res) || b.Engine == "yaegi" {
			return
		}
		got, printed := string(res.JSON("m")), fmt.Sprint(res.Vars["p"])
		if err != nil || fmt.Sprint(res.Vars["m"]) != printed || got != `{"{1 x y [true false] {1.5}}":2}` {
			b.Errorf("got %s, %v, %v, printed as %s", got, res.Vars["m"], err, printed)
		}
	})
}
