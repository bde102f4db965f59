package sandtraptest

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// Random programs that give values of random types to functions of the host, to callbacks, and to their host.

// sameTypes are what each of these programs declares.
const sameTypes = `
type Num int
type Word string
type Point struct { X, Y int; note string }
type Tree struct { V int; Kids []*Tree; By map[string]Point }
type Fails struct { Why string; Of error }
func (f *Fails) Error() string { return "fails " + f.Why }
func (f *Fails) Unwrap() error { return f.Of }
type Shown struct { A any; L []Num }
func (s Shown) String() string { return fmt.Sprint("shown ", len(s.L)) }
`

// A sameMaker makes types and values of them, in the source of scripts.
type sameMaker struct{ *rand.Rand }

func (m sameMaker) pick(list ...string) string { return list[m.IntN(len(list))] }

// typ is a type, of parts that are depth deep at most.
func (m sameMaker) typ(depth int) string {
	if depth == 2 && m.IntN(8) == 0 {
		return "error" // within others a host would encode it by the fields of its type, of which a worker has none
	}
	if depth == 0 || m.IntN(3) == 0 {
		return m.pick("int", "string", "bool", "float64", "int8", "uint64", "[]byte", "any", "Num", "Word", "Point", "*Point", "*Tree", "Shown", "time.Duration", "time.Time", "rune", "reg.User", "*reg.User", "reg.UserID")
	}
	switch m.IntN(5) {
	case 0:
		return "[]" + m.typ(depth-1)
	case 1:
		return "map[" + m.pick("string", "int", "Word", "Num", "reg.UserID") + "]" + m.typ(depth-1)
	case 2:
		return "[2]" + m.typ(depth-1)
	case 3:
		return "struct { A " + m.typ(depth-1) + "; B " + m.typ(depth-1) + " }"
	}
	return "*" + m.typ(depth-1)
}

// value is an expression of a type.
func (m sameMaker) value(t string, depth int) string {
	switch t {
	case "int", "Num", "int8", "uint64", "rune", "time.Duration":
		return fmt.Sprintf("%s(%d)", t, m.IntN(100))
	case "float64":
		return m.pick("1.5", "-0.25", "3.0")
	case "string", "Word", "reg.UserID":
		return fmt.Sprintf("%s(%q)", t, m.pick("", "a", "héé", "x y"))
	case "bool":
		return m.pick("true", "false")
	case "[]byte":
		return m.pick("[]byte(nil)", "[]byte{}", `[]byte("by\x00")`)
	case "time.Time":
		return m.pick("time.Time{}", "time.Date(2024, 2, 3, 4, 5, 6, 7, time.UTC)", `time.Date(2024, 2, 3, 4, 5, 6, 7, time.FixedZone("XYZ", 5400))`)
	case "any":
		if depth <= 0 || m.IntN(4) == 0 {
			return "any(nil)"
		}
		inner := m.typ(depth - 1)
		return "any(" + m.value(inner, depth-1) + ")"
	case "error":
		return m.pick("error(nil)", "io.EOF", `errors.New("e")`, `error(&Fails{"f", io.EOF})`, `fmt.Errorf("w: %w", &Fails{"g", nil})`, `give("limit")`, `fmt.Errorf("w: %w", give("own"))`, `error(&fs.PathError{Op: "o", Path: "p", Err: io.EOF})`)
	case "Point":
		return fmt.Sprintf("Point{%d, %d, %q}", m.IntN(9), m.IntN(9), m.pick("", "n"))
	case "Shown":
		return "Shown{" + m.value("any", depth-1) + ", []Num{1, 2}}"
	case "*Tree":
		return m.pick("(*Tree)(nil)", "&Tree{V: 1}", `&Tree{2, []*Tree{{V: 3}, nil}, map[string]Point{"k": {}}}`)
	case "reg.User":
		return m.pick("reg.User{}", `reg.User{Name: "u", Sub: &reg.User{Name: "s"}}`)
	}
	return m.compound(t, depth)
}

// compound is one of a type that is made of others.
func (m sameMaker) compound(t string, depth int) string {
	if rest, ok := strings.CutPrefix(t, "*"); ok {
		if m.IntN(4) == 0 {
			return "(" + t + ")(nil)"
		}
		return "ptr[" + rest + "](" + m.value(rest, depth-1) + ")"
	}
	if rest, ok := strings.CutPrefix(t, "[]"); ok {
		return m.pick("("+t+")(nil)", t+"{}", t+"{"+m.value(rest, depth-1)+"}", t+"{"+m.value(rest, depth-1)+", "+m.value(rest, depth-1)+"}")
	}
	if rest, ok := strings.CutPrefix(t, "[2]"); ok {
		return t + "{" + m.value(rest, depth-1) + ", " + m.value(rest, depth-1) + "}"
	}
	if rest, ok := strings.CutPrefix(t, "map["); ok {
		key, elem, _ := strings.Cut(rest, "]")
		return m.pick("("+t+")(nil)", t+"{"+m.value(key, 0)+": "+m.value(elem, depth-1)+"}")
	}
	return "zero[" + t + "]()"
}

// program is one that gives some values to everything that takes any, and leaves them.
func (m sameMaker) program() string {
	var b strings.Builder
	b.WriteString("import \"corp/reg\"\n" + sameTypes + "func ptr[T any](v T) *T { return &v }\nfunc zero[T any]() (v T) { return v }\nfunc main() {\n")
	var globals strings.Builder
	for i := range 4 {
		t := m.typ(2)
		fmt.Fprintf(&globals, "var v%d %s\nfunc f%d() %s { return v%d }\nfunc g%d(x %s) string { return fmt.Sprint(same(v%d, x)) + show(x) }\n", i, t, i, t, i, i, t, i)
		fmt.Fprintf(&b, "v%d = %s\n", i, m.value(t, 3))
		fmt.Fprintf(&b, "fmt.Println(%d, show(v%d)); r%d := back(v%d); fmt.Printf(\"%%T %%v\\n\", r%d, show(r%d))\n", i, i, i, i, i, i)
		fmt.Fprintf(&b, "if _, ok := r%d.(%s); !ok && any(v%d) != nil { fmt.Println(\"another type\") }\n", i, t, i)
		fmt.Fprintf(&b, "call(func(x any) any { fmt.Printf(\"%%T\\n\", x); return x }, v%d)\n", i)
	}
	b.WriteString("_ = give\n}\n")
	return strings.Replace(b.String(), "func main()", globals.String()+"func main()", 1)
}

// sameFuncs are the functions that it gives them to.
func sameFuncs() map[string]any {
	limit := &sameLimit{1, 2, io.EOF}
	show := func(v any) string {
		if e, ok := v.(error); ok {
			return sameKnown(e)
		}
		b, err := json.Marshal(v)
		if err != nil {
			b = []byte("no JSON")
		}
		return string(b)
	}
	return map[string]any{
		"show": show, "back": func(v any) any { return v },
		"call": func(f func(any) any, v any) any { return f(v) },
		"same": func(a, b any) string { return show(a) + show(b) },
		"give": func(name string) error {
			return map[string]error{"limit": limit, "own": errSameOwn}[name]
		},
	}
}

// left is what a host sees of what a run has left, and what its functions do with it.
func (m sameMaker) left(t *testing.T, src string, mode sandtrap.Isolation) string {
	p := pure()
	p.Isolation, p.Funcs = mode, sameFuncs()
	p.Packages = []sandtrap.Package{{Path: "corp/reg", Members: vTypes}}
	box, err := sandtrap.New(t.Context(), p)
	rig.NoKernel(t, err)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, err := box.Run(t.Context(), sandtrap.Script{Text: src})
	out := fmt.Sprintln(err, res.Types, res.Warnings, res.Stdout)
	for i := range 4 {
		name := fmt.Sprint("v", i)
		if _, isError := res.Vars[name].(error); !isError { // whose type is another
			out += fmt.Sprintf("%T ", res.Vars[name])
		}
		out += fmt.Sprintf("%s %s", name, res.JSON(name)) + "\n"
		if f := res.Func(fmt.Sprint("f", i)); f != nil {
			got, err := f.Call(t.Context())
			out += fmt.Sprint(err)
			if err == nil {
				again, err := res.Func(fmt.Sprint("g", i)).Call(t.Context(), got.Returned...)
				out += fmt.Sprintln("", again.Returned, err)
			}
		}
	}
	return out
}

// TestSameValues: random programs do the same with values of random types in each mode.
func TestSameValues(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 8
	}
	for seed := range uint64(n) {
		m := sameMaker{rand.New(rand.NewPCG(seed, 1))}
		src := m.program()
		here := m.left(t, src, sandtrap.None)
		if !strings.HasPrefix(here, "<nil>") && !strings.Contains(here, "cannot be given to the host as") {
			t.Fatalf("seed %d: %s\n%s", seed, here, src)
		}
		for _, mode := range []sandtrap.Isolation{sandtrap.Process, sandtrap.Kernel} {
			if machine.Raced && mode == sandtrap.Kernel || mode == sandtrap.Kernel && seed%8 > 0 {
				continue
			}
			if there := m.left(t, src, mode); there != here {
				t.Errorf("seed %d, isolation %s:\n%s\n%s", seed, mode, gocmp.Diff(strings.Split(here, "\n"), strings.Split(there, "\n")), src)
			}
		}
	}
}
