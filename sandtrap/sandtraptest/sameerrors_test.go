package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Errors of a host that runs the tests of this file: of types that its scripts may know, or do not.
type (
	sameLimit struct { // no member
		Max, Used int
		Cause     error
	}
	sameQuota struct { // a member
		Name  string
		Cause error
	}
	sameCode int // a member
)

func (e *sameLimit) Error() string { return fmt.Sprintf("used %d of %d", e.Used, e.Max) }
func (e *sameLimit) Unwrap() error { return e.Cause }
func (e *sameQuota) Error() string { return "quota of " + e.Name }
func (e *sameQuota) Unwrap() error { return e.Cause }
func (c sameCode) Error() string   { return fmt.Sprintf("code %d", int(c)) }

var (
	errSameFull = errors.New("full")                  // listed
	errSameBusy = errors.New("busy")                  // listed
	errSameOwn  = errors.New("own one")               // not listed
	errSameDisk = fmt.Errorf("disk: %w", errSameFull) // listed, and wraps a listed one
)

// sameKnown are what the host compares with, and finds in an error.
func sameKnown(err error) string {
	var found []string
	for name, known := range map[string]error{"EOF": io.EOF, "NotExist": fs.ErrNotExist, "Deadline": context.DeadlineExceeded, "Full": errSameFull, "Busy": errSameBusy, "Own": errSameOwn, "Disk": errSameDisk} {
		if errors.Is(err, known) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	if e, ok := errors.AsType[*sameLimit](err); ok {
		found = append(found, fmt.Sprintf("limit %d/%d", e.Used, e.Max))
	}
	if e, ok := errors.AsType[*sameQuota](err); ok {
		found = append(found, "quota "+e.Name)
	}
	if e, ok := errors.AsType[sameCode](err); ok {
		found = append(found, fmt.Sprint("code ", int(e)))
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		found = append(found, "path "+e.Path)
	}
	if err == nil {
		return "nil"
	}
	return strings.Join(found, ",") + "|" + err.Error()
}

// sameErrors is the policy of these tests.
func sameErrors(kept *error) sandtrap.Policy {
	p := pure()
	give := map[string]error{
		"own": errSameOwn, "eof": io.EOF, "full": errSameFull, "disk": errSameDisk,
		"limit": &sameLimit{10, 12, errSameFull}, "limited": fmt.Errorf("call: %w", &sameLimit{10, 12, io.EOF}),
		"quota": &sameQuota{"q", errSameBusy}, "quotaed": fmt.Errorf("call: %w", &sameQuota{"q", &sameLimit{1, 2, errSameOwn}}), "code": sameCode(4), "coded": fmt.Errorf("call: %w", sameCode(5)),
		"joined":  errors.Join(errSameFull, &fs.PathError{Op: "open", Path: "p", Err: fs.ErrNotExist}, context.DeadlineExceeded),
		"wrapown": fmt.Errorf("a: %w", fmt.Errorf("b: %w", errSameOwn)),
	}
	p.Funcs = map[string]any{
		"give":   func(name string) error { return give[name] },
		"same":   func(err error) error { return err },
		"wrap":   func(err error) error { return fmt.Errorf("tool: %w", err) },
		"join":   func(a, b error) error { return errors.Join(a, b) },
		"quota":  func(err error) error { return &sameQuota{"tool", err} },
		"limit":  func(err error) error { return &sameLimit{1, 2, err} },
		"keep":   func(err error) { *kept = err },
		"kept":   func() error { return *kept },
		"look":   sameKnown,
		"anys":   func(v any) any { return v },
		"list":   func(list []error) []error { return list },
		"unwrap": errors.Unwrap,
		"same2":  func(list map[string]any) map[string]any { return list },
		"callit": func(f func(error) error, err error) error { return f(err) },
	}
	p.Packages = []sandtrap.Package{{Path: "host/errs", Members: map[string]any{
		"Quota": (*sameQuota)(nil), "Code": (*sameCode)(nil),
		"Full": errSameFull, "Busy": errSameBusy, "Disk": errSameDisk,
	}}}
	return p
}

// samePrelude is what each script of these tests begins with: errors of its own, and what it finds in an error.
const samePrelude = `
import "host/errs"
type mine struct { why string; Cause error }
func (e *mine) Error() string { return "mine: " + e.why }
func (e *mine) Unwrap() error { return e.Cause }
type odd string
func (o odd) Error() string { return string(o) }
func (o odd) Is(other error) bool { return other == io.EOF }

func see(err error) string {
	var s []string
	for _, k := range []struct{ n string; e error }{{"Busy", errs.Busy}, {"Deadline", context.DeadlineExceeded}, {"Disk", errs.Disk}, {"EOF", io.EOF}, {"Full", errs.Full}, {"NotExist", fs.ErrNotExist}} {
		if errors.Is(err, k.e) { s = append(s, k.n) }
	}
	var q *errs.Quota
	if errors.As(err, &q) { s = append(s, "quota " + q.Name) }
	var c errs.Code
	if errors.As(err, &c) { s = append(s, fmt.Sprint("code ", int(c))) }
	var p *fs.PathError
	if errors.As(err, &p) { s = append(s, "path " + p.Path) }
	var m *mine
	if errors.As(err, &m) { s = append(s, "mine " + m.why) }
	var o odd
	if errors.As(err, &o) { s = append(s, "odd " + string(o)) }
	return fmt.Sprint(strings.Join(s, ","), "|", err)
}
base := errors.New("base")
theMine := &mine{"m", errs.Full}
`

var sameErrorsTests = []struct{ name, src string }{
	{"given by the host", `for _, n := range []string{"own", "eof", "full", "disk", "limit", "limited", "quota", "quotaed", "code", "coded", "joined", "wrapown"} { fmt.Println(n, see(give(n))) }`},
	{"unwrapped by the script", `for _, n := range []string{"own", "eof", "full", "disk", "limit", "limited", "quota", "quotaed", "code", "coded", "joined", "wrapown"} { for e := give(n); e != nil; e = errors.Unwrap(e) { fmt.Println(n, see(e)) } }`},
	{"equal again", `for _, n := range []string{"own", "eof", "full", "disk", "limit", "limited", "quota", "quotaed", "code", "joined"} { fmt.Println(n, give(n) == give(n), errors.Is(give(n), give(n)), errors.Is(wrap(give(n)), give(n))) }`},
	{"back to the host", `for _, n := range []string{"own", "eof", "full", "disk", "limit", "limited", "quota", "quotaed", "code", "coded", "joined", "wrapown"} { fmt.Println(n, look(give(n)), look(fmt.Errorf("s: %w", give(n))), look(errors.Join(base, give(n)))) }`},
	{"a script's through a tool", `fmt.Println(same(base) == base, same(theMine) == theMine, same(odd("x")) == odd("x"))
fmt.Println(see(same(theMine)), see(same(odd("x"))))`},
	{"a script's wrapped by a tool", `fmt.Println(errors.Is(wrap(base), base), errors.Is(join(base, theMine), theMine), errors.Is(wrap(fmt.Errorf("s: %w", base)), base))
fmt.Println(see(wrap(theMine)), see(join(odd("a"), theMine)), see(quota(theMine)), see(limit(theMine)))`},
	{"unwrap of what a tool wraps", `fmt.Println(errors.Unwrap(wrap(base)) == base, errors.Unwrap(wrap(theMine)) == theMine)
fmt.Println(errors.Unwrap(wrap(wrap(base))) == base, errors.Unwrap(errors.Unwrap(wrap(wrap(base)))) == base)`},
	{"kept by the host", `keep(theMine)
fmt.Println(kept() == theMine, see(kept()))`},
	{"what the host sees of a script's", `fmt.Println(look(theMine), look(odd("x")), look(base), look(fmt.Errorf("s: %w", theMine)), look(&mine{"n", &fs.PathError{Op: "o", Path: "pp", Err: io.EOF}}))`},
	{"as any", `fmt.Println(anys(base) == base, anys(theMine) == any(theMine), anys(give("own")) == any(give("own")))
fmt.Println(see(anys(theMine).(error)))`},
	{"in lists and maps", `l := list([]error{base, theMine, io.EOF, errs.Disk})
fmt.Println(l[0] == base, l[1] == theMine, l[2] == io.EOF, l[3] == errs.Disk)
m := same2(map[string]any{"e": base, "m": theMine})
fmt.Println(m["e"] == base, m["m"] == any(theMine))`},
	{"through a callback", `fmt.Println(callit(func(e error) error { return e }, base) == base, see(callit(func(e error) error { return fmt.Errorf("cb: %w", e) }, theMine)), see(callit(func(e error) error { return give("quotaed") }, nil)))`},
	{"typed nil and nil", `var m *mine
fmt.Println(same(nil) == nil, same(m) == nil)`},
	{"a type of the host in a field", `q := &errs.Quota{Name: "n", Cause: theMine}
fmt.Println(see(q), look(q), see(same(q)), same(q) == error(q), see(wrap(q)), errors.Unwrap(same(q)) == theMine)`},
	{"constants", `fmt.Println(errs.Disk == give("disk"), errors.Unwrap(errs.Disk) == errs.Full, see(errs.Disk))`},
	{"a panic with one", `defer func() { e := recover().(error); fmt.Println(see(e)) }()
panic(wrap(theMine))`},
}

// TestSameErrors: an error that a script gives the host, or the host the script, is the same error when it comes
// back, and wraps what it wraps, in each mode.
func TestSameErrors(t *testing.T) {
	for _, tc := range sameErrorsTests {
		t.Run(tc.name, func(t *testing.T) {
			want := "" // what it prints in process
			eachMode(t, func(b bench) {
				if b.Engine != "vm" {
					return
				}
				var kept error
				res, err := b.RunOnce(sameErrors(&kept), samePrelude+tc.src)
				if want == "" {
					want = res.Stdout
				}
				if err != nil || res.Stdout == "" || res.Stdout != want {
					b.Errorf("%v, got\n%s\nnot\n%s", err, res.Stdout, want)
				}
			})
		})
	}
}

// TestSameErrorsLeft: errors that a run leaves its host, in variables, results, and results of functions, are in
// each mode what the host or the script made.
func TestSameErrorsLeft(t *testing.T) {
	const src = samePrelude + `
wrapped, limited, full, joined := fmt.Errorf("s: %w", give("limit")), give("limit"), fmt.Errorf("w: %w", errs.Disk), errors.Join(give("own"), theMine)
list := []error{give("own"), io.EOF, errs.Full, give("quota")}
anys := map[string]any{"e": give("limit"), "q": &errs.Quota{Name: "made", Cause: theMine}, "code": errs.Code(3)}
type report struct { Err error; More []error }
reported := report{give("limited"), []error{theMine}}
back := func(e error) error { return fmt.Errorf("f: %w", e) }
gone := func() error { return errs.Disk }
both := func(n string) (int, error) { return 1, give(n) }
given := see(in) + "; " + see(ins[0]) + "; " + fmt.Sprint(in == same(in), errors.Is(wrap(in), in))
`
	want := map[string]string{}
	eachMode(t, func(b bench) {
		if b.Engine != "vm" {
			return
		}
		var kept error
		in := fmt.Errorf("in: %w", &sameLimit{5, 6, errSameFull})
		res, err := b.Box(sameErrors(&kept)).Run(b.Context(), sandtrap.Script{Text: src, Inputs: map[string]any{"in": in, "ins": []error{errSameOwn}}})
		if err != nil {
			b.Fatal(err)
		}
		got := map[string]string{}
		for name, v := range res.Vars {
			got[name] = sameSeen(v)
		}
		for name, args := range map[string][]any{"back": {errSameOwn}, "gone": {}, "both": {"limit"}} {
			called, err := res.Func(name).Call(b.Context(), args...)
			if err != nil {
				b.Fatal(err)
			}
			got[name] = sameSeen(called.Returned)
		}
		if len(want) == 0 {
			want = got
		}
		for name := range want {
			if got[name] != want[name] {
				b.Errorf("%s is %s, not %s", name, got[name], want[name])
			}
		}
		if len(got) != len(want) || !strings.Contains(got["wrapped"], "limit 12/10") {
			b.Errorf("there are %v, not %v", got, want)
		}
	})
}

// sameSeen is what there is of errors in what a run has left.
func sameSeen(v any) string {
	switch v := v.(type) {
	case error:
		return "<" + sameKnown(v) + ">"
	case string:
		return v
	}
	text, rv := "", reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Slice:
		for i := range rv.Len() {
			text += sameSeen(rv.Index(i).Interface()) + " "
		}
	case reflect.Map:
		for _, k := range rv.MapKeys() {
			text += fmt.Sprint(k) + ": " + sameSeen(rv.MapIndex(k).Interface()) + " "
		}
		parts := strings.Fields(text)
		slices.Sort(parts)
		text = strings.Join(parts, " ")
	default:
		text = fmt.Sprintf("%T", v)
	}
	return text
}

// TestSameErrorsInSession: what a session knows of an error's type depends neither on what its worker ran before, nor
// on a cell that has printed one before any cell named the type.
func TestSameErrorsInSession(t *testing.T) {
	eachSession(t, func(b bench) {
		p := pure()
		p.Echo = sandtrap.EchoLast
		p.Funcs = map[string]any{"quota": func() error { return &sameQuota{Name: "q"} }, "Quota": (*sameQuota)(nil)}
		box := b.Box(p)
		find := cell{"var q *Quota\nerrors.As(e, &q)", "= true"}
		for range 2 {
			s, err := box.Session()
			if err != nil {
				b.Fatal(err)
			}
			b.Cells(s, cell{"e := quota()\nfmt.Println(e)", "quota of q"}, find, cell{"f := quota()", ""}, find, cell{"f.Error()", `= "quota of q"`})
			s.Close()
			if res, err := box.Run(b.Context(), sandtrap.Script{Text: "fmt.Println(quota())"}); err != nil || res.Stdout != "quota of q\n" {
				b.Error(res.Stdout, err)
			}
		}
	})
}

// TestSameErrorsNil: a nil pointer to a type whose method panics for it prints as in Go.
func TestSameErrorsNil(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Funcs = map[string]any{"Quota": (*sameQuota)(nil)}
		res, err := b.RunOnce(p, "var q *Quota\nfmt.Println(q, []any{q})\nfmt.Printf(\"%v %s|%5v\", q, q, error(q))")
		if want := "<nil> [<nil>]\n<nil> <nil>|<nil>"; err != nil || res.Stdout != want {
			b.Errorf("%v, got %q, want %q", err, res.Stdout, want)
		}
	})
}

// TestErrorsStayTheSame: errors of the library answer the same in each later cell, also after the session has let go of
// what it no longer needs.
func TestErrorsStayTheSame(t *testing.T) {
	const declared = `type own string
func (e own) Error() string { return "own " + string(e) }
wrapped, joined := fmt.Errorf("w: %w", io.EOF), errors.Join(own("a"), io.EOF)
_, number := strconv.Atoi("x")
inner := fmt.Errorf("v: %w", own("b"))`
	const asked = `fmt.Println(wrapped, errors.Is(wrapped, io.EOF), errors.Unwrap(wrapped) == io.EOF)
fmt.Println(errors.Is(joined, io.EOF), errors.Is(joined, own("a")), errors.Is(number, strconv.ErrSyntax))
var o own
fmt.Println(errors.As(inner, &o), o, errors.As(number, new(*strconv.NumError)), number)`
	const answer = `w: EOF true true
true true true
true own b true strconv.Atoi: parsing "x": invalid syntax
`
	eachSession(t, func(b bench) {
		p := pure()
		p.Std = append(p.Std, "io", "strconv")
		box := b.Box(p)
		for _, first := range []string{"", "\nfmt.Println(wrapped, joined, number, inner)", "\nerrors.Is(joined, io.EOF)"} {
			s, err := box.Session()
			if err != nil {
				b.Fatal(err)
			}
			if _, err := s.Run(b.Context(), sandtrap.Script{Text: declared + first}); err != nil {
				b.Fatal(err)
			}
			for i := range 400 {
				text := fmt.Sprintf("x%d := %d", i%5, i)
				if ask := i < 3 || i%100 == 99; ask {
					text = asked
				}
				res, err := s.Run(b.Context(), sandtrap.Script{Text: text})
				if err != nil || text == asked && res.Stdout != answer {
					b.Fatalf("%q, cell %d: %s%v", first, i, res.Stdout, err)
				}
			}
			s.Close()
		}
	})
}
