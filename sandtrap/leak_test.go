package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// endings are scripts that end in as many ways as there are, named for what ends
// them.
var endings = map[string]string{
	"well":              "x := 1\nprintln(x)",
	"syntax":            "x := := 1",
	"type error":        "var n int = \"x\"",
	"denied import":     "package main\nimport \"os/exec\"\nfunc main() { exec.Command(\"x\") }",
	"denied member":     "package main\nimport \"os\"\nfunc main() { os.Getenv(\"HOME\") }",
	"panic":             "panic(\"x\")",
	"panic, error":      "panic(errors.New(\"x\"))",
	"index":             "a := []int{1}\ni := 5\nprintln(a[i])",
	"nil map":           "var m map[string]int\nm[\"a\"] = 1",
	"nil pointer":       "type T struct{ X int }\nvar p *T\nprintln(p.X)",
	"division":          "z := 0\nprintln(1 / z)",
	"conversion":        "var v any = 1\nprintln(v.(string))",
	"host panic":        "println(strings.Repeat(\"x\", -1))",
	"in a closure":      "func() { panic(\"x\") }()",
	"in a method":       "package main\ntype T int\nfunc (T) M() { panic(\"x\") }\nfunc main() { T(1).M() }",
	"in a host's call":  "strings.Map(func(r rune) rune { panic(\"x\") }, \"abc\")",
	"recovered":         "func() { defer func() { println(recover() != nil) }(); panic(\"x\") }()",
	"ticks":             "for {}",
	"depth":             "package main\nfunc f() { f() }\nfunc main() { f() }",
	"memory":            "n := 1 << 40\nprintln(len(make([]byte, n)))",
	"printed function":  "fmt.Printf(\"%T\\n\", strings.ToUpper)",
	"printed host type": "var b strings.Builder\nfmt.Printf(\"%T\\n\", &b)",
	"deadlock":          "var c chan int\n<-c",
	"format":            "fmt.Printf(\"%d %!\\n\", \"x\")",
}

// TestNothingOfTheHostShows: no gate, path, address or environment of the host is
// in anything that a run leaves behind.
func TestNothingOfTheHostShows(t *testing.T) {
	t.Setenv("SANDTRAP_SECRET", "hunter2")
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	forbidden := []*regexp.Regexp{
		regexp.MustCompile(regexp.QuoteMeta(dir)),
		regexp.MustCompile(`(?i)` + abi.Prefix),
		regexp.MustCompile(regexp.QuoteMeta(abi.Path)),
		regexp.MustCompile(`0x[0-9a-f]{6,}`),
		regexp.MustCompile(`hunter2|goroutine \d+ \[[^]]*\]:|github\.com/|/usr/|/root/|\.go:\d+ \+0x`),
		regexp.MustCompile(`reflect\.Value|interp\.`),
	}
	b := box(t, Policy{Std: StdDefault(), Limits: Limits{Ticks: 100_000, Timeout: 5 * time.Second, Memory: 64 << 20, Depth: 1000}, Echo: EchoAll})
	for name, src := range endings {
		t.Run(name, func(t *testing.T) {
			res, err := b.Run(t.Context(), Script{Text: src})
			text := fmt.Sprintf("%q %q %+v %+v %v", res.Stdout, res.Stderr, res.Vars, res.Echo, err)
			if e, ok := errors.AsType[*Error](err); ok {
				for _, one := range e.All() {
					text += fmt.Sprintf(" %q %q %q %q %+v", one.Kind, one.Message, one.Hint, one.Name, one.Stack) + fmt.Sprintf("%+v", one.Tasks)
				}
			}
			for _, re := range forbidden {
				if found := re.FindString(text); found != "" {
					t.Errorf("%q shows in %s", found, text)
				}
			}
		})
	}
}

// TestErrorsHoldNoValues: whatever ends a run, its error is made of text, numbers
// and the errors of package context.
func TestErrorsHoldNoValues(t *testing.T) {
	b := box(t, Policy{Std: StdDefault(), Limits: Limits{Ticks: 100_000, Memory: 64 << 20, Depth: 1000}})
	failed := 0
	for name, src := range endings {
		_, err := b.Run(t.Context(), Script{Text: src})
		if err == nil {
			continue
		}
		failed++
		onlyText(t, name, reflect.ValueOf(err))
	}
	if failed < 15 {
		t.Errorf("only %d scripts ended in an error", failed)
	}
}

// onlyText fails if a value that is not of this package's plain types can be
// reached from v.
func onlyText(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String, reflect.Int, reflect.Bool:
	case reflect.Pointer:
		if v.Type() != reflect.TypeFor[*Error]() {
			t.Errorf("%s holds a %v", path, v.Type())
		} else if !v.IsNil() {
			onlyText(t, path, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			onlyText(t, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			onlyText(t, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		if err, ok := v.Interface().(error); !ok || err != context.Canceled && err != context.DeadlineExceeded {
			t.Errorf("%s holds a %v", path, v.Elem().Type())
		}
	default:
		t.Errorf("%s holds a %v", path, v.Type())
	}
}
