package sandtraptest

import (
	"fmt"
	"go/token"
	"path"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestTypeNames: types of the rows have their names in Go, whichever way a script is told one: by %T, by package reflect, in
// the text of a conversion that panics, and as parts of other types.
func TestTypeNames(t *testing.T) {
	all := 0
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Network: rig.Offline(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for _, p := range builtins.Std() {
		var body, want strings.Builder
		for _, row := range p.Members {
			rt := reflect.TypeOf(row.Value)
			if row.Deny || rt == nil || rt.Kind() != reflect.Pointer || !reflect.ValueOf(row.Value).IsNil() || !token.IsExported(row.Name) || strings.Contains(row.Name, ".") {
				continue
			}
			all++
			fmt.Fprintf(&body, "say((*q.%[1]s)(nil), []*q.%[1]s(nil), map[int]*q.%[1]s(nil), struct{ A *q.%[1]s }{}, (func(...*q.%[1]s) chan *q.%[1]s)(nil))\n", row.Name)
			name := path.Base(strings.TrimSuffix(p.Path, "/v2")) + "." + row.Name
			if isAlias := rt.Elem().PkgPath() == "io/fs"; isAlias {
				name = "fs." + row.Name
			}
			fmt.Fprintf(&want, "*%[1]s []*%[1]s map[int]*%[1]s struct { A *%[1]s } func(...*%[1]s) chan *%[1]s\n", name)
		}
		if body.Len() == 0 {
			continue
		}
		src := fmt.Sprintf(`package main
import ("fmt"; "reflect"; q %q)
type mine int
func say(list ...any) {
	for i, x := range list {
		a, b := fmt.Sprintf("%%T", x), reflect.TypeOf(x).String()
		if a != b || conversion(x) != "interface conversion: interface {} is " + a + ", not main.mine" {
			fmt.Print("?", b, conversion(x))
		}
		if i > 0 { fmt.Print(" ") }
		fmt.Print(a)
	}
	fmt.Println()
}
func conversion(x any) (text string) {
	defer func() { text = recover().(error).Error() }()
	_ = x.(mine)
	return
}
func main() { %s }`, p.Path, body.String())
		res, err := box.Run(t.Context(), sandtrap.Script{Text: src})
		if err != nil {
			t.Errorf("%s: %v", p.Path, err)
			continue
		}
		got := strings.Split(res.Stdout, "\n")
		for i, w := range strings.Split(want.String(), "\n") {
			if got[i] != w {
				t.Errorf("%s", got[i])
				t.Errorf("    %s", w)
			}
		}
	}
	if all < 200 {
		t.Errorf("only %d types", all)
	}
}

// TestHiddenNames: values of types of ours that stand in for private ones of Go name these.
func TestHiddenNames(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Network: rig.Offline(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for expr, want := range map[string]string{
		"context.Background()":                          "context.backgroundCtx",
		"first(context.WithCancel(context.TODO()))":     "*context.cancelCtx",
		"first(context.WithTimeout(context.TODO(), 1))": "*context.timerCtx",
		"context.WithValue(context.TODO(), 1, 2)":       "*context.valueCtx",
		"slog.Default().Handler()":                      "*slog.defaultHandler",
		"new(sync.RWMutex).RLocker()":                   "*sync.rlocker",
		"state{}.get()":                                 "*fmt.pp",
		"scan{}.get()":                                  "*fmt.ss",
	} {
		src := `import ("context"; "slices"; "log/slog"; "sync")
type state struct{}
var got any
func (state) Format(s fmt.State, _ rune) { got = s }
func (state) get() any { fmt.Sprint(state{}); return got }
type scan struct{}
func (*scan) Scan(s fmt.ScanState, _ rune) error { got = s; return nil }
func (scan) get() any { fmt.Sscan("x", &scan{}); return got }
func first[A, B any](a A, _ B) A { return a }
var _ = context.TODO; var _ = slices.Max[[]int]; var _ slog.Level; var _ sync.Mutex
var x any = ` + expr + `
func conversion() (text string) { defer func() { text = recover().(error).Error() }(); _ = x.(int); return }
func set() (text string) { defer func() { text = fmt.Sprint(recover()) }(); reflect.ValueOf(new(int)).Elem().Set(reflect.ValueOf(x)); return }
fmt.Printf("%T %v, %s, %s", x, reflect.TypeOf(x), conversion(), set())`
		res, err := box.Run(t.Context(), sandtrap.Script{Text: src})
		said := fmt.Sprintf("%[1]s %[1]s, interface conversion: interface {} is %[1]s, not int, reflect.Set: value of type %[1]s is not assignable to type int", want)
		if err != nil || res.Stdout != said {
			t.Errorf("%s: got %q, %v\nwant %q", expr, res.Stdout, err, said)
		}
	}
}

// TestTemplateErrors: the errors of templates show of values of the host what printing shows, and no addresses but those that are made up for the script.
func TestTemplateErrors(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Network: rig.Offline(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for _, text := range []string{"{{range .}}{{end}}", "{{range $i, $x := .}}{{end}}", "{{eq . 1}}", "{{eq . .}}", "{{lt . .}}", "{{len .}}", "{{index . 1}}", "{{.X}}"} {
		for _, value := range []string{"flag.NewFlagSet(\"x\", 0)", "slog.Default()", "new(sync.Map)", "[]any{new(sync.Mutex)}"} {
			res, err := box.Run(t.Context(), sandtrap.Script{Text: "import (\"text/template\"; \"sync\"; \"log/slog\"; \"flag\")\nvar _ sync.Mutex; var _ slog.Level; var _ flag.Flag\nfmt.Println(template.Must(template.New(\"\").Parse(`" + text + "`)).Execute(io.Discard, " + value + "))"})
			if err != nil || strings.Contains(strings.ReplaceAll(res.Stdout, "0xc00001", ""), "0x") || strings.Contains(res.Stdout, "builtins.") {
				t.Errorf("%s, %s: %q, %v", text, value, res.Stdout, err)
			}
		}
	}
}
