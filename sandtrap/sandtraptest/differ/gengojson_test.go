package differ

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// jsonGen makes programs that turn values of random types into JSON and back.
type jsonGen struct {
	r     *rand.Rand
	types []string // names of the structs declared so far, by which later ones refer to them
	keys  []string // of their fields, for the texts
	out   strings.Builder
}

// jsonKinds are declared in every program: types with each of the methods that
// encoding/json looks for.
const jsonKinds = `
type MJ struct{ N int }
func (m MJ) MarshalJSON() ([]byte, error) { if m.N < 0 { return nil, errors.New("negative") }; return []byte(fmt.Sprintf(" {\"mj\" : %d} ", m.N)), nil }
type MJP struct{ N int }
func (m *MJP) MarshalJSON() ([]byte, error) { if m == nil { return []byte("\"nil\""), nil }; return []byte(strconv.Itoa(m.N)), nil }
func (m *MJP) UnmarshalJSON(b []byte) error { m.N = len(b); if b[0] == '[' { return fmt.Errorf("no list %s", b) }; return nil }
type MT string
func (m MT) MarshalText() ([]byte, error) { if m == "bad" { return nil, errors.New("bad text") }; return []byte("<" + m + ">"), nil }
type MTP int
func (m *MTP) MarshalText() ([]byte, error) { return []byte("p" + strconv.Itoa(int(*m))), nil }
func (m *MTP) UnmarshalText(b []byte) error { n, err := strconv.Atoi(strings.TrimPrefix(string(b), "p")); *m = MTP(n); return err }
type UJ []int
func (u *UJ) UnmarshalJSON(b []byte) error { var l []int; err := json.Unmarshal(b, &l); *u = append(*u, l...); return err }
type Str string
type Num int16
type Bytes []byte
type Zer struct{ A int }
func (z Zer) IsZero() bool { return z.A == 3 }
type emb struct { E1 int; E2 string; e3 int }
type Emb struct { A int; Deep *Emb; X any }
type Gen[T any] struct { Val T; List []T }
type Iface interface{ Do() }
`

var jsonLeaves = []string{
	"int", "int", "string", "string", "bool", "float64", "int8", "uint8", "uint16", "int64", "uint64", "float32", "uintptr", "any", "any", "[]byte", "error",
	"MJ", "*MJ", "MJP", "*MJP", "MT", "MTP", "*MTP", "UJ", "Str", "Num", "Bytes", "Zer", "*Zer", "json.RawMessage", "json.Number", "time.Duration", "Gen[int]", "Gen[MT]", "Gen[json.Number]",
	"struct{}", "[0]int", "Iface", "complex128", "func()", "chan int", "*json.RawMessage", "interface{ MarshalJSON() ([]byte, error) }",
}

func (g *jsonGen) pick(list ...string) string { return list[g.r.IntN(len(list))] }

// typ is a type, with others inside up to a depth.
func (g *jsonGen) typ(depth int) string {
	if depth > 0 {
		switch g.r.IntN(9) {
		case 0:
			return "[]" + g.typ(depth-1)
		case 1:
			return "*" + g.typ(depth-1)
		case 2:
			return fmt.Sprintf("[%d]%s", 1+g.r.IntN(2), g.typ(depth-1))
		case 3, 4:
			return "map[" + g.pick("string", "string", "int", "Str", "MT", "MTP", "uint8", "Num", "bool", "*MTP") + "]" + g.typ(depth-1)
		case 5:
			if len(g.types) > 0 {
				return g.pick("", "*") + g.pick(g.types...)
			}
		}
	}
	return g.pick(jsonLeaves...)
}

var jsonTags = []string{
	"", "", "", `json:"a"`, `json:"A"`, `json:"b,omitempty"`, `json:",omitempty"`, `json:",string"`, `json:",string"`, `json:"-"`, `json:"-,"`, `json:",omitzero"`,
	`json:"z,omitzero,string"`, `json:"<k>"`, `json:"é"`, `json:"bad\"name"`, `json:"sp ace"`, `xml:"x"`, `json:",omitempty,string"`, `json:"E1"`, `json:",inline"`, "json:a", `json:"a" json:"b"`,
}

func (g *jsonGen) structType(i int) {
	name := fmt.Sprintf("T%d", i)
	used := map[string]bool{}
	fmt.Fprintf(&g.out, "type %s struct {\n", name)
	for range 1 + g.r.IntN(7) {
		field, typ := g.pick("A", "B", "C", "D", "Aa", "AA", "E1", "E2", "Val", "low", "É", "Deep", "X"), g.typ(2)
		if g.r.IntN(4) == 0 {
			typ = g.pick("emb", "Emb", "*Emb", "*emb", "MJ", "Str", "Gen[int]", "Zer", "MTP", "error")
			if len(g.types) > 0 && g.r.IntN(2) == 0 {
				typ = g.pick("", "*") + g.pick(g.types...)
			}
			field = strings.TrimLeft(typ, "*")
			field, _, _ = strings.Cut(field, "[")
		}
		if used[field] {
			continue
		}
		used[field] = true
		tag := g.pick(jsonTags...)
		if tag != "" {
			tag = " `" + tag + "`"
		}
		if field == strings.TrimLeft(strings.Split(typ, "[")[0], "*") && typ != "" && !strings.HasPrefix(typ, "[") && !strings.HasPrefix(typ, "map") {
			fmt.Fprintf(&g.out, "\t%s%s\n", typ, tag)
		} else {
			fmt.Fprintf(&g.out, "\t%s %s%s\n", field, typ, tag)
		}
		g.keys = append(g.keys, field, strings.ToLower(field))
	}
	fmt.Fprint(&g.out, "}\n")
	if g.r.IntN(5) == 0 && !used["Do"] {
		fmt.Fprintf(&g.out, "func (%s) Do() {}\n", name)
	}
	g.types = append(g.types, name)
}

// text is a random text of JSON, valid or nearly so.
func (g *jsonGen) text(depth int) string {
	n := 14
	if depth == 0 {
		n = 10
	}
	switch g.r.IntN(n) {
	case 0:
		return "null"
	case 1:
		return g.pick("true", "false")
	case 2, 3:
		return g.pick("0", "1", "-5", "300", "70000", "1.5", "1e3", "1e400", "12345678901234567890", "-0.0")
	case 4, 5, 6:
		return strconv.Quote(g.pick("", "x", "p7", "<y>", "5", "true", "null", "aGk=", "é", "1.5", "p", `\"q\"`))
	case 7:
		return g.pick(`"\u00e9\ud83d\ude00"`, `"\ud800"`, `"a\/b\n"`, `"\"in\""`, `"\"7\""`)
	case 8:
		return g.pick("[]", "{}", "[ ]", "{ }")
	case 9:
		return g.pick("[1,2]", `["p1"]`, `{"mj":1}`, `{"E1":1,"e2":"q"}`, `{"A":1,"Deep":{"A":2}}`)
	}
	var parts []string
	list := g.r.IntN(3) == 0
	for range g.r.IntN(5) {
		v := g.text(depth - 1)
		if !list {
			v = strconv.Quote(g.pick(append(g.keys, "a", "b", "z", "é", "E1", "1", "p3", "nope")...)) + ":" + v
		}
		parts = append(parts, v)
	}
	if list {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "{" + strings.Join(parts, g.pick(",", ", ", "\n,")) + "}"
}

func (g *jsonGen) spoilt(s string) string {
	if len(s) == 0 || g.r.IntN(8) > 0 {
		return s
	}
	i := g.r.IntN(len(s))
	return s[:i] + g.pick("", ",", "x", "}", "]", "\"", "\x00", "0") + s[min(len(s), i+g.r.IntN(2)):]
}

// jsonProgram is a program that decodes texts into values of random types, and
// encodes what came of it.
func jsonProgram(seed uint64) string {
	g := &jsonGen{r: rand.New(rand.NewPCG(seed, 5))}
	for i := range 3 {
		g.structType(i)
	}
	targets := append([]string{"any", "Emb", g.typ(2), "[]" + g.types[0], "map[string]*" + g.types[2], "Gen[" + g.types[1] + "]"}, g.types...)
	var body strings.Builder
	for _, t := range targets {
		fmt.Fprintf(&body, "\t{\n\t\tvar v %s\n\t\ttry(&v", t)
		for range 4 {
			fmt.Fprintf(&body, ", %q", g.spoilt(g.text(3)))
		}
		fmt.Fprintf(&body, ")\n\t\tshow(v); show([]%s{v}); show(map[string]any{\"k\": v, \"p\": &v}); show(struct{ %s }{v})\n", t, g.pick("V ", "V ", "low ")+t)
		fmt.Fprintf(&body, "\t\tvar w %s\n\t\tdec := json.NewDecoder(strings.NewReader(%q))\n", t, g.text(3)+g.pick("", " ", "\n")+g.spoilt(g.text(2)))
		fmt.Fprintf(&body, "\t\t%s%sdecode(dec, &w)\n\t}\n", g.pick("", "dec.UseNumber(); "), g.pick("", "dec.DisallowUnknownFields(); "))
	}
	return `package main
import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

var _ time.Duration
` + jsonKinds + g.out.String() + `
func told(err error) {
	fmt.Println("  ", err)
	if te := (*json.UnmarshalTypeError)(nil); errors.As(err, &te) {
		fmt.Println("  ", te.Value, te.Offset, te.Struct, te.Field)
	}
	if se := (*json.SyntaxError)(nil); errors.As(err, &se) {
		fmt.Println("  ", se.Offset)
	}
}
func show(v any) {
	defer func() { if r := recover(); r != nil { fmt.Println("panic:", r) } }()
	b, err := json.MarshalIndent(v, "", "\t")
	fmt.Printf("%s %v\n", b, err)
	var sb strings.Builder
	e := json.NewEncoder(&sb)
	e.SetEscapeHTML(false)
	fmt.Println(e.Encode(v), sb.String())
}
func decode(dec *json.Decoder, p any) {
	defer func() { if r := recover(); r != nil { fmt.Println("panic:", r) } }()
	for range 3 {
		err := dec.Decode(p)
		told(err)
		show(p)
		if err != nil {
			break
		}
	}
}
func try(p any, texts ...string) {
	for _, s := range texts {
		fmt.Printf("%q\n", s)
		func() {
			defer func() { if r := recover(); r != nil { fmt.Println("panic:", r) } }()
			told(json.Unmarshal([]byte(s), p))
		}()
		show(p)
	}
}
func main() {
` + body.String() + "}\n"
}
