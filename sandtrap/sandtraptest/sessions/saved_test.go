package sessions

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// A Parcel is a struct of plain data of a host. A Chest is one with a field that is not exported.
type Parcel struct {
	Name  string
	Sizes []int
	By    map[string]float64
	Pair  [2]Label
	Next  *Parcel
}

type Label struct{ Text string }

type Chest struct {
	Name string
	sum  int
}

func parcelPolicy() sandtrap.Policy {
	p := rig.Pure()
	p.Funcs = map[string]any{
		"parcel": func() Parcel {
			return Parcel{"a", []int{1, 2}, map[string]float64{"x": 1.5}, [2]Label{{"l"}, {}}, &Parcel{Name: "b"}}
		},
		"chest": func() Chest { return Chest{"l", 3} },
		"fail":  func() error { return fmt.Errorf("host: %w", errors.New("down")) },
	}
	return p
}

// savedValues are declarations of v, an expression that tells of it, and whether it is saved.
var savedValues = []struct {
	text, show string
	skipped    string // part of the reason
}{
	{`v := errors.New("a")`, `v.Error()`, ""},
	{`v := fmt.Errorf("x: %w", io.EOF)`, `fmt.Sprint(v, errors.Is(v, io.EOF), fmt.Sprintf("%T", v))`, ""},
	{`v := fmt.Errorf("%w and %w", io.EOF, fmt.Errorf("y: %w", fs.ErrExist))`, `fmt.Sprint(v, errors.Is(v, io.EOF), errors.Is(v, fs.ErrExist), fmt.Sprintf("%T", v))`, ""},
	{`v := errors.Join(io.EOF, errors.New("b"))`, `fmt.Sprint(v, errors.Is(v, io.EOF), fmt.Sprintf("%T", v))`, ""},
	{`_, v := strconv.Atoi("x")`, `fmt.Sprint(v, errors.Is(v, strconv.ErrSyntax), errors.As(v, new(*strconv.NumError)))`, ""},
	{`_, v := strconv.ParseInt("99999999999999999999", 10, 64); w := fmt.Errorf("line 3: %w", v)`, `fmt.Sprint(w, errors.Is(w, strconv.ErrRange), errors.Unwrap(w) == v)`, ""},
	{`_, v := url.Parse(":")`, `v.Error()`, ""},
	{`_, v := time.Parse("2006", "x")`, `v.Error()`, ""},
	{`v := error(&fs.PathError{Op: "open", Path: "p", Err: fs.ErrNotExist})`, `fmt.Sprint(v, errors.Is(v, fs.ErrNotExist))`, ""},
	{`v := fail()`, `fmt.Sprint(v, errors.Unwrap(v))`, ""},
	{`type E struct{ N int }; func (e E) Error() string { return "E" }; var v error = E{3}`, `v.(E).N`, ""},
	{`type E struct{ N int }; func (e E) Error() string { return "E" }; v := fmt.Errorf("w: %w", E{3})`, "", "one of the script's in it"},
	{`var x any; v := json.Unmarshal([]byte("{"), &x)`, "", "json.SyntaxError"},
	{`var v strings.Builder; v.WriteString("abc")`, `func() string { v.WriteByte('d'); return v.String() }()`, ""},
	{`v := bytes.NewBufferString("abc"); v.ReadByte()`, `v.String()`, ""},
	{`v := strings.NewReader("abcd"); v.ReadByte()`, `fmt.Sprint(v.Len(), v.Size())`, ""},
	{`v, _ := url.Parse("http://a:b@c/d%2Fe?f=g#h")`, `fmt.Sprint(v, v.User, v.RawPath)`, ""},
	{`v := url.Values{"a": {"b", "c"}}`, `v.Encode()`, ""},
	{`v := regexp.MustCompile("(a+)(b*)")`, `fmt.Sprint(v, v.FindStringSubmatch("xaabc"))`, ""},
	{`v := regexp.MustCompilePOSIX("a|ab")`, `v.FindString("ab")`, ""},
	{`v := []*regexp.Regexp{regexp.MustCompile("a"), nil}`, `v[0].MatchString("a") && v[1] == nil`, ""},
	{`v := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC); d := 90 * time.Second`, `fmt.Sprint(v, d)`, ""},
	{`v := time.UTC`, `v == time.UTC`, ""},
	{`z, _ := time.LoadLocation("Europe/Paris"); v := time.Date(2026, 1, 2, 3, 4, 5, 6, z); w := v`, `fmt.Sprint(v.AddDate(0, 6, 0), v == w, v.Location() == z)`, ""},
	{`v := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("here", 3601))`, `fmt.Sprint(v)`, ""},
	{`var v any = url.Values{"k": {"v"}}; w := v; x := []any{v}`, `func() string { v.(url.Values).Set("z", "1"); return w.(url.Values).Get("z") + x[0].(url.Values).Get("z") }()`, ""},
	{`v := parcel(); v.Next.By = v.By; w := &v`, `func() float64 { v.By["x"] = 7; return v.Next.By["x"] + w.By["x"] }()`, ""},
	{`var v sync.Map; w := map[string]int{"a": 1}; v.Store("k", w)`, `func() int { x, _ := v.Load("k"); x.(map[string]int)["q"] = 5; return w["q"] }()`, ""},
	{`v := errors.New("x"); for range 900 { v = fmt.Errorf("w: %w", v) }`, `fmt.Sprint(len(v.Error()), errors.Unwrap(errors.Unwrap(v)) != nil)`, ""},
	{`v := errors.New("x"); for range 1100 { v = fmt.Errorf("w: %w", v) }`, "", "too deep"},
	{`v := error(fs.ErrExist); for range 150 { v = &fs.PathError{Op: "o", Path: "p", Err: v} }`, `fmt.Sprint(len(v.Error()), errors.Is(v, fs.ErrExist))`, ""},
	{`v := netip.MustParseAddrPort("[::1]:80"); w := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}`, `fmt.Sprint(v, w)`, ""},
	{`v := new(big.Int).Lsh(big.NewInt(1), 100); w := big.NewRat(1, 3); x := big.NewFloat(1.5)`, `fmt.Sprint(v, w, x)`, ""},
	{`type P struct{ X int }; v := list.New(); v.PushBack(3); v.PushBack(P{4})`, `fmt.Sprint(v.Len(), v.Front().Value, v.Back().Value.(P).X)`, ""},
	{`type P struct{ X int }; var v sync.Map; v.Store(1, "a"); v.Store("b", &P{2})`, `func() string { a, _ := v.Load(1); b, _ := v.Load("b"); return fmt.Sprint(a, b.(*P).X) }()`, ""},
	{`var v atomic.Int64; v.Add(3); var w atomic.Value; w.Store([]int{1})`, `fmt.Sprint(v.Load(), w.Load())`, ""},
	{`v := slices.Values([]int{1, 2})`, `slices.Collect(v)[1]`, ""},
	{`v := maps.Keys(map[string]int{"a": 1})`, `slices.Collect(v)[0]`, ""},
	{`v := sync.OnceValue(func() int { return 3 })`, `v()`, ""},
	{`func evens(n int) iter.Seq[int] { return func(yield func(int) bool) { for i := 0; i < n && yield(2*i); i++ {} } }; v := evens(3)`, `fmt.Sprint(slices.Collect(v))`, ""},
	{`v := func() func() int { xs := []int{1, 2}; n := 0; return func() int { n++; return n + len(xs) } }(); v()`, `v()`, ""},
	{`v := parcel()`, `fmt.Sprint(v.Name, v.Sizes, v.By, v.Pair[0].Text, v.Next.Name, v.Next.Next == nil)`, ""},
	{`v := []any{parcel(), &Parcel{Name: "c"}}`, `fmt.Sprint(v[0].(Parcel).Sizes, v[1].(*Parcel).Name)`, ""},
	{`v := map[string]Parcel{"a": parcel()}`, `v["a"].Pair[0].Text`, ""},
	{`v := &Parcel{Name: "c"}; v.Next = v`, `v.Next.Next == v`, ""},
	{`func ptr[T any](v T) *T { return &v }; v := ptr(time.Unix(1, 2).UTC()); w := [2]struct{ A *time.Time; B any }{{A: v}}; *w[0].A = v.Add(1)`, `fmt.Sprint(*v, w[0].A == v, *ptr(*v))`, ""},
	{`v := chest()`, "", "Chest"},
	{`v := mail.Address{Name: "n", Address: "a@b"}`, `v.String()`, ""},
	{`v := base64.StdEncoding`, `v.EncodeToString([]byte("a"))`, ""},
	{`v := template.Must(template.New("a").Parse("x"))`, "", "template.Template"},
	{`var v sync.Mutex; v.Lock()`, "", "sync.Mutex"},
	{`v := func() any { type L struct{ A int }; return L{1} }()`, "", "declared in a function"},
}

// TestSavedValues: what the library's documents list is there again in a loaded session, in each mode; all else is
// named as skipped.
func TestSavedValues(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		for _, tc := range savedValues {
			s := b.Session(parcelPolicy())
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
			if tc.skipped != "" != (len(skipped) > 0) || tc.skipped != "" && !strings.Contains(skipped["v"], tc.skipped) {
				b.Errorf("%s: skipped %v", tc.text, skipped)
			}
			l, err := b.Box(parcelPolicy()).LoadSession(&saved)
			if err != nil {
				b.Errorf("%s: load: %v", tc.text, err)
				continue
			}
			if tc.show != "" {
				want, err1 := s.Run(b.Context(), sandtrap.Script{Text: tc.show, Echo: sandtrap.EchoLast})
				got, err2 := l.Run(b.Context(), sandtrap.Script{Text: tc.show, Echo: sandtrap.EchoLast})
				if err1 != nil || err2 != nil || len(want.Echo) != 1 || len(got.Echo) != 1 || got.Echo[0].Text != want.Echo[0].Text {
					b.Errorf("%s: %v, %v; %v, want %v", tc.text, err1, err2, got.Echo, want.Echo)
				}
			}
			l.Close()
			s.Close()
		}
	})
}

// TestSavedRoom: values that share their parts any number of times are saved once, or left out where that cannot be;
// neither takes more memory or time than a run may.
func TestSavedRoom(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		p := parcelPolicy()
		p.Limits.Memory, p.Limits.Timeout = 8<<20, 20*time.Second
		for _, tc := range []struct{ text, show, skipped string }{
			{"v := url.Values{}; var w any = v; m := map[string]any{\"v\": v}; for range 40 { m = map[string]any{\"a\": m, \"b\": m} }", "len(m)", ""},
			{"v := parcel(); for range 40 { n := v; v = Parcel{Next: &n, Sizes: n.Sizes} }", "v.Next.Next.Next != nil", ""},
			{"base := errors.New(strings.Repeat(\"x\", 1<<18)); v := errors.Join(slices.Repeat([]error{base}, 10000)...)", "errors.Is(v, base)", ""},
			{"type P struct{ A, B any; C []int }; var v any; for range 40 { v = P{v, v, nil} }", "v.(P).A != nil", ""},
			{"v := make([]Label, 100000)", "", "no room"},
		} {
			s := b.Session(p)
			if _, err := s.Run(b.Context(), sandtrap.Script{Text: "keep := 1\n" + tc.text}); err != nil {
				b.Fatalf("%s: %v", tc.text, err)
			}
			var saved bytes.Buffer
			skipped, err := s.Save(&saved)
			if err != nil || saved.Len() > 8<<20 || !strings.Contains(skipped["v"], tc.skipped) || tc.skipped == "" && skipped != nil {
				b.Errorf("%s: %d bytes, skipped %v, %v", tc.text, saved.Len(), skipped, err)
			}
			l, err := b.Box(p).LoadSession(&saved)
			if err != nil {
				b.Errorf("%s: load: %v", tc.text, err)
				continue
			}
			if _, err := l.Run(b.Context(), sandtrap.Script{Text: "keep++\n" + tc.show}); err != nil {
				b.Errorf("%s: %v", tc.text, err)
			}
			l.Close()
			s.Close()
		}
	})
}

// randomValue writes an expression of a random type, and that type.
func randomValue(r *rand.Rand, depth int) (text, typ string) {
	if depth <= 0 {
		return randomBasic(r)
	}
	elem, of := randomValue(r, depth-1)
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf("[]%s{%s, %[2]s}", of, elem), "[]" + of
	case 1:
		return fmt.Sprintf("map[string]%s{\"k\": %s}", of, elem), "map[string]" + of
	case 2:
		return fmt.Sprintf("ptr(%s)", elem), "*" + of
	case 3:
		return fmt.Sprintf("[2]%s{1: %s}", of, elem), "[2]" + of
	case 4:
		return fmt.Sprintf("struct{ A %s; B any }{%s, %[2]s}", of, elem), fmt.Sprintf("struct{ A %s; B any }", of)
	case 5:
		return fmt.Sprintf("any(%s)", elem), "any"
	case 6:
		return fmt.Sprintf("Box[%s]{%s, nil}", of, elem), "Box[" + of + "]"
	}
	return fmt.Sprintf("list(%s)", elem), "[]any"
}

func randomBasic(r *rand.Rand) (text, typ string) {
	list := [][2]string{
		{fmt.Sprint(r.IntN(100)), "int"}, {fmt.Sprintf("%q", fmt.Sprint(r.IntN(100))), "string"}, {"true", "bool"}, {"1.5", "float64"},
		{"int8(-3)", "int8"}, {"[]byte(\"b\")", "[]byte"}, {"complex(1, 2)", "complex128"}, {"time.Second", "time.Duration"},
		{"big.NewInt(7)", "*big.Int"}, {"error(fmt.Errorf(\"e: %w\", io.EOF))", "error"}, {"Kind(2)", "Kind"},
		{"url.Values{\"a\": {\"b\"}}", "url.Values"}, {"[]netip.Addr{netip.MustParseAddr(\"1.2.3.4\")}", "[]netip.Addr"}, {"[]time.Time{time.Unix(1, 2).UTC()}", "[]time.Time"},
		{"vault.Parcel{Name: \"n\"}", "vault.Parcel"}, {"regexp.MustCompile(\"a\")", "*regexp.Regexp"}, {"rune('x')", "rune"},
		{"new(sync.Mutex)", "*sync.Mutex"}, {"time.NewTimer(0)", "*time.Timer"},
		{"vault.Open()", "*vault.Hoard"}, {"vault.ErrEmpty", "error"}, {"vault.Fails(true)", "error"}, {"vault.Short()", "error"},
		{"vault.Broken()", "error"}, {"vault.Lack()", "*vault.Shortage"}, {"vault.Send()", "*vault.Parcel"}, {"*vault.Send()", "vault.Parcel"},
		{"double", "func(int) int"}, {"adder(2)", "func(int) int"}, {"strings.ToUpper", "func(string) string"}, {"vault.Is", "func(error) bool"},
		{"evens(3)", "iter.Seq[int]"}, {"slices.Values([]int{1})", "iter.Seq[int]"}, {"(*vault.Hoard)(nil)", "*vault.Hoard"},
		{"[]error{vault.ErrLocked, io.EOF}", "[]error"}, {"errors.Join(vault.ErrEmpty, fs.ErrExist)", "error"},
		{"map[error]int{vault.ErrEmpty: 1}", "map[error]int"}, {"[]time.Time{time.Date(2026, 7, 1, 2, 3, 4, 5, paris())}", "[]time.Time"},
	}
	one := list[r.IntN(len(list))]
	return one[0], one[1]
}

const randomHelpers = `type Box[T any] struct { V T; Next *Box[T] }
type Kind int
func (k Kind) String() string { return "kind" }
func ptr[T any](v T) *T { return &v }
func list(v ...any) []any { return v }
func double(n int) int { return 2 * n }
func adder(n int) func(int) int { return func(m int) int { return n + m } }
func evens(n int) iter.Seq[int] { return func(yield func(int) bool) { for i := 0; i < n && yield(2*i); i++ {} } }
func paris() *time.Location { z, _ := time.LoadLocation("Europe/Paris"); return z }
`

// unsaved are parts of the random values that are never saved.
var unsaved = regexp.MustCompile(`NewTimer|vault\.Open|vault\.Broken`)

// perhaps are parts that are not saved where the host has had the value, as what Result.Vars holds of a variable: a
// function of the script's, and a list that holds a value of a type of the script's.
var perhaps = regexp.MustCompile(`double|adder|evens|ToUpper|vault\.Is|slices\.Values|list\(.*(Kind|Box)`)

// addresses are what differs from one session to another in a text.
var addresses = regexp.MustCompile(`0x[0-9a-f]+`)

// TestSavedRandom: any session of random values is saved and loaded; each variable shows what it did before, or is
// named as skipped.
func TestSavedRandom(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		rounds, box := uint64(150), b.Box(hoardPolicy())
		if b.Isolation != sandtrap.None {
			rounds = 12
		}
		for seed := range rounds {
			savedRandom(b, box, rand.New(rand.NewPCG(seed, 16)))
		}
	})
}

func savedRandom(b rig.Bench, box *sandtrap.Sandbox, r *rand.Rand) {
	b.Helper()
	s, err := box.Session()
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	text := randomHelpers
	var lines []string
	for i := range 8 {
		v, _ := randomValue(r, r.IntN(4))
		lines = append(lines, fmt.Sprintf("v%d := %s", i, v))
	}
	text += strings.Join(lines, "\n")
	if _, err := s.Run(b.Context(), sandtrap.Script{Text: text}); err != nil {
		b.Fatalf("%s: %v", text, err)
	}
	var saved bytes.Buffer
	skipped, err := s.Save(&saved)
	if err != nil {
		b.Fatalf("%s: %v", text, err)
	}
	l, err := box.LoadSession(&saved)
	if err != nil {
		b.Fatalf("%s: %v", text, err)
	}
	defer l.Close()
	for i, line := range lines {
		name := fmt.Sprintf("v%d", i)
		lost, never := skipped[name] != "", unsaved.MatchString(line)
		if lost != never && (never || !perhaps.MatchString(line)) {
			b.Errorf("%s: skipped: %q", line, skipped[name])
		}
		if lost {
			continue
		}
		script := sandtrap.Script{Text: name, Echo: sandtrap.EchoLast}
		want, err1 := s.Run(b.Context(), script)
		got, err2 := l.Run(b.Context(), script)
		if err1 != nil || err2 != nil || echoed(got) != echoed(want) {
			b.Errorf("%s: %v, %v; %v, want %v", line, err1, err2, got.Echo, want.Echo)
		}
	}
}

// echoed is the text that a cell shows, without addresses.
func echoed(res *sandtrap.Result) (text string) {
	for _, e := range res.Echo {
		text += addresses.ReplaceAllString(e.Text, "0x")
	}
	return text
}
