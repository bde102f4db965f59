package sandtraptest

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// InBase and its kin are types of a host that embed each other.
type InBase struct {
	ID   int    `json:"id"`
	Name string `json:"name,omitempty"`
}

type inHidden struct{ Seen int }

type InBill struct {
	InBase
	*InExtra
	inHidden
	Lines []InLine `json:"lines"`
	Own   string   `json:"-"`
}

type InExtra struct {
	Note string `json:"note"`
	ID   int    `json:"id"` // less than that of InBase? equally deep: JSON has neither
}

type InLine struct {
	Level TextLevel       `json:"level"`
	Addr  *netip.Addr     `json:"addr"`
	Raw   json.RawMessage `json:"raw,omitempty"`
	Sub   []InLine        `json:"sub,omitempty"`
}

// A TextLevel reads its values from texts.
type TextLevel int

func (l *TextLevel) UnmarshalText(text []byte) error {
	switch string(text) {
	case "low":
		*l = 1
	case "high":
		*l = 2
	case "worst":
		panic("no such thing")
	default:
		return fmt.Errorf("no level %q", text)
	}
	return nil
}

// A InTwice is twice what JSON says.
type InTwice float64

func (f *InTwice) UnmarshalJSON(text []byte) error {
	var got float64
	err := json.Unmarshal(text, &got)
	*f = InTwice(2 * got)
	return err
}

// An InParts reads a struct of its own.
type InParts struct{ n int }

func (p *InParts) UnmarshalJSON(text []byte) error {
	var got struct{ Parts []struct{ N int } }
	err := json.Unmarshal(text, &got)
	p.n = len(got.Parts)
	return err
}

// TestResultAsJSON: results by the rules of encoding/json: embedded structs, fields that are left out, and types of the
// host that read their values themselves.
func TestResultAsJSON(t *testing.T) {
	const tags = "type B struct { ID int `json:\"id\"` }\n"
	addr := netip.MustParseAddr("10.0.0.1")
	for _, tc := range []struct {
		name, src string
		into      any
		want      string // in JSON
		err       string
	}{
		{"embedded", tags + "type R struct { B; Name string `json:\"name\"` }\nresult := R{B{1}, \"a\"}", &InBase{}, `{"id":1,"name":"a"}`, ""},
		{"embedded pointer", tags + "type R struct { *B; Name string `json:\"name\"` }\nresult := []R{{&B{1}, \"a\"}}", &[]InBase{}, `[{"id":1,"name":"a"}]`, ""},
		{"nil embedded pointer", tags + "type R struct { *B; Name string `json:\"name\"` }\nresult := R{nil, \"a\"}", &struct{ Name string }{}, `{"Name":"a"}`, "result.id"},
		{"less deep wins", "type A struct { X int }\ntype R struct { A; X string }\nresult := R{A{1}, \"x\"}", &struct{ X string }{}, `{"X":"x"}`, ""},
		{"tagged wins", "type A struct { X int }\ntype B struct { Y string `json:\"X\"` }\ntype R struct { A; B }\nresult := R{A{1}, B{\"x\"}}", &struct{ X string }{}, `{"X":"x"}`, ""},
		{"none wins", "type A struct { X int }\ntype B struct { X string }\ntype R struct { A; B; Y int }\nresult := R{A{1}, B{\"x\"}, 2}", &struct{ Y int }{}, `{"Y":2}`, ""},
		{"host embeds", "result := map[string]any{\"name\": \"a\", \"note\": \"n\", \"Seen\": 3, \"lines\": nil}", &InBill{}, `{"name":"a","note":"n","Seen":3,"lines":null}`, ""},
		{"host embeds nothing", "type R struct { Seen int; Lines []any `json:\"lines\"` }\nresult := R{Seen: 3}", &InBill{}, `{"Seen":3,"lines":null}`, ""},
		{"left out", "type R struct { X int; Y func() `json:\"-\"`; z chan int }\nresult := R{X: 1}", &struct{ X int }{}, `{"X":1}`, ""},
		{"a dash", "type R struct { X int `json:\"-,\"` }\nresult := R{X: 1}", &map[string]int{}, `{"-":1}`, ""},
		{"not exported", "type R struct { X int; y int }\nresult := R{1, 2}", &map[string]any{}, `{"X":1}`, ""},
		{"all not exported", "type R struct { x, y int }\nresult := R{1, 2}", &struct{ X, Y int }{}, "", "result.X: missing"},
		{"nil list", "type R struct { L []string; M map[string]int; P *int; A any }\nresult := R{}", &struct {
			L []string
			M map[string]int
			P *int
			A any
		}{}, `{"L":null,"M":null,"P":null,"A":null}`, ""},
		{"empty list", "type P struct { X int }\nresult := map[string]any{\"a\": []P{}, \"b\": []P(nil), \"c\": map[string]P(nil)}", new(any), `{"a":[],"b":null,"c":null}`, ""},
		{"omitempty", "type R struct { X int `json:\"X,omitempty\"`; L []int `json:\",omitempty\"` }\nresult := []R{{}, {1, nil}}", &[]struct {
			X int
			L []int
		}{}, `[{"X":0,"L":null},{"X":1,"L":null}]`, ""},
		{"a text", "type L struct { Level string `json:\"level\"`; Addr string `json:\"addr\"` }\nresult := []L{{\"high\", \"10.0.0.1\"}}", &[]InLine{}, `[{"level":2,"addr":"` + addr.String() + `"}]`, ""},
		{"a wrong text", "type L struct { Level string `json:\"level\"` }\nresult := []L{{\"high\"}, {\"odd\"}}", &[]InLine{}, "", `result[1].level: no level "odd"`},
		{"a panic", `result := []any{map[string]any{"level": "worst"}}`, &[]InLine{}, "", "result[0].level: the host's type panics"},
		{"a number for a text", `result := []any{map[string]any{"level": 1}}`, &[]InLine{}, `[{"level":1,"addr":null}]`, ""},
		{"by itself", `result := []any{map[string]any{"level": "low", "raw": map[string]int{"a": 1}, "sub": []any{map[string]any{"level": "high"}}}}`, &[]InLine{},
			`[{"level":1,"addr":null,"raw":{"a":1},"sub":[{"level":2,"addr":null}]}]`, ""},
		{"a wrong part of JSON", `result := map[string]any{"all": []any{map[string]any{"Parts": []any{map[string]any{"N": "a"}}}}}`, &struct{ All []InParts }{}, "", "result.All[0].Parts.N: string does not fit int"},
		{"by JSON", "result := map[string]float64{\"a\": 1.5}", &map[string]InTwice{}, `{"a":3}`, ""},
		{"by JSON, wrong", "result := map[string]string{\"a\": \"x\"}", &map[string]InTwice{}, "", "result[a]: json: cannot unmarshal string"},
		{"a date", `result := "2026-01-02T03:04:05Z"`, &time.Time{}, `"2026-01-02T03:04:05Z"`, ""},
		{"keys", `result := map[string]int{"high": 1}`, &map[TextLevel]int{}, `{"2":1}`, ""},
		{"deep", "type I struct { Price any `json:\"price\"` }\ntype R struct { Items []I `json:\"items\"` }\nresult := R{[]I{{1}, {2}, {2.5}}}", &struct {
			Items []struct {
				Price int `json:"price"`
			} `json:"items"`
		}{}, "", "result.items[2].price: float64 does not fit int"},
		{"bytes with a name", "type B []byte\ntype C uint8\nresult := map[string]any{\"a\": B(\"hi\"), \"b\": []C{1, 2}[1:], \"c\": [2]C{1, 2}, \"d\": B{}}", new(any), `{"a":"aGk=","b":"Ag==","c":[1,2],"d":""}`, ""},
		{"bytes into numbers", "type C uint8\nresult := []C{1, 2}", &[]int{}, `[1,2]`, ""},
		{"a time inside", "type R struct { time.Time; N int }\nresult := R{time.Unix(0, 0).UTC(), 1}", &struct {
			Time time.Time
			N    int
		}{}, `{"Time":"1970-01-01T00:00:00Z","N":1}`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				into := reflect.New(reflect.TypeOf(tc.into).Elem())
				_, err := b.Box(pure()).Run(b.Context(), sandtrap.Script{Text: tc.src, Result: into.Interface()})
				got, _ := json.Marshal(into.Interface())
				if tc.err != "" && err != nil {
					if !strings.Contains(err.Error(), tc.err) || !into.Elem().IsZero() {
						b.Errorf("got %s, %v, want %s", got, err, tc.err)
					}
				} else if err != nil || string(got) != tc.want {
					b.Errorf("got %s, %v, want %s %s", got, err, tc.want, tc.err)
				}
			})
		})
	}
}
