package ends

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// hostileSources are short, and to compile them would take gigabytes, or minutes.
var hostileSources = map[string]string{
	"methods of embedded fields, by types": embedding(900, func(b *strings.Builder) {
		for i := range 500 {
			fmt.Fprintf(b, "type T%d struct{ B }\n", i)
		}
	}, "T%d{},", 500),
	"methods of embedded fields, by depth": embedding(300, func(b *strings.Builder) {
		b.WriteString("type T0 struct{ B }\n")
		for i := range 89 {
			fmt.Fprintf(b, "type T%d struct{ T%d }\n", i+1, i)
		}
	}, "T%d{},", 90),
	"methods of embedded fields, without names": embedding(900, func(*strings.Builder) {}, "struct{ B; a [%d]int }{},", 500),
	"fields of embedded structs":                chained(900),
	"names in nested literals":                  captures(3000, 100),
	"cases":                                     "package main\nfunc main() { b := true; switch {\n" + strings.Repeat("case b:\n", 15000) + "}}\n",
	"cases of a select":                         "package main\nfunc main() { var c chan int; select {\n" + strings.Repeat("case <-c:\n", 12000) + "default:\n}}\n",
	"jumps":                                     "package main\nfunc main() { b := true; for {\n" + strings.Repeat("if b {continue}\n", 9000) + "}}\n",
}

// chained is a program with types that each embed the one before, and a variable of each.
func chained(types int) string {
	var b strings.Builder
	b.WriteString("package main\ntype T0 struct{ F0 int }\n")
	for i := range types {
		fmt.Fprintf(&b, "type T%d struct{ *T%d; F%d int }\nvar x%d T%d\n", i+1, i, i+1, i+1, i+1)
	}
	return b.String() + "func main() {}\n"
}

// TestHostileSources: each is refused, and looking at it takes little memory.
func TestHostileSources(t *testing.T) {
	box := newSandbox(t, sandtrap.Policy{})
	for name, text := range hostileSources {
		t.Run(name, func(t *testing.T) {
			var rejected *sandtrap.Error
			n, err := allocated(t, box, text)
			if !errors.As(err, &rejected) || rejected.Kind != sandtrap.KindRejected {
				t.Errorf("ended with %v, want a rejection", err)
			}
			if n > 256<<20 {
				t.Errorf("allocated %d MiB", n>>20)
			}
		})
	}
}

// TestKeptFields: programs that a sandbox keeps do not keep the fields that many structs have of one large one.
func TestKeptFields(t *testing.T) {
	var b strings.Builder
	b.WriteString("package main\nimport \"encoding/json\"\ntype B struct {\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "F%d int\n", i)
	}
	b.WriteString("}\n")
	for i := range 190 {
		fmt.Fprintf(&b, "type T%d struct{ *B }\nvar x%d T%d\nvar y%d, _ = json.Marshal(x%d)\n", i, i, i, i, i)
	}
	box := newSandbox(t, sandtrap.Policy{Std: sandtrap.StdDefault()})
	before := rig.SettledHeap()
	if _, err := box.Run(t.Context(), sandtrap.Script{Text: b.String() + "func main() {}"}); err != nil {
		t.Fatal(err)
	}
	if kept := rig.SettledHeap() - before; kept > 16<<20 {
		t.Errorf("%d MiB are kept", kept>>20)
	}
	runtime.KeepAlive(box)
}

// TestManyVariables: a function of many variables and branches is compiled without the square of them.
func TestManyVariables(t *testing.T) {
	const variables, cases = 9000, 450
	var b strings.Builder
	b.WriteString("package main\nfunc main() { b := true\n")
	for i := range variables {
		fmt.Fprintf(&b, "var v%d int; _ = v%d\n", i, i)
	}
	b.WriteString("for range 1 { switch {\n")
	for i := range variables {
		if i%(variables/cases) == 0 {
			b.WriteString("case b:\n")
		}
		fmt.Fprintf(&b, "v%d = 1\n", i)
	}
	b.WriteString("}}}\n")
	n, err := allocated(t, newSandbox(t, sandtrap.Policy{Limits: sandtrap.Limits{Source: 1 << 20}}), b.String())
	if err != nil {
		t.Fatal(err)
	}
	if n > 256<<20 {
		t.Errorf("allocated %d MiB", n>>20)
	}
}

func newSandbox(t *testing.T, p sandtrap.Policy) *sandtrap.Sandbox {
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	return box
}

// allocated is what to check a text allocates, and how that ended.
func allocated(t *testing.T, box *sandtrap.Sandbox, text string) (uint64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := box.Check(t.Context(), sandtrap.Script{Text: text})
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// embedding is a program with a type B of methods, with types, and with n values.
func embedding(methods int, types func(*strings.Builder), value string, n int) string {
	var b strings.Builder
	b.WriteString("package main\ntype B struct{}\n")
	for i := range methods {
		fmt.Fprintf(&b, "func (B) M%d() {}\n", i)
	}
	types(&b)
	b.WriteString("func main() { _ = []any{")
	for i := range n {
		fmt.Fprintf(&b, value, i)
	}
	b.WriteString("} }\n")
	return b.String()
}

// captures is a program with names that are used in the innermost of nested literals.
func captures(names, depth int) string {
	var b strings.Builder
	b.WriteString("package main\nfunc main() {\n")
	for i := range names {
		fmt.Fprintf(&b, "x%d := 0\n", i)
	}
	b.WriteString(strings.Repeat("func() {", depth))
	for i := range names {
		fmt.Fprintf(&b, "x%d++\n", i)
	}
	b.WriteString(strings.Repeat("}()", depth) + "}\n")
	return b.String()
}

// TestManyStatements: checking a snippet of many statements takes time that grows with them, not with their square.
func TestManyStatements(t *testing.T) {
	box := newSandbox(t, sandtrap.Policy{Limits: sandtrap.Limits{Source: 1 << 20}})
	took := func(n int) time.Duration {
		start := time.Now()
		if _, err := box.Check(t.Context(), sandtrap.Script{Text: strings.Repeat("3\n", n)}); err != nil {
			t.Fatal(err)
		}
		return time.Since(start)
	}
	took(100)
	for tries := 1; ; tries++ { // others may have the machine
		few, many := took(10_000), took(60_000)
		if many <= 12*few {
			break
		}
		if tries == 4 {
			t.Fatalf("%v for six times what takes %v", many, few)
		}
	}
}
