package builtins

import (
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
	"github.com/sandtrap-go/sandtrap/builtins/internal/std"
	"github.com/sandtrap-go/sandtrap/internal/machine"
)

// returning are the arguments of which it is looked at what members make.
var returning = []kind{
	{"letters", func(n int) string { return strings.Repeat("a", n) }, 3, false, false},
	{"digits", func(n int) string { return strings.Repeat("9", n) }, 10, false, false},
	{"slashes", func(n int) string { return strings.Repeat("a/../*,;= é", n) }, 1, false, false},
	{"patterns", func(int) string { return `(?s:.).\d\pL[^a]` }, 2, false, false},
	{"names", func(int) string { return "UTC" }, 7, false, false},
	{"zero", func(int) string { return "" }, 0, false, false},
}

// TestReturned calls each function and method of the tables in three runs, and writes all over what the second
// got, wherever a run may write. What the first got stays as it was, what the third gets is what the first
// got, and so is what the process shares.
func TestReturned(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	table := tableOf(t, Std()...)
	shared := digestShared()
	before := ""
	written, returned := 0, map[string]bool{}
	members, least := pricedMembers(), 400
	if testing.Short() {
		least /= 5
	}
	for i, r := range members {
		if testing.Short() && i%4 != 0 {
			continue
		}
		if r.Path != before {
			before = r.Path
			if now := digestShared(); now != shared {
				t.Fatalf("before %s: the process has other values now", r.Path)
			}
		}
		for _, k := range slices.Concat(returning, constantKinds(r)) {
			if n := testReturned(t, table, r, k); n > 0 {
				written += n
				returned[r.String()] = true
			}
		}
	}
	if digestShared() != shared {
		t.Error("the process has other values now")
	}
	t.Logf("%d members returned %d variables to write to", len(returned), written)
	if len(returned) < least {
		t.Errorf("only %d members returned something to write to", len(returned))
	}
}

// constantKinds are the whole numbers that the package of a member has names for: a function may have a table of the
// process for one of them.
func constantKinds(r Ref) (list []kind) {
	for _, p := range Std() {
		if p.Path != r.Path {
			continue
		}
		for _, row := range p.Members {
			n, ok := wholeNumber(row.Value)
			if ok && !row.Deny && !slices.ContainsFunc(list, func(k kind) bool { return k.n == n }) {
				list = append(list, kind{row.Name, func(int) string { return "" }, n, false, false})
			}
		}
	}
	return list[:min(len(list), 16)]
}

func wholeNumber(v any) (int, bool) {
	if text, ok := v.(Literal); ok {
		n, err := strconv.ParseUint(string(text), 0, 64)
		return int(n), err == nil
	}
	switch rv := reflect.ValueOf(v); {
	case rv.IsValid() && rv.CanInt():
		return int(rv.Int()), true
	case rv.IsValid() && rv.CanUint():
		return int(rv.Uint()), true
	}
	return 0, false
}

// unlike are the members that return something else with each call.
var unlike = map[string]bool{"io/ioutil.TempFile": true, "os.Create": true, "os.CreateTemp": true}

// testReturned tells how many variables could be written to.
func testReturned(t *testing.T, table *Table, r Ref, k kind) int {
	first, ok := callReturning(table, r, k)
	if !ok {
		return 0
	}
	before := first.digest()
	second, ok := callReturning(table, r, k)
	if !ok {
		return 0
	}
	n := second.overwrite()
	if n == 0 {
		return 0
	}
	if first.digest() != before {
		t.Errorf("%v, %s: what another run got has changed", r, k.name)
		return n
	}
	if !unlike[r.String()] && !again(table, r, k, before) {
		t.Errorf("%v, %s: another run gets something else", r, k.name)
	}
	return n
}

// again reports that one of some calls returns what was returned before: errors may name what is in a map in any order.
func again(table *Table, r Ref, k kind, before uint64) bool {
	for range 500 {
		if g, ok := callReturning(table, r, k); ok && g.digest() == before {
			return true
		}
	}
	return false
}

// A got is what a call returned.
type got struct {
	env     *Env
	args    []reflect.Value
	results []reflect.Value
}

func callReturning(table *Table, r Ref, k kind) (*got, bool) {
	meter := &meterOf{}
	env := &Env{Gates: meter.gates(), Stdin: strings.NewReader("a 9\n"), Seed: 1, Until: time.Unix(1<<40, 0), Clock: shimtest.Clock(time.Unix(1<<30, 0))}
	table.Serve(env)
	files, ok := filesOf(env)
	if !ok {
		return nil, false
	}
	defer files.Close()
	env.FS = files
	f, err := table.Value(env, r)
	if err != nil {
		panic(fmt.Sprintf("%v: %v", r, err))
	}
	g := &got{env: env}
	m := &argMaker{kind: k, env: env, table: table, size: 24, ends: true}
	meter.until = machine.CPUTime() + callTime
	failed := shimtest.Outcome(func() {
		g.args = m.arguments(f.Type())
		meter.until = machine.CPUTime() + callTime
		g.results = call(f, g.args)
	})
	return g, failed == nil
}

func (g *got) digest() uint64 {
	h := fnv.New64a()
	seen := map[seenAt]bool{}
	for _, v := range g.results {
		digestOf(h, v, seen)
	}
	return h.Sum64()
}

func digestShared() uint64 {
	h := fnv.New64a()
	seen := map[seenAt]bool{}
	_ = time.Local.String() // which finds out what it is
	for _, p := range std.All {
		for i := range p.Members {
			if row := &p.Members[i]; isVariable(row) {
				digestOf(h, reflect.ValueOf(row.Value), seen)
			}
		}
	}
	for _, v := range behindShims() {
		digestOf(h, reflect.ValueOf(v), seen)
	}
	return h.Sum64()
}

// digestOf writes down v, and what it leads to. The same memory is written once.
func digestOf(w io.Writer, v reflect.Value, seen map[seenAt]bool) {
	if !v.IsValid() {
		return
	}
	fmt.Fprint(w, v.Type(), " ")
	if v.Type() == reflect.TypeFor[slog.Value]() { // it hides where a list begins, behind a pointer of another type
		if v.CanInterface() {
			fmt.Fprint(w, v)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		at := seenAt{v.Pointer(), v.Type(), 1}
		if v.IsNil() || seen[at] || v.Type() == envType || v.Type() == reflect.TypeFor[*argMaker]() {
			return
		}
		seen[at] = v.Type().Elem().Size() > 0
		digestOf(w, v.Elem(), seen)
	case reflect.Interface:
		digestOf(w, v.Elem(), seen)
	case reflect.Struct:
		for i := range v.NumField() {
			digestOf(w, v.Field(i), seen)
		}
	case reflect.Slice, reflect.Array:
		fmt.Fprint(w, v.Len())
		for i := range v.Len() {
			digestOf(w, v.Index(i), seen)
		}
	case reflect.Map:
		for _, key := range inOrder(v.MapKeys()) {
			digestOf(w, key, seen)
			digestOf(w, v.MapIndex(key), seen)
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
	default:
		fmt.Fprint(w, v, "\n")
	}
}

// inOrder are keys by what is in them.
func inOrder(keys []reflect.Value) []reflect.Value {
	text := func(key reflect.Value) string {
		var b strings.Builder
		digestOf(&b, key, map[seenAt]bool{})
		return b.String()
	}
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(text(a), text(b)) })
	return keys
}
