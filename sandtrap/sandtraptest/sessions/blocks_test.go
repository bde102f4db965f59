package sessions

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// blocks are sessions of which each cell uses variables of the earlier ones, and declares some of these names again.
var blocks = [][]string{
	{`n, err := 1, errors.New("a")`, `fmt.Println(n, err); n := "text"; fmt.Println(n, err)`, `fmt.Println(n); n := len(n); fmt.Println(n)`},
	{`n := 1`, `n := func() string { return fmt.Sprint(n, "s") }()`, `n := []string{n}`, `fmt.Println(n)`},
	{`xs := []int{1, 2, 3}`, `xs := func() []int { out := []int{}; for _, x := range xs { out = append(out, 2*x) }; return out }()`, `fmt.Println(xs)`},
	{`key := []int{1, 2}`, `key := strings.Map(func(r rune) rune { return r + rune(key[0]) }, "abc")`, `fmt.Println(key)`},
	{`n := 1`, `f, n := func() int { return n + 1 }, "x"; fmt.Println(f(), n)`},
	{`type list []func() int; n := list{func() int { return 1 }}`, `n := []int{0: func() int { return len(n) }(), 1: n[0]()}`, `fmt.Println(n)`},
	{`a := []int{1, 2, 3}`, `var a, n = slices.DeleteFunc(a, func(x int) bool { return x == len(a) }), len(a)`, `fmt.Println(a, n)`},
	{`n := 1; get := func() int { return n }`, `fmt.Println(n); var n = 5; fmt.Println(n, get())`, `n = 6; fmt.Println(n, get())`},
	{`n := 1; get := func() int { return n }`, `fmt.Println(n); var n, m int = 5, n; fmt.Println(n, m, get())`},
	{`n := 1`, "var (\n\tk = n\n\tn string\n\tm = n\n)\nfmt.Printf(\"%v %q %q\\n\", k, n, m)"},
	{`var x any = 1; get := func() any { return x }`, `fmt.Println(x); x := "text"; fmt.Println(len(x), get())`},
	{`var err error; failed := func() bool { return err != nil }`, `type wrong struct{ at int }`, `fmt.Println(err == nil); m, err := 2, wrong{3}; fmt.Println(m, err.at, failed())`},
	{`type ids []int; list := ids{1}`, `fmt.Printf("%T\n", len(list)); list := []int{2}; fmt.Println(list, fmt.Sprintf("%T", list))`},
	{`a, b := 1, "x"`, `fmt.Println(a, b); a, b := b, a; fmt.Printf("%T %T\n", a, b)`, `a, b := b, a; fmt.Printf("%T %T\n", a, b)`},
	{`n := 1`, `p := &n; defer fmt.Println("deferred", n); defer func() { fmt.Println("late", n) }(); n := "x"; *p = 9; fmt.Println(*p, n)`},
	{`n := 1`, `get := func() int { return n }; set := func() { n++ }; n := "x"; low := func() string { return n }; set(); fmt.Println(get(), n, low())`, `set(); n := 2.5; fmt.Println(get(), low(), n)`},
	{`n := 1`, "again:\nfmt.Println(n)\nn := []int{n}\nn[0]++\nif false { goto again }\nfmt.Println(n)"},
	{`n := 1; ch := make(chan int, 1)`, `
ch <- n
select { case n := <-ch: fmt.Println("received", n) }
for n := range 2 { fmt.Println(n) }
for n := n; n < 3; n++ { fmt.Println("loop", n) }
switch n := any(n).(type) { case int: fmt.Println("int", n) }
if n := n + 1; n > 1 { n := "inner"; fmt.Println(n) }
n := fmt.Sprint(n, "!")
switch n := any(n).(type) { case string: fmt.Println("string", n) }
{ n := n + "?"; fmt.Println(n) }
fmt.Println(n)`},
	{`s := struct{ n int }{1}; n := 2`, `t, m := struct{ n int }{n: n}, map[string]int{"n": n}; s.n = n; n := "x"; fmt.Println(s, t, m, n, s.n)`},
	{`a, b, c := 1, 2, 3`, `fmt.Println(a, b, c); a := "x"; b := []string{a}; c := len(b[0]) > 0; fmt.Println(a, b, c)`},
	{`x := 1.5`, `fmt.Println(x); x := 2; fmt.Printf("%T\n", x)`, `x += 2; _ = x; x, _ := "s", x; fmt.Println(x)`},
}

// TestSessionBlocks: where a cell uses a variable of an earlier cell and then declares one of another type or with var, names
// mean what they mean in compiled Go if each cell is a block within the one before it. So do names of cells made at random.
func TestSessionBlocks(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	sessions := slices.Concat(blocks, randomBlocks(seed, 20))
	want := strings.SplitAfter(blocksInGo(t, sessions), "end of session\n")
	rig.EachSession(t, func(b rig.Bench) {
		box := b.Box(rig.Pure())
		for i, cells := range sessions {
			if got := printedBy(b, box, cells); got != want[i] {
				b.Errorf("%s\nprints\n%scompiled Go\n%s", strings.Join(cells, "\n--\n"), got, want[i])
			}
		}
	})
}

// printedBy is what a session prints that is saved and loaded before its last cell.
func printedBy(b rig.Bench, box *sandtrap.Sandbox, cells []string) (out string) {
	session, err := box.Session()
	if err != nil {
		b.Fatal(err)
	}
	for i, cell := range cells {
		if i == len(cells)-1 {
			var saved bytes.Buffer
			if _, err := session.Save(&saved); err != nil {
				b.Fatal(err)
			}
			session.Close()
			if session, err = box.LoadSession(&saved); err != nil {
				b.Fatal(err)
			}
		}
		res, err := session.Run(b.Context(), sandtrap.Script{Text: cell})
		if out += res.Stdout; err != nil {
			out += err.Error() + "\n"
		}
	}
	session.Close()
	return out + "end of session\n"
}

// blocksInGo is what compiled Go prints.
func blocksInGo(t *testing.T, sessions [][]string) string {
	t.Helper()
	src := "package main\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n\t\"slices\"\n\t\"strings\"\n)\n\nvar _, _, _ = errors.New, slices.Max[[]int], strings.Map\n\nfunc main() {\n"
	for _, cells := range sessions {
		src += "func() {\n" + strings.Join(cells, "\n{\n") + strings.Repeat("\n}", len(cells)) + "()\nfmt.Println(\"end of session\")\n"
	}
	file := filepath.Join(t.TempDir(), "main.go")
	rig.WriteFile(t, file, src+"}\n")
	out, err := exec.Command("go", "run", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, out, src)
	}
	return string(out)
}
