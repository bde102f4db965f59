package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// seeds are texts from which the tests make others by small changes.
var seeds = []string{
	``, ` `, `null`, `true`, `false`, `tru`, `nul`, `fals `, `truex`, `0`, `-0`, `-`, `01`, `1.5e+10`, `1.`, `1e`, `1e-`, `1E5`, `12 `, `1 2`,
	`""`, `"a\n\u00e9\ud83d\ude00\ud800x"`, `"\x"`, `"\u12g4"`, "\"\x01\"", "\"\xff\xfe\"", "\"\u2028<&>\"", `"abc`, `"\`,
	`[]`, `[ ]`, `[1,2 , 3]`, `[1,]`, `[,1]`, `[1 2]`, `[1}`, `[[[]]]`, `{}`, `{ }`, `{"a":1}`, `{"a" : [true,null,{"b":"c"}] , "d":{}} `,
	`{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, `{"a":1 "b":2}`, `{]`, `[}`, "\n[\t1\r,2]\n \n", `{"a":1}x`, `"x" "y"`, `[1][2]`, `1[2]`, `"a"]`, `1]`,
	"{\"k\":\"<script>\u2029</script>\",\"n\":-1.25e-3}", `"\/\b\f\r\t\'"`, "\xef\xbb\xbf{}", `[1e999, "x"]`, `[1,{"x":[ ]}]` + "\n", `"\ud83dx\ud83d\u0041"`,
}

// texts calls f with the seeds and with n changed ones.
func texts(n int, f func(string)) {
	r := rand.New(rand.NewPCG(1, 2))
	const alphabet = "{}[]:,\"\\ 01-+.eEtrufalsn/bx<&>\n\x00\xff\xe2\x80\xa8é"
	for _, s := range seeds {
		f(s)
	}
	for range n {
		b := []byte(seeds[r.IntN(len(seeds))] + seeds[r.IntN(len(seeds))])
		for range r.IntN(3) {
			i := r.IntN(len(b) + 1)
			switch r.IntN(3) {
			case 0:
				b = append(b[:i:i], append([]byte{alphabet[r.IntN(len(alphabet))]}, b[i:]...)...)
			case 1:
				b = append(b[:i:i], b[min(i+1, len(b)):]...)
			case 2:
				b = b[:i]
			}
		}
		f(string(b))
	}
}

// told is an error with what it says of the place.
func told(err error) string {
	var bad *json.SyntaxError
	if errors.As(err, &bad) {
		return fmt.Sprintf("%v at %d", err, bad.Offset)
	}
	return fmt.Sprint(err)
}

func TestCheckAsGo(t *testing.T) {
	deep := strings.Repeat("[", maxNesting)
	try := func(s string) {
		var v json.RawMessage
		if got, want := told(Check([]byte(s), Costs{})), told(json.Unmarshal([]byte(s), &v)); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
	texts(20000, try)
	try(deep + strings.Repeat("]", maxNesting))
	try(deep + "[")
	try(deep + "{")
	try(strings.Repeat(`{"a":`, maxNesting+1))
	try(strings.Repeat(" ", 3*stretch) + `["` + strings.Repeat("x", 3*stretch) + `",x]`)
}

func TestWriteAsGo(t *testing.T) {
	texts(20000, func(s string) {
		var want bytes.Buffer
		b := Buffer{}
		got, expected := told(b.Compact([]byte(s), false)), told(json.Compact(&want, []byte(s)))
		if got != expected || string(b.B) != want.String() {
			t.Errorf("Compact(%q): got %q, %s, want %q, %s", s, b.B, got, want.String(), expected)
		}
		b, want = Buffer{}, bytes.Buffer{}
		got, expected = told(b.Indent([]byte(s), ">", "  ")), told(json.Indent(&want, []byte(s), ">", "  "))
		if got != expected || string(b.B) != want.String() {
			t.Errorf("Indent(%q): got %q, %s, want %q, %s", s, b.B, got, want.String(), expected)
		}
		b, want = Buffer{}, bytes.Buffer{}
		b.HTMLEscape([]byte(s))
		if json.HTMLEscape(&want, []byte(s)); string(b.B) != want.String() {
			t.Errorf("HTMLEscape(%q): got %q, want %q", s, b.B, want.String())
		}
		marshaled, err := json.Marshal(json.RawMessage(s))
		b = Buffer{}
		if bad := b.Compact([]byte(s), true); (bad == nil) != (err == nil) || err == nil && string(b.B) != string(marshaled) {
			t.Errorf("Compact(%q) for HTML: got %q, want %q", s, b.B, marshaled)
		}
	})
}

func TestStringAsGo(t *testing.T) {
	long := strings.Repeat("plain ", stretch)
	try := func(s string) {
		for _, html := range []bool{true, false} {
			var want bytes.Buffer
			e := json.NewEncoder(&want)
			e.SetEscapeHTML(html)
			if err := e.Encode(s); err != nil {
				t.Fatal(err)
			}
			b, c := Buffer{}, Buffer{}
			String(&b, s, html)
			String(&c, []byte(s), html)
			if string(b.B)+"\n" != want.String() || string(c.B) != string(b.B) {
				t.Errorf("%.100q: got %.200s and %.200s, want %.200s", s, b.B, c.B, want.String())
			}
			text, ok := Unquote(b.B, Costs{})
			if !ok || string(text) != string([]rune(s)) {
				t.Errorf("Unquote(%.100q): got %.100q", b.B, text)
			}
		}
	}
	texts(20000, try)
	try(long)
	try(long + "\n" + long)
}

func TestUnquoteAsGo(t *testing.T) {
	texts(20000, func(s string) {
		if text, ok := Unquote([]byte(s), Costs{}); ok && json.Valid([]byte(s)) {
			var want string
			if err := json.Unmarshal([]byte(s), &want); err != nil || want != string(text) {
				t.Errorf("%q: got %q, want %q, %v", s, text, want, err)
			}
		} else if want := ""; json.Unmarshal([]byte(s), &want) == nil && !ok && strings.HasPrefix(s, `"`) && strings.HasSuffix(s, `"`) {
			t.Errorf("%q: not ok, want %q", s, want)
		}
	})
}

func TestValidNumber(t *testing.T) {
	texts(20000, func(s string) {
		// A Number that is no number is an error of Marshal.
		_, err := json.Marshal(json.Number(s))
		if got := (Costs{}).ValidNumber(s); got != (err == nil) && s != "" {
			t.Errorf("%q: got %v, want %v", s, got, err)
		}
	})
}

// decoder is what a Decoder of Go and a Stream have in common.
type decoder struct {
	token  func() (json.Token, error)
	value  func() (string, error)
	more   func() bool
	offset func() int64
	rest   func() string
}

func all(r io.Reader) string {
	b, err := io.ReadAll(r)
	return fmt.Sprintf("%q %v", b, err)
}

func goDecoder(r io.Reader, number bool) decoder {
	d := json.NewDecoder(r)
	if number {
		d.UseNumber()
	}
	return decoder{d.Token, func() (string, error) {
		var v json.RawMessage
		err := d.Decode(&v)
		return string(v), err
	}, d.More, d.InputOffset, func() string { return all(d.Buffered()) }}
}

func ourDecoder(r io.Reader, number bool) decoder {
	s := NewStream(r, Costs{})
	s.Number = number
	return decoder{s.Token, func() (string, error) {
		v, err := s.Next()
		if err != nil {
			return "", err
		}
		s.Done()
		return strings.Trim(string(v), spaces), nil
	}, s.More, s.Offset, func() string { return all(s.Buffered()) }}
}

// play does what the moves say and tells what came of it.
func play(d decoder, moves []byte) string {
	var b strings.Builder
	for _, m := range moves {
		switch m % 4 {
		case 0, 1:
			v, err := d.token()
			fmt.Fprintf(&b, "token %#v %s", v, told(err))
		case 2:
			v, err := d.value()
			fmt.Fprintf(&b, "value %s %s", v, told(err))
		case 3:
			fmt.Fprint(&b, "more ", d.more())
		}
		fmt.Fprintln(&b, "", d.offset(), d.rest())
	}
	return b.String()
}

func TestStreamAsGo(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	texts(20000, func(s string) {
		if r.IntN(10) == 0 {
			s += strings.Repeat(" "+s, 100)
		}
		moves := make([]byte, 12)
		for i := range moves {
			moves[i] = byte(r.IntN(4))
		}
		reader := func(s string) io.Reader { return strings.NewReader(s) }
		switch r.IntN(3) {
		case 1:
			reader = func(s string) io.Reader { return iotest.DataErrReader(strings.NewReader(s)) }
		case 2:
			reader = func(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) }
		}
		number := r.IntN(2) == 0
		got, want := play(ourDecoder(reader(s), number), moves), play(goDecoder(reader(s), number), moves)
		if got != want {
			t.Errorf("%q, moves %v:\ngot\n%s\nwant\n%s", s, moves, got, want)
		}
	})
}

// TestStops lets a stop through long work, and pays for what is made before it is.
func TestStops(t *testing.T) {
	long := []byte(`["` + strings.Repeat(`x\n`, 1<<20) + `"` + strings.Repeat(" ", 4<<20) + `]`)
	str := long[1 : len(long)-1-4<<20]
	work := map[string]func(Costs){
		"Check":      func(c Costs) { Check(long, c) },
		"Compact":    func(c Costs) { (&Buffer{Pay: c}).Compact(long, true) },
		"Indent":     func(c Costs) { (&Buffer{Pay: c}).Indent(long, "", " ") },
		"HTMLEscape": func(c Costs) { (&Buffer{Pay: c}).HTMLEscape(long) },
		"String":     func(c Costs) { String(&Buffer{Pay: c}, long, true) },
		"Base64":     func(c Costs) { (&Buffer{Pay: c}).Base64(long) },
		"Unquote":    func(c Costs) { Unquote(str, c) },
		"Stream":     func(c Costs) { NewStream(bytes.NewReader(long), c).Next() },
	}
	for name, do := range work {
		t.Run(name, func(t *testing.T) {
			checks := 0
			do(Costs{Check: func() { checks++ }})
			if checks < 100 {
				t.Errorf("checked %d times in %d bytes", checks, len(long))
			}
			paid := int64(0)
			do(Costs{Charge: func(n int64) { paid += n }})
			if least := int64(len(str) / 2); paid < least && name != "Check" {
				t.Errorf("charged %d bytes, want %d at least", paid, least)
			}
		})
	}
}
