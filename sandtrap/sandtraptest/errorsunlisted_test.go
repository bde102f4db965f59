package sandtraptest

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Errors of a host whose types no member lists: functions mention all of them but the last.
type (
	unlistedData struct { // of plain data
		Code int
		Msg  string
	}
	unlistedValue  struct{ Code int }
	unlistedNumber int
	UnlistedHides  struct {
		why   string
		Cause error
	}
	UnlistedHidesValue struct{ why string }
	unlistedApart      struct{ why string }
)

func (e *unlistedData) Error() string      { return fmt.Sprintf("%d %s", e.Code, e.Msg) }
func (e unlistedValue) Error() string      { return fmt.Sprintf("value %d", e.Code) }
func (e unlistedNumber) Error() string     { return fmt.Sprintf("number %d", int(e)) }
func (e *UnlistedHides) Error() string     { return "hides " + e.why }
func (e *UnlistedHides) Unwrap() error     { return e.Cause }
func (e UnlistedHidesValue) Error() string { return "hides value " + e.why }
func (e *unlistedApart) Error() string     { return "apart " + e.why }

var (
	errUnlisted       = &UnlistedHides{why: "sentinel"}
	errUnlistedValue  = UnlistedHidesValue{"sentinel"}
	errUnlistedNumber = unlistedNumber(7)
)

func unlistedErrors() sandtrap.Policy {
	give := map[string]error{
		"data": &unlistedData{404, "none"}, "value": unlistedValue{5}, "number": unlistedNumber(6), "hides": &UnlistedHides{"h", errUnlistedValue},
		"hidesvalue": UnlistedHidesValue{"v"}, "apart": &unlistedApart{"a"}, "sentinel": errUnlisted, "sentinelvalue": errUnlistedValue, "sentinelnumber": errUnlistedNumber,
	}
	p := pure()
	p.Funcs = map[string]any{
		"give": func(name string) error { return give[name] }, "giveany": func(name string) any { return give[name] },
		"data": func() *unlistedData { return nil }, "value": func() unlistedValue { return unlistedValue{} },
		"number": func() unlistedNumber { return 6 }, "hides": func() (*UnlistedHides, UnlistedHidesValue) { return errUnlisted, errUnlistedValue },
		"look": func(err error) string {
			_, data := errors.AsType[*unlistedData](err)
			_, value := errors.AsType[unlistedValue](err)
			return fmt.Sprint(err, data, value, errors.Is(err, errUnlisted), errors.Is(err, errUnlistedValue), errors.Is(err, errUnlistedNumber))
		},
	}
	p.Packages = []sandtrap.Package{{Path: "host/errs", Members: map[string]any{"Sentinel": errUnlisted, "Value": errUnlistedValue, "Number": errUnlistedNumber}}}
	return p
}

// TestErrorsUnlisted: errors of types that no member lists are errors: they say what they are, are equal again, and are found by
// who looks for them, in each mode.
func TestErrorsUnlisted(t *testing.T) {
	const names = `for _, n := range []string{"data", "value", "number", "hides", "hidesvalue", "apart"} { `
	rows := []struct {
		src, want string
		data      bool // it needs types of plain data as members, which engine yaegi does not have
	}{
		{names + `e := give(n); fmt.Println(e, fmt.Errorf("w: %w", e), []error{e}, e.Error()) }`, `404 none w: 404 none [404 none] 404 none
value 5 w: value 5 [value 5] value 5
number 6 w: number 6 [number 6] number 6
hides h w: hides h [hides h] hides h
hides value v w: hides value v [hides value v] hides value v
apart a w: apart a [apart a] apart a
`, false},
		{names + `a := giveany(n); e, ok := a.(error); fmt.Println(a, e, ok, e == give(n)) }`, `404 none 404 none true true
value 5 value 5 true true
number 6 number 6 true true
hides h hides h true true
hides value v hides value v true true
apart a apart a true true
`, false},
		{names + `e := give(n); fmt.Print(e == give(n), errors.Is(e, give(n)), errors.Is(fmt.Errorf("w: %w", e), give(n)), errors.Is(errors.Join(e), e), " ") }`,
			"true true true true true true true true true true true true true true true true true true true true true true true true ", false},
		{`import "host/errs"
for _, e := range []error{errs.Sentinel, errs.Value, errs.Number, give("hides")} {
	w := fmt.Errorf("w: %w", e)
	fmt.Println(e, errors.Is(w, errs.Sentinel), errors.Is(w, errs.Value), errors.Is(w, errs.Number), look(w))
}
fmt.Println(give("sentinel") == errs.Sentinel, give("sentinelvalue") == errs.Value, give("sentinelnumber") == errs.Number)`, `hides sentinel true false false w: hides sentinel false false true false false
hides value sentinel false true false w: hides value sentinel false false false true false
number 7 false false true w: number 7 false false false false true
hides h false true false w: hides h false false false true false
true true true
`, false},
		{`var d *unlistedData
var v unlistedValue
var n unlistedNumber
fmt.Println(errors.As(fmt.Errorf("w: %w", give("data")), &d), d.Code, errors.As(give("value"), &v), v.Code, errors.As(give("number"), &n), n)
fmt.Println(look(give("data")), look(&unlistedData{1, "made"}), look(v), error(d).Error())`, `true 404 true 5 true number 6
404 none true false false false false 1 made true false false false false value 5 false true false false false 404 none
`, true},
		{`x := []any{give("data"), give("value"), give("number"), give("hides"), give("apart")}
fmt.Println(x)`, "[404 none value 5 number 6 hides h apart a]\n", false},
	}
	eachMode(t, func(b bench) {
		box := b.Box(unlistedErrors())
		for _, tc := range rows {
			if tc.data && b.Engine == "yaegi" {
				continue
			}
			if res, err := box.Run(b.Context(), sandtrap.Script{Text: tc.src}); err != nil || res.Stdout != tc.want {
				b.Errorf("%s\nends with %v, and prints\n%s\nwant\n%s", tc.src, err, res.Stdout, tc.want)
			}
		}
		if b.Engine == "yaegi" {
			return
		}
		s, err := box.Session()
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		if _, err := s.Run(b.Context(), sandtrap.Script{Text: `import "host/errs"
w, n, d := fmt.Errorf("w: %w", errs.Sentinel), fmt.Errorf("w: %w", give("number")), give("data")`}); err != nil {
			b.Fatal(err)
		}
		var saved bytes.Buffer
		if err := s.SaveAll(&saved); err != nil {
			b.Fatal(err)
		}
		loaded, err := box.LoadSession(&saved)
		if err != nil {
			b.Fatal(err)
		}
		defer loaded.Close()
		res, err := loaded.Run(b.Context(), sandtrap.Script{Text: `fmt.Println(w, errors.Is(w, errs.Sentinel), n, errors.Is(n, give("number")), d)`})
		if want := "w: hides sentinel true w: number 6 true 404 none\n"; err != nil || res.Stdout != want {
			b.Errorf("loaded: %v, %q, want %q", err, res.Stdout, want)
		}
	})
}
