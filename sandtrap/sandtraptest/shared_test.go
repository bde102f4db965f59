package sandtraptest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// keep is what a host keeps of what scripts give it.
type keep struct {
	counts map[string]int
	loose  map[string]any
	lists  map[string][]int
	anys   []any
	rows   [][]int
	grades []Grade
	whole  *int
	big    *int64
	text   *string
	list   *[]int
	table  *map[string]int
	call   func(int) int
	any    any
	array  *[3]int
}

func (k *keep) funcs() map[string]any {
	return map[string]any{
		"counts": func(m map[string]int) { k.counts = m }, "inc": func(key string) int { k.counts[key]++; return len(k.counts) },
		"kept":  func() map[string]int { return k.counts },
		"drop":  func(key string) { delete(k.counts, key) },
		"loose": func(m map[string]any) { k.loose = m }, "loosen": func(key string, v any) { k.loose[key] = v }, "look": func(key string) string { return fmt.Sprintf("%T %v", k.loose[key], k.loose[key]) },
		"lists": func(m map[string][]int) { k.lists = m }, "lengthen": func(key string) { k.lists[key] = append(k.lists[key], 1) },
		"anys": func(l []any) { k.anys = l }, "turn": func() { slices.Reverse(k.anys) }, "first": func() string { return fmt.Sprintf("%T %v", k.anys[0], k.anys[0]) },
		"rows": func(l [][]int) { k.rows = l }, "row": func(i int, r []int) { k.rows[i] = r }, "cell": func(i, j int) int { return k.rows[i][j] },
		"grades": func(l []Grade) { k.grades = l }, "sortGrades": func() { slices.Sort(k.grades) },
		"whole": func(p *int) { k.whole = p }, "addWhole": func(n int) int { *k.whole += n; return *k.whole }, "sameWhole": func() *int { return k.whole },
		"big": func(p *int64) { k.big = p }, "addBig": func(n int64) { *k.big += n }, "text": func(p *string) { k.text = p }, "addText": func(s string) string { *k.text += s; return *k.text },
		"list": func(p *[]int) { k.list = p }, "addList": func(n int) int { *k.list = append(*k.list, n); return len(*k.list) },
		"table": func(p *map[string]int) { k.table = p }, "addTable": func(s string) { (*k.table)[s]++ },
		"call": func(f func(int) int) { k.call = f }, "again": func(n int) int { return k.call(n) },
		"anyOf": func(v any) string { k.any = v; return fmt.Sprintf("%T", v) }, "anyCall": func(n int) int { return k.any.(func(int) int)(n) },
		"anyInc": func() int { *k.any.(*int)++; return *k.any.(*int) },
		"array":  func(p *[3]int) { k.array = p }, "addArray": func(i int) { k.array[i]++ },
		"each": func(m map[string]int, f func(string)) { f("x"); m["after"]++ },
	}
}

// TestSharedMemory: what a script gives to the host and the host keeps is one thing
// for both from then on, as it is in Go.
func TestSharedMemory(t *testing.T) {
	for _, tc := range []struct{ src, want string }{ // the script's r
		{`m := map[string]int{"a": 1}; counts(m); n := inc("a"); inc("b"); r := fmt.Sprint(m, n, m["a"])`, "map[a:2 b:1] 1 2"},
		{`m := map[string]int{"a": 1}; counts(m); m["c"] = 5; r := fmt.Sprint(inc("c"), m["c"], len(m))`, "2 6 2"},
		{`m := map[string]int{"a": 1, "b": 2}; counts(m); delete(m, "a"); _, ok := m["a"]; r := fmt.Sprint(inc("a"), ok, m)`, "2 false map[a:1 b:2]"},
		{`m := map[string]int{"a": 1}; counts(m); clear(m); inc("z"); r := fmt.Sprint(m)`, "map[z:1]"},
		{`m := map[string]int{"b": 1, "a": 2, "c": 3}; counts(m); s := ""; for k, v := range m { s += fmt.Sprint(k, v, " ") }; r := s`, "a2 b1 c3 "},
		{`m := map[string]int{"b": 1, "a": 2, "c": 3}; s := 0; for k := range m { if s == 0 { counts(m) }; s++; delete(m, k) }; r := fmt.Sprint(s, len(m))`, "3 0"},
		{`m := map[string]int{"b": 1, "a": 2, "c": 3}; counts(m); s := 0; for k := range m { s++; if s == 1 { for _, o := range []string{"a", "b", "c"} { if o != k { drop(o) } } } }; r := fmt.Sprint(s, len(m))`, "1 1"},
		{`m := map[string]int{"a": 1}; counts(m); s := 0; for k, v := range m { m[k] = v + 1; s += m[k] }; r := fmt.Sprint(s, m)`, "2 map[a:2]"},
		{`m := map[string]int{}; counts(m); x := kept(); x["k"] = 4; r := fmt.Sprint(m["k"])`, "4"},
		{`m := map[string]int{}; n := m; counts(n); m["k"] = 4; r := fmt.Sprint(inc("k"), n, len(n))`, "1 map[k:5] 1"},
		{`m := map[string]int{"q": 1}; each(m, func(k string) { m[k] = 9 }); r := fmt.Sprint(m)`, "map[after:1 q:1 x:9]"},
		{`type T struct{ m map[string]int }; t := T{map[string]int{}}; counts(t.m); t.m["a"]++; inc("a"); r := fmt.Sprint(t)`, "{map[a:2]}"},
		{`type C map[string]int; m := C{"a": 1}; counts(m); inc("a"); r := fmt.Sprint(m, len(m))`, "map[a:2] 1"},
		{`m := map[string]int{"a": 1}; counts(m); o := maps.Clone(m); o["a"] = 7; r := fmt.Sprint(inc("a"), o, slices.Sorted(maps.Keys(m)))`, "1 map[a:7] [a]"},
		{`m := map[string]int{"a": 1}; counts(m); maps.DeleteFunc(m, func(k string, v int) bool { return v == 1 }); maps.Copy(m, map[string]int{"z": 2}); r := fmt.Sprint(inc("z"), m)`, "1 map[z:3]"},

		{`type T struct{ n int }; m := map[string]any{"t": T{1}, "l": []any{1}}; loose(m); loosen("n", 3); r := fmt.Sprint(m["t"].(T).n, m["n"].(int), look("l"))`, "1 3[]interface {} [1]"},
		{`l := []any{1}; m := map[string]any{"l": l}; loose(m); l[0] = 2; r := fmt.Sprint(look("l"), m["l"].([]any)[0])`, "[]interface {} [2]2"},
		{`in := map[string]any{}; m := map[string]any{"in": in}; loose(m); in["x"] = 1; r := look("in")`, "map[string]interface {} map[x:1]"},
		{`m := map[string]any{}; loose(m); m["f"] = func(n int) int { return n + 1 }; r := fmt.Sprint(m["f"].(func(int) int)(2))`, "3"},
		{`m := map[string][]int{"a": nil}; lists(m); lengthen("a"); m["a"][0] = 5; lengthen("a"); r := fmt.Sprint(m)`, "map[a:[5 1]]"},

		{`l := []any{1, "b"}; anys(l); turn(); r := fmt.Sprint(l, first())`, "[b 1]string b"},
		{`l := []any{1, "b", nil}; anys(l[1:]); turn(); l[1] = 2.5; r := fmt.Sprint(l, first())`, "[1 2.5 b]float64 2.5"},
		{`l := make([]any, 1, 4); anys(l); l = append(l, 7); l[0] = "x"; r := fmt.Sprint(first(), l)`, "string x[x 7]"},
		{`type T struct{ n int }; l := []any{T{4}, 1}; anys(l); turn(); r := fmt.Sprint(l[1].(T).n)`, "4"},
		{`a := [2]any{1, 2}; anys(a[:]); turn(); r := fmt.Sprint(a)`, "[2 1]"},
		{`l := [][]int{{1}, {2}}; rows(l); l[0][0] = 5; row(1, []int{8, 9}); l[0] = append(l[0], 6); r := fmt.Sprint(l, cell(0, 1))`, "[[5 6] [8 9]] 6"},
		{`l := [][]int{{1}, {2}}; rows(l); for i, x := range l { l[i] = append(x, i) }; sort.Slice(l, func(i, j int) bool { return l[i][0] > l[j][0] }); r := fmt.Sprint(l, cell(0, 0))`, "[[2 1] [1 0]] 2"},
		{`l := []lab.Grade{3, 1, 2}; grades(l); sortGrades(); l[0] += 5; r := fmt.Sprint(l)`, "[6 2 3]"},

		{`n := 1; whole(&n); n += 2; k := addWhole(10); r := fmt.Sprint(n, k)`, "13 13"},
		{`n := 1; p := &n; whole(p); addWhole(1); *p *= 5; r := fmt.Sprint(addWhole(0), n, sameWhole() == p)`, "10 10 true"},
		{`var n int; func f() { whole(&n) }; f(); n = 4; r := fmt.Sprint(addWhole(1), n)`, "5 5"},
		{`type T struct{ a, b int }; t := &T{1, 2}; whole(&t.b); t.b = 6; r := fmt.Sprint(addWhole(1), *t, sameWhole() == &t.b)`, "7 {1 7} true"},
		{`l := []int{1, 2}; whole(&l[1]); l[1] = 6; r := fmt.Sprint(addWhole(1), l)`, "7 [1 7]"},
		{`var n int64 = 3; big(&n); n++; addBig(5); r := fmt.Sprint(n)`, "9"},
		{`type T struct{ s string; n int64 }; t := T{"a", 1}; text(&t.s); t.s += "b"; r := fmt.Sprint(addText("c"), t)`, "abc{abc 1}"},
		{`l := []int{1}; list(&l); l = append(l, 2); n := addList(3); r := fmt.Sprint(l, n)`, "[1 2 3] 3"},
		{`var m map[string]int; table(&m); m = map[string]int{}; addTable("k"); m["k"]++; r := fmt.Sprint(m)`, "map[k:2]"},
		{`a := [3]int{}; array(&a); a[1] = 5; addArray(1); addArray(2); r := fmt.Sprint(a)`, "[0 6 1]"},
		{`n := 0; call(func(k int) int { n += k; return n }); again(2); r := fmt.Sprint(again(3), n)`, "5 5"},
		{`n := 4; call(func(k int) int { n += k; return n }); whole(&n); r := fmt.Sprint(addWhole(1), again(2), addWhole(1), n)`, "5 7 8 8"},
		{`n := 1; r := anyOf(&n) + fmt.Sprint(anyInc(), n)`, "*int2 2"},
		{`r := anyOf(func(n int) int { return n * 2 }) + fmt.Sprint(anyCall(4))`, "func(int) int8"},
		{`r := anyOf([]string{}) + anyOf(map[int]bool{}) + anyOf([2]lab.Grade{}) + anyOf([]lab.Part{})`, "[]stringmap[int]bool[2]sandtraptest.Grade[]sandtraptest.Part"},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if !b.SharesMemory {
					return
				}
				res, err := b.RunOnce(sandtrap.Policy{
					Limits: limits, Std: sandtrap.StdDefault(), Funcs: new(keep).funcs(),
					Packages: []sandtrap.Package{{Path: "corp/lab", Members: map[string]any{"Grade": (*Grade)(nil), "Part": (*Part)(nil)}}},
				}, tc.src)
				if err != nil || res.Vars["r"] != tc.want {
					b.Errorf("got %v, %v, want %s", res.Vars["r"], err, tc.want)
				}
			})
		})
	}
}

// TestSharedMaps: a map with keys of any sort, shared.
func TestSharedMaps(t *testing.T) {
	eachMode(t, func(b bench) {
		if !b.SharesMemory {
			return
		}
		var (
			anys  map[any]int
			grade map[Grade]string
			times map[time.Time]int
			float map[float64]int
			arr   map[[2]int]bool
		)
		res, err := b.RunOnce(sandtrap.Policy{Limits: limits, Std: sandtrap.StdDefault(), Funcs: map[string]any{
			"anys": func(m map[any]int) { anys = m }, "grades": func(m map[Grade]string) { grade = m }, "times": func(m map[time.Time]int) { times = m },
			"floats": func(m map[float64]int) { float = m }, "arrays": func(m map[[2]int]bool) { arr = m },
		}}, `
type T struct{ a, b int }
m := map[any]int{T{1, 2}: 1, "s": 2, 3: 3}
anys(m)
m[T{1, 2}]++
m[T{3, 4}] = 4
delete(m, "s")
same := m[T{1, 2}] == 2 && m[T{3, 4}] == 4 && len(m) == 3
bad := ""
func() {
	defer func() { bad = fmt.Sprint(recover()) }()
	m[[]int{1}] = 1
}()
g := map[string]int{}
_ = g
at := time.Unix(5, 0).UTC()
ts := map[time.Time]int{at: 1}
times(ts)
ts[at]++
nan := math.NaN()
fs := map[float64]int{nan: 1, 2: 2}
floats(fs)
fs[nan] = 3
n := 0
for k, v := range fs { if k != k { n += v } }
as := map[[2]int]bool{{1, 2}: true}
arrays(as)
as[[2]int{3, 4}] = as[[2]int{1, 2}]
`)
		if err != nil || res.Vars["same"] != true || res.Vars["bad"] != "runtime error: hash of unhashable type []int" || res.Vars["n"] != 4 {
			b.Fatalf("got %v, %v", res.Vars, err)
		}
		if len(anys) != 3 || len(times) != 1 || times[time.Unix(5, 0).UTC()] != 2 || len(float) != 3 || !arr[[2]int{3, 4}] || grade != nil {
			b.Errorf("the host has %v %v %v %v", anys, times, float, arr)
		}
	})
}
