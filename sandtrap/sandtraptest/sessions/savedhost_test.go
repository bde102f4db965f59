package sessions

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// A Hoard is a struct of a host with a field that is not exported; scripts hold pointers to the host's.
type Hoard struct {
	Owner string
	sum   int
}

func (v *Hoard) Add(n int) int { v.sum += n; return v.sum }

// A Shortage is an error of a host of plain data. A Breach is one with a field that is not exported.
type Shortage struct{ Missing int }

func (s *Shortage) Error() string { return fmt.Sprint("short of ", s.Missing) }

type Breach struct {
	Where string
	key   string
}

func (b *Breach) Error() string { return "breach in " + b.Where + b.key }

// An Oddment is an error of plain data that the policy does not list.
type Oddment struct{ N int }

func (o *Oddment) Error() string { return fmt.Sprint("oddment ", o.N) }

// Rates are found by no key if that is NaN.
type Rates struct{ At map[float64]string }

var (
	errEmpty  = errors.New("empty")
	errLocked = fmt.Errorf("locked: %w", errEmpty)
)

// hoardPolicy has values of a host's that scripts get hold of.
func hoardPolicy() sandtrap.Policy {
	p := parcelPolicy()
	one := &Hoard{"one", 1}
	p.Packages = []sandtrap.Package{{Path: "example.com/vault", Members: map[string]any{
		"Hoard": (*Hoard)(nil), "Shortage": (*Shortage)(nil), "Breach": (*Breach)(nil), "Parcel": (*Parcel)(nil), "Label": (*Label)(nil),
		"ErrEmpty": errEmpty, "ErrLocked": errLocked,
		"Open":   func() *Hoard { return one },
		"Short":  func() error { return &Shortage{3} },
		"Lack":   func() *Shortage { return &Shortage{3} },
		"Deep":   func() error { return fmt.Errorf("deep: %w", &Shortage{4}) },
		"Broken": func() error { return &Breach{"w", "k"} },
		"Worse":  func() error { return fmt.Errorf("worse: %w", &Breach{"w", "k"}) },
		"Fails":  func(locked bool) error { return map[bool]error{true: errLocked, false: errEmpty}[locked] },
		"Is":     func(err error) bool { return errors.Is(err, errEmpty) },
		"Odd":    func() *Oddment { return &Oddment{1} }, "OddError": func() error { return &Oddment{1} },
		"Zone": zoneData, "Count": func() *int { return new(int) },
		"Rates": (*Rates)(nil), "Rate": func() *Rates { return &Rates{map[float64]string{1: "a", math.NaN(): "b"}} },
		"Send": func() *Parcel { return &Parcel{Name: "p", Sizes: []int{1}} },
	}}}
	return p
}

// zoneData is what Go's own database has for a zone.
func zoneData(name string) []byte {
	files, err := zip.OpenReader(filepath.Join(runtime.GOROOT(), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		panic(err)
	}
	defer files.Close()
	data, err := fs.ReadFile(files, name)
	if err != nil {
		panic(err)
	}
	return data
}

// TestSavedHost: what leads to a value of the host's that only the host can make is named as skipped, and all else is
// there again, also what is compared with a variable of the host's.
func TestSavedHost(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		for _, tc := range []struct{ text, show, skipped string }{
			{`v := vault.Open()`, "", "Hoard"},
			{`v := []any{1, vault.Open()}`, "", "Hoard"},
			{`v := *vault.Open()`, "", "Hoard"},
			{`w := vault.Open; v := w()`, "", "Hoard"},
			{`var v vault.Hoard`, `fmt.Sprint(v.Owner == "", v.Add(2))`, ""},
			{`v := vault.Short()`, `fmt.Sprint(v, v.(*vault.Shortage).Missing)`, ""},
			{`v := vault.Lack()`, `fmt.Sprint(v, v.Missing)`, ""},
			{`v := vault.Deep(); var e *vault.Shortage`, `fmt.Sprint(v, errors.As(v, &e), e.Missing)`, ""},
			{`v := errors.Join(vault.Short())`, `fmt.Sprint(v)`, ""},
			{`e := vault.Short(); v := fmt.Errorf("w: %w and %w", e, &fs.PathError{Op: "o", Path: "p", Err: e})`, `fmt.Sprint(v, errors.Is(v, e))`, ""},
			{`v := vault.Rate()`, `fmt.Sprint(v.At)`, ""},
			{`v := vault.Odd()`, "", "Oddment"},
			{`v := vault.OddError()`, "", "Oddment"},
			{`v := vault.Broken()`, "", "Breach"},
			{`v := vault.Worse()`, "", "Breach"},
			{`v := vault.Send(); w := *v`, `fmt.Sprint(v.Name, v.Sizes, w.Name)`, ""},
			{`v := &vault.Parcel{Name: "own"}; v.Next = vault.Send()`, `fmt.Sprint(v.Name, v.Next.Name)`, ""},
			{`v := vault.ErrEmpty`, `fmt.Sprint(v, v == vault.ErrEmpty, vault.Is(v), v == vault.ErrLocked)`, ""},
			{`v := vault.ErrLocked`, `fmt.Sprint(v, v == vault.ErrLocked, vault.Is(v))`, ""},
			{`v := vault.Fails(false)`, `fmt.Sprint(v, v == vault.ErrEmpty, vault.Is(v))`, ""},
			{`v := map[error]int{vault.Fails(true): 1, io.EOF: 2}`, `fmt.Sprint(v[vault.ErrLocked], v[io.EOF])`, ""},
			{`v := fmt.Errorf("w: %w", vault.ErrEmpty)`, `fmt.Sprint(v, errors.Is(v, vault.ErrEmpty), vault.Is(v))`, ""},
			{`z, _ := time.LoadLocationFromTZData("Europe/Paris", vault.Zone("Europe/Paris")); v := time.Date(2026, 7, 2, 3, 4, 5, 6, z)`, `fmt.Sprint(v, v.AddDate(0, 6, 0), v.Location() == z)`, ""},
			{`z, _ := time.LoadLocationFromTZData("Here", vault.Zone("Europe/Paris")); v := time.Date(2026, 7, 2, 3, 4, 5, 6, z)`, "", "in the zone Here"},
			{`h := vault.Send(); v := map[string][][]int{"k": {{1}, {2, 3}}}; w := [][][]any{{{h}}}`, `func() string { u := v["k"]; p := &u[1]; *p = append(*p, len(w[0])); return fmt.Sprint(v["k"][1], w[0][0][0].(*vault.Parcel).Name) }()`, ""},
			{`h := vault.Send(); v := map[string][][]int{"k": {{1}, {2}}}; m := vault.Send(); u := v["k"]; p := &u[1]; q := &u[0][0]`, `func() string { *p, *q = []int{3, 4}, 5; return fmt.Sprint(u, v) }()`, ""},
			{`h := vault.Send(); n := 7; v := []any{&n, &h, new([]time.Time), new(error), &map[error]int{io.EOF: 2}, &[2]int{1, 2}}`, `fmt.Sprint(*v[0].(*int), (*v[1].(**vault.Parcel)).Name, *v[2].(*[]time.Time), *v[3].(*error), *v[4].(*map[error]int), *v[5].(*[2]int))`, ""},
			{`v := vault.Count(); w := any(vault.Count())`, `func() int { *v += 2; *w.(*int)++; return *v + *w.(*int) }()`, ""},
			{`v := errors.Join(vault.ErrEmpty, io.EOF); e := []error{vault.ErrEmpty, v}`, `fmt.Sprint(errors.Is(v, vault.ErrEmpty), e[0] == vault.ErrEmpty)`, ""},
		} {
			s := b.Session(hoardPolicy())
			if _, err := s.Run(b.Context(), sandtrap.Script{Text: tc.text}); err != nil {
				b.Errorf("%s: %v", tc.text, err)
				continue
			}
			var saved bytes.Buffer
			skipped, err := s.Save(&saved)
			if err != nil {
				b.Errorf("%s: %v", tc.text, err)
				continue
			}
			if tc.skipped != "" && !strings.Contains(skipped["v"], tc.skipped) || tc.skipped == "" && skipped["v"] != "" {
				b.Errorf("%s: skipped %v", tc.text, skipped)
			}
			l, err := b.Box(hoardPolicy()).LoadSession(&saved)
			if err != nil {
				b.Errorf("%s: load: %v", tc.text, err)
				continue
			}
			if tc.show != "" && tc.skipped == "" {
				shownAlike(b, s, l, tc.text, tc.show)
			}
			l.Close()
			s.Close()
		}
	})
}

// shownAlike checks that an expression shows the same in a session and in what was loaded of it.
func shownAlike(b rig.Bench, s, l *sandtrap.Session, text, show string) {
	b.Helper()
	script := sandtrap.Script{Text: show, Echo: sandtrap.EchoLast}
	want, err1 := s.Run(b.Context(), script)
	got, err2 := l.Run(b.Context(), script)
	if err1 != nil || err2 != nil || len(want.Echo) != 1 || len(got.Echo) != 1 || got.Echo[0] != want.Echo[0] {
		b.Errorf("%s: %v, %v; %v, want %v", text, err1, err2, got.Echo, want.Echo)
	}
}

// TestSavedAll: a session that may not lose anything is saved as a whole, or not at all.
func TestSavedAll(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		s := b.Session(rig.Pure())
		b.Cells(s, rig.Cell{"n := 3", ""})
		var saved bytes.Buffer
		if err := s.SaveAll(&saved); err != nil {
			b.Fatal(err)
		}
		l, err := b.Box(rig.Pure()).LoadSession(&saved)
		if err != nil {
			b.Fatal(err)
		}
		defer l.Close()
		shownAlike(b, s, l, "n := 3", "n")
		b.Cells(s, rig.Cell{"z := time.NewTimer(time.Hour); m := time.NewTimer(time.Hour)", ""})
		saved.Reset()
		err = s.SaveAll(&saved)
		const why = "sandtrap: the session cannot be saved: variable m: it holds a value of type *time.Timer, which cannot be saved"
		if err == nil || err.Error() != why || saved.Len() > 0 {
			b.Errorf("%v, with %d bytes written", err, saved.Len())
		}
		b.Cells(s, rig.Cell{"n", "= 3"})
	})
}

// A Depot is plain data of a host that leads to values of the host's.
type Depot struct{ Name string }

func (d Depot) Hoard() *Hoard { return depotHoard }

var depotHoard = &Hoard{"depot", 5}

// TestLoadedKept: of what a loaded session has or comes by of the host's own values, scripts replace nothing; the cells
// that had these values first are gone, and so are their imports.
func TestLoadedKept(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		p, bad := hoardPolicy(), &json.SyntaxError{Offset: 3}
		maps.Copy(p.Packages[0].Members, map[string]any{"ErrBad": bad, "Depot": (*Depot)(nil), "Depots": func() Depot { return Depot{"d"} }})
		const set = "func set[T any](p *T) { var z T; *p = z }\n"
		for text, replaces := range map[string][]string{
			"v := vault.ErrBad": {"*v = *v", set + "set(v)", "reflect.ValueOf(v).Elem().SetZero()"},
			"v := time.UTC":     {"*v = *v", set + "set(v)", "reflect.ValueOf(v).Elem().SetZero()"},
			"v, _ := time.LoadLocation(\"Europe/Paris\")":    {"*v = *v", set + "set(v)", "reflect.ValueOf(v).Elem().SetZero()"},
			"v := base64.StdEncoding":                        {"*v = *v", set + "set(v)", "reflect.ValueOf(v).Elem().SetZero()"},
			"v := vault.Depots()":                            {"*v.Hoard() = *v.Hoard()", set + "set(v.Hoard())", "reflect.ValueOf(v.Hoard()).Elem().SetZero()"},
			"v := []any{vault.Depots()}; var w *vault.Hoard": {set + "func get[T any](x any, like *T) *T { return x.(interface{ Hoard() *T }).Hoard() }\nset(get(v[0], w))"},
		} {
			s := b.Session(p)
			b.Cells(s, rig.Cell{text, ""})
			var saved bytes.Buffer
			if err := s.SaveAll(&saved); err != nil {
				b.Errorf("%s: %v", text, err)
				continue
			}
			for _, replace := range replaces {
				l, err := b.Box(p).LoadSession(bytes.NewReader(saved.Bytes()))
				if err != nil {
					b.Errorf("%s: %v", text, err)
					continue
				}
				if _, err := l.Run(b.Context(), sandtrap.Script{Text: replace}); err == nil {
					b.Errorf("%s: %s is not refused", text, replace)
				}
				l.Close()
			}
		}
		if bad.Offset != 3 || depotHoard.sum != 5 {
			b.Error("a value of the host's was replaced")
		}
	})
}
