package sandtraptest

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Crate is a host type of which a policy shows some.
type Crate struct {
	Label  string
	Code   string `json:"code"`
	Inner  *Crate
	Parts  map[string]Crate
	Any    any
	Hidden        // not listed by the policy
	Sealed Sealed // its MarshalJSON is not
	pin    string
}

// A Sealed tells its secret in JSON and in text, where it is allowed to.
type Sealed struct {
	Name string
	code string
}

func (s Sealed) MarshalJSON() ([]byte, error) { return []byte(`"` + s.code + `"`), nil }
func (s Sealed) MarshalText() ([]byte, error) { return []byte(s.code), nil }
func (s *Sealed) UnmarshalJSON([]byte) error  { s.Name = "opened"; return nil }

const crateCode = "1234danger"

// cratePolicy lets a script have a crate of the host's, with parts that it may not see.
func cratePolicy() (sandtrap.Policy, *Crate) {
	crate := &Crate{
		Label: "L", Code: crateCode, Inner: &Crate{Label: "I", Code: crateCode}, pin: crateCode, Hidden: Hidden{crateCode},
		Any: Sealed{"s", crateCode}, Sealed: Sealed{"s", crateCode},
	}
	p := sandtrap.Policy{Std: sandtrap.StdDefault()}
	p.Packages = []sandtrap.Package{{
		Path: "corp", Members: map[string]any{"Crate": (*Crate)(nil), "Sealed": (*Sealed)(nil)},
		Exclude: []string{"Crate.Code", "Crate.Hidden", "Sealed.MarshalJSON", "Sealed.MarshalText", "Sealed.UnmarshalJSON"},
	}}
	p.Funcs = map[string]any{
		"crate": func() *Crate { return crate }, "sealed": func() Sealed { return crate.Sealed },
		"crates": func() []Crate { return []Crate{*crate} }, "crateMap": func() map[string]any { return map[string]any{"k": *crate} },
		"anything": func() []any { return []any{Hidden{crateCode}, &Hidden{crateCode}, crate} },
	}
	return p, crate
}

// TestJSONReach: of a value of the host's JSON shows, and stores, what the policy
// shows, whichever way it gets there.
func TestJSONReach(t *testing.T) {
	const shown = `{"Label":"L","Inner":{"Label":"I","Inner":null,"Parts":null,"Any":null,"Sealed":{"Name":""}},"Parts":null,"Any":{"Name":"s"},"Sealed":{"Name":"s"}}`
	for src, want := range map[string]string{
		"b, err := json.Marshal(crate())":                                                         shown,
		"b, err := json.Marshal(*crate())":                                                        shown,
		"b, err := json.Marshal([]any{crate()})":                                                  "[" + shown + "]",
		"b, err := json.Marshal(map[string]*corp.Crate{\"k\": crate()})":                          `{"k":` + shown + `}`,
		"b, err := json.Marshal(map[string]any{\"k\": *crate()})":                                 `{"k":` + shown + `}`,
		"b, err := json.Marshal(wrapper{crate(), 1})\ntype wrapper struct { *corp.Crate; N int }": strings.TrimSuffix(shown, "}") + `,"N":1}`,
		"b, err := json.Marshal(wrapper{*crate()})\ntype wrapper struct { C corp.Crate }":         `{"C":` + shown + `}`,
		"b, err := json.Marshal(named(*crate()))\ntype named corp.Crate":                          shown,
		"b, err := json.Marshal(crates())":                                                        `[` + shown + `]`,
		"b, err := json.Marshal(crateMap())":                                                      `{"k":` + shown + `}`,
		"b, err := json.Marshal(anything())":                                                      "[{},{}," + shown + "]",
		"b, err := json.Marshal(sealed())":                                                        `{"Name":"s"}`,
		"b, err := json.Marshal(map[corp.Sealed]int{sealed(): 1})":                                "unsupported type: map[corp.Sealed]int",
		"var o bytes.Buffer; e := json.NewEncoder(&o); err := e.Encode(crate()); b := o.Bytes()":  shown,
		"var o bytes.Buffer; f := json.NewEncoder(&o).Encode; err := f(crate()); b := o.Bytes()":  shown,
		"var o bytes.Buffer; var e encoder = json.NewEncoder(&o); err := e.Encode(crate()); b := o.Bytes()\ntype encoder interface { Encode(any) error }": shown,
		"var o bytes.Buffer; e := wrapper{json.NewEncoder(&o)}; err := e.Encode(crate()); b := o.Bytes()\ntype wrapper struct { *json.Encoder }":          shown,
		"f := json.Marshal; b, err := f(crate())": shown,
		"c := crate(); err := json.Unmarshal([]byte(`{\"code\":\"x\",\"Label\":\"new\"}`), c); b := []byte(c.Label)":                                                                                                     "new",
		"c := crate(); err := json.Unmarshal([]byte(`{\"Sealed\":{\"Name\":\"mine\"},\"pin\":1}`), c); b := []byte(c.Sealed.Name)":                                                                                       "mine",
		"c := crate(); d := json.NewDecoder(strings.NewReader(`{\"code\":\"x\"}`)); d.DisallowUnknownFields(); err := d.Decode(c); var b []byte":                                                                         `unknown field "code"`,
		"c := crate(); err := json.Unmarshal([]byte(`{\"Any\":{\"Name\":\"x\"},\"Inner\":{\"Label\":\"J\"},\"Parts\":{\"p\":{\"Label\":\"P\",\"code\":\"x\"}}}`), c); b := []byte(c.Inner.Label + c.Parts[\"p\"].Label)": "JP",
		"_, ok := any(sealed()).(json.Marshaler); b, err := json.Marshal(ok)":                                                                                                                                            "false",
	} {
		t.Run(src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				p, crate := cratePolicy()
				setup, decls, _ := strings.Cut(src, "\n")
				res, err := b.RunOnce(p, "import \"corp\"\n"+decls+"\n"+setup+"\nvar _ corp.Sealed\nfmt.Println(string(b), err)")
				if res == nil {
					b.Fatal(err)
				}
				got := res.Stdout + res.Stderr
				if strings.Contains(got, "danger") || crate.Code != crateCode || crate.Hidden.Name != crateCode {
					b.Errorf("got %q; the host has %+v", got, crate)
				}
				if b.Engine == "yaegi" {
					return // which does not look into values of such types
				}
				if err != nil || !strings.Contains(got, want) {
					b.Errorf("got %q, %v, want %q", got, err, want)
				}
			})
		})
	}
}
