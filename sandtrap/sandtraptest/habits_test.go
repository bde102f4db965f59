package sandtraptest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestHabitWarnings: code that most probably does not do what its author means runs, and is warned of; the right form is not.
func TestHabitWarnings(t *testing.T) {
	for src, want := range map[string]string{
		`func f() int { return 1 }`:                                                              "1:1: nothing calls f",
		"func f() int { return 1 }\nf()":                                                         "",
		"type T int\nfunc (T) M() {}":                                                            "",
		"package main\nfunc f() {}\nfunc main() {}":                                              "",
		"func main() { println() }":                                                              "",
		`func() { println() }`:                                                                   "1:1: this function is not called: write ()",
		`func() { println() }()`:                                                                 "",
		`fmt.Println(time.Now().Format("YYYY-MM-DD"))`:                                           "1:13: this layout has no date in it: write how 2006-01-02",
		`_, err := time.Parse("yyyy/mm/dd", "2026/01/02"); fmt.Println(err)`:                     "1:11: this layout has no date",
		`d := time.Now().Format("%Y"); fmt.Println(d)`:                                           "1:6: this layout has no date",
		`fmt.Println(time.Now().Format("2006-01-02"), time.Now().Format(time.RFC3339))`:          "",
		`fmt.Println(time.Now().Format("Monday, 02-Jan-06"))`:                                    "",
		`time.Sleep(500)`:                                                                        "1:1: this is 500 nanoseconds: write 500*time.Millisecond",
		`time.Sleep(5 * time.Nanosecond); time.Sleep(0)`:                                         "",
		"func f(d time.Duration) time.Duration { return d }\nfmt.Println(f(50))":                 "2:13: this is 50 nanoseconds: write 50*time.Millisecond",
		"d := time.Duration(5)\nfmt.Println(d.Nanoseconds())":                                    "",
		"n, err := strconv.Atoi(`x`)\nfmt.Println(n)":                                            "1:4: the error in err is never looked at: write if err != nil { ... }",
		"n, err := strconv.Atoi(`1`)\nm, err := strconv.Atoi(`x`)\nerr = nil\nfmt.Println(n, m)": "1:4: the error in err is never looked at",
		"n, err := strconv.Atoi(`1`)\nif err == nil { fmt.Println(n) }":                          "",
		"n, err := strconv.Atoi(`1`)":                                                            "",
		"n, err := strconv.Atoi(`1`)\nfunc f() error { return err }\nfmt.Println(n, f())":        "",
		"var err error\ncause := errors.New(`x`)\nfmt.Println(1)":                                "",
		"n, _ := strconv.Atoi(`1`)\nfmt.Println(n)":                                              "",
		`time.Sleep(1000000)`:                                                                    "",
		"x := 1\nx =+ 2\nfmt.Println(x)":                                                         "2:1: =+ assigns a value with a sign: write +=",
		"x := 1\nx = +2\nx =-1\nfmt.Println(x)":                                                  "",
		"json.Unmarshal([]byte(`1`), new(int))\nfmt.Println(1)":                                  "1:1: the error of json.Unmarshal is dropped: write if err := json.Unmarshal(...); err != nil { ... }, or assign it to _",
		"s := \"a\"\nstrings.ToUpper(s)\nfmt.Println(s)":                                         "2:1: the result of strings.ToUpper is stored nowhere, and s stays as it was; write s = strings.ToUpper(...)",
		"package main\nimport \"slices\"\nfunc main() {\n\txs := []int{1}\n\tslices.Insert(xs, 0, 2)\n\tprintln(len(xs))\n}": "5:2: the result of slices.Insert is stored nowhere, and xs stays as it was",
		"t := time.Unix(0, 0)\nt.Add(time.Hour)\nfmt.Println(t)":                                                             "2:1: the result of t.Add is stored nowhere, and t stays as it was; write t = t.Add(...)",
		"fmt.Sprintf(\"%d\", 1)\nfmt.Println(1)":                                                                             "1:1: the result of fmt.Sprintf is stored nowhere; write v := fmt.Sprintf(...)",
		"if true {\n\terrors.New(\"x\")\n}\nfmt.Println(1)":                                                                  "2:2: the error of errors.New goes nowhere: write return errors.New(...)",
		"x := 1\nx == 2\nfmt.Println(x)":                                                                                     "2:1: the value of x == 2 is stored nowhere; = assigns",
		"func f() (int, error) { return 1, nil }\nf()\nfmt.Println(1)":                                                       "2:1: the error of f is dropped: write if _, err := f(...)",
		"package main\nfunc f() error { return nil }\nfunc main() { f() }":                                                   "3:15: the error of f is dropped",
		"func f() error { return nil }\n_ = f()\ndefer f()\nfmt.Println(1)":                                                  "",
		"func() {\n\tvar b strings.Builder\n\tb.WriteString(`x`)\n\tfmt.Fprintln(&b, 1)\n\tfmt.Println(&b)\n}()":             "",
		"json.NewEncoder(os.Stdout).Encode(1)\nfmt.Println(1)":                                                               "",
		"func f() error { return nil }\nreturn f()":                                                                          "",
	} {
		eachMode(t, func(b bench) {
			res, err := b.RunOnce(pure(), src)
			got := strings.Join(res.Warnings, "\n")
			if err != nil || want == "" && got != "" || !strings.Contains(got, want) {
				b.Errorf("%s: %v, warnings %q, want %q", src, err, got, want)
			}
		})
	}
	eachMode(t, func(b bench) {
		for echo, want := range map[sandtrap.EchoMode]int{sandtrap.EchoNone: 1, sandtrap.EchoLast: 0} {
			p := pure()
			p.Echo = echo
			res, err := b.RunOnce(p, "func f() error { return nil }\nf()")
			if err != nil || len(res.Warnings) != want || want == 1 && !strings.HasPrefix(res.Warnings[0], "script.go:2:1: the error of f is dropped") {
				b.Errorf("of the last statement, echo %s: %v, %q", echo, err, res.Warnings)
			}
		}
	})
	eachMode(t, func(b bench) {
		p := pure()
		p.Files = &sandtrap.Files{}
		p.Funcs = map[string]any{"CloseAccount": func(int) error { return nil }}
		res, err := b.RunOnce(p, "os.WriteFile(`a`, nil, 0o644)\nCloseAccount(1)\nio.WriteString(os.Stdout, `a`)\nfmt.Println(1)")
		got := strings.Join(res.Warnings, "\n")
		if err != nil || len(res.Warnings) != 2 || !strings.Contains(got, "1:1: the error of os.WriteFile is dropped: write if err :=") || !strings.Contains(got, "2:1: the error of CloseAccount is") {
			b.Errorf("of a function that writes no stream: %v, %q", err, got)
		}
	})
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			return // it starts no goroutines and leaves no functions
		}
		started, err := b.RunOnce(pure(), "func f() error { return nil }\ngo f()")
		if want := "2:4: the error of f is dropped: let go start a func that handles it"; err != nil || !strings.Contains(strings.Join(started.Warnings, "\n"), want) {
			b.Errorf("of a goroutine: %v, %q, want %q", err, started.Warnings, want)
		}
		res, err := b.Box(pure()).Run(b.Context(), sandtrap.Script{Text: "func OnTick() {}", Funcs: []string{"OnTick"}})
		if err != nil || len(res.Warnings) > 0 {
			b.Errorf("of a function that the host calls: %v, %q", err, res.Warnings)
		}
	})
}

type hintedOrder struct{ ID int }

// TestToolHints: who gives a tool the context that the run supplies, or leaves out the package of a type, is told so.
func TestToolHints(t *testing.T) {
	eachKeeping(t, func(b bench) {
		p := pure()
		p.Std = append(p.Std, "context")
		p.Funcs = map[string]any{"forecast": func(context.Context, string, int) string { return "" }}
		p.Packages = []sandtrap.Package{{Path: "acme/shop", Members: map[string]any{
			"Order": (*hintedOrder)(nil), "Put": func(hintedOrder) {}, "Get": func(context.Context) int { return 1 },
		}}}
		box := b.Box(p)
		for text, want := range map[string]string{
			"ctx := context.Background()\nforecast(ctx, `Oslo`, 3)":            "leave the context out, which the run supplies: its signature is func forecast(string, int) string",
			"import \"acme/shop\"\nshop.Get(context.TODO())":                   "leave the context out, which the run supplies: its signature is func shop.Get() int",
			"forecast(`Oslo`, 3, 4)":                                           "its signature is func forecast(string, int) string",
			"func f(n int) {}\nf(context.TODO(), 3)":                           "its signature is func f(n int)",
			"var o Order\nshop.Put(o)":                                         "did you mean shop.Order?",
			"import \"strings\"\nfmt.Println(ToUpper(strings.TrimSpace(`a`)))": "did you mean strings.ToUpper?",
		} {
			_, err := box.Run(b.Context(), sandtrap.Script{Text: text})
			if e, ok := errors.AsType[*sandtrap.Error](err); !ok || e.Hint != want {
				b.Errorf("%s: %v, want %s", text, err, want)
			}
		}
	})
}
