package sandtraptest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// An errorMaker makes random expressions for errors.
type errorMaker struct{ rnd *rand.Rand }

// errorLeaves are errors that wrap none: of the library, of the script, and of the host.
var errorLeaves = []string{
	"io.EOF", "fs.ErrNotExist", "errs.Sentinel", "errs.Value", "errs.Number", "base", `errors.New("new")`,
	"&E{1}", "C(2)", "(*E)(nil)",
	`give("data")`, `give("value")`, `give("number")`, `give("hides")`, `give("hidesvalue")`, `give("apart")`, `give("sentinel")`,
}

func (m errorMaker) error(depth int) string {
	if depth == 0 || m.rnd.IntN(4) == 0 {
		return errorLeaves[m.rnd.IntN(len(errorLeaves))]
	}
	in := func() string { return m.error(depth - 1) }
	switch m.rnd.IntN(8) {
	case 0:
		return fmt.Sprintf("fmt.Errorf(\"w: %%w\", %s)", in())
	case 1:
		return fmt.Sprintf("fmt.Errorf(\"%%w and %%w\", %s, %s)", in(), in())
	case 2:
		return fmt.Sprintf("errors.Join(%s, %s)", in(), in())
	case 3:
		return fmt.Sprintf("V{\"v\", %s}", in())
	case 4:
		return fmt.Sprintf("&fs.PathError{Op: \"op\", Path: \"p\", Err: %s}", in())
	case 5:
		return fmt.Sprintf("pass(%s)", in())
	case 6:
		return fmt.Sprintf("wrap(%s)", in())
	}
	return fmt.Sprintf("L{%s, %s}", in(), in())
}

// differPrelude declares what these expressions use, and see, which tells what the script finds in an error.
const differPrelude = `import "host/errs"
` + leftTypes + `
base := errors.New("base")
func see(err error) (text string) {
	defer func() { if p := recover(); p != nil { text += fmt.Sprint(" panics: ", p) } }()
	text = fmt.Sprintf("%v|%+v|%s|%q|%T|%v", err, err, err, err, err, []any{err})
	for _, e := range []error{io.EOF, fs.ErrNotExist, errs.Sentinel, errs.Value, errs.Number, base, C(2), give("data"), give("hides")} {
		text += fmt.Sprint(" ", errors.Is(err, e))
	}
	var e *E
	var v V
	var c C
	var p *fs.PathError
	var d *unlistedData
	var n unlistedNumber
	text += fmt.Sprint(" ", errors.As(err, &e), errors.As(err, &v), errors.As(err, &c), errors.As(err, &p), errors.As(err, &d), errors.As(err, &n))
	return text + fmt.Sprint(" ", errors.Unwrap(err), " ", look(err))
}
`

func differFinds(v any) string {
	err, ok := v.(error)
	if !ok {
		return fmt.Sprintf("%T %v", v, v)
	}
	text := strings.ReplaceAll(err.Error(), "\n", ";")
	for _, e := range []error{io.EOF, fs.ErrNotExist, errUnlisted, errUnlistedValue, errUnlistedNumber} {
		text += fmt.Sprint(" ", errors.Is(err, e))
	}
	_, p := errors.AsType[*fs.PathError](err)
	_, d := errors.AsType[*unlistedData](err)
	return text + fmt.Sprint(" ", p, d)
}

// TestErrorsDiffer: random errors print, match, and are left and saved in workers as in process.
func TestErrorsDiffer(t *testing.T) {
	const programs, each = 12, 8
	seen := map[uint64]string{} // by seed, as in process
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("the interpreter gives host functions no errors of the script")
		}
		p := unlistedErrors()
		p.Funcs["pass"] = func(err error) error { return err }
		p.Funcs["wrap"] = func(err error) error { return fmt.Errorf("host: %w", err) }
		box := b.Box(p)
		for seed := range uint64(programs) {
			m := errorMaker{rand.New(rand.NewPCG(seed, 1))}
			var vars, names []string
			for i := range each {
				names = append(names, fmt.Sprint("x", i))
				vars = append(vars, fmt.Sprintf("var x%d error = %s", i, m.error(3)))
			}
			s, err := box.Session()
			if err != nil {
				b.Fatal(err)
			}
			src := differPrelude + strings.Join(vars, "\n") + "\nfor i, x := range []error{" + strings.Join(names, ", ") + "} { fmt.Println(i, see(x)) }"
			res, err := s.Run(b.Context(), sandtrap.Script{Text: src})
			got := []string{res.Stdout, fmt.Sprint(err)}
			got = append(got, fmt.Sprint(res.NotCopied))
			for _, name := range names {
				got = append(got, name+": "+differFinds(res.Vars[name]))
			}
			var saved bytes.Buffer
			skipped, err := s.Save(&saved)
			got = append(got, fmt.Sprint(len(skipped), skipped, err))
			if loaded, err := box.LoadSession(&saved); err == nil {
				var kept []string
				for _, name := range names {
					if skipped[name] == "" {
						kept = append(kept, name)
					}
				}
				res, err := loaded.Run(b.Context(), sandtrap.Script{Text: "for i, x := range []error{" + strings.Join(kept, ", ") + "} { fmt.Println(i, see(x)) }"})
				got = append(got, res.Stdout, fmt.Sprint(err))
				loaded.Close()
			} else {
				got = append(got, err.Error())
			}
			s.Close()
			text := strings.Join(got, "\n")
			if want, ok := seen[seed]; !ok {
				seen[seed] = text
			} else if text != want {
				b.Errorf("seed %d: %s\n%s", seed, firstDifference(text, want), strings.Join(vars, "\n"))
			}
		}
	})
}

// firstDifference shows the first line in which two texts differ.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d is\n%s\nnot\n%s", i, a[i], b[i])
		}
	}
	return fmt.Sprintf("there are %d lines, not %d", len(a), len(b))
}
