package sandtraptest

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Types that no member of a policy names.
type (
	inputLevel   int
	inputAddress struct {
		Street string
		Zip    int `json:"zip"`
	}
	inputUser struct {
		Name    string
		Level   inputLevel
		Address *inputAddress
		Homes   map[string][]inputAddress
		Any     any
		At      time.Time
	}
	inputHalf  struct{ Shown, hidden int }
	inputError struct{ Code int }
)

func (e inputError) Error() string { return fmt.Sprint("code ", e.Code) }
func (inputUser) String() string   { return "a method" }

// TestInputTypes: inputs of plain data whose types no member names are the same for a script in each mode: their
// fields, maps with such keys and named numbers can be used, and have no names; an error is an error.
func TestInputTypes(t *testing.T) {
	user := inputUser{"ann", 3, &inputAddress{"high", 12}, map[string][]inputAddress{"old": {{"low", 7}}}, inputAddress{"any", 1}, time.Unix(0, 0).UTC()}
	var missing *inputAddress
	rows := []struct {
		name, text, want string
		in               any
	}{
		{"struct", `fmt.Print(in.Name, in.Level+1, in.Address.Zip, in.Homes["old"][0].Street, in.At.Year())`, "ann4 12low1970", user},
		{"printed", `fmt.Printf("%v %T", in.Homes, in.Level)`, "map[old:[{low 7}]] int", user},
		{"as JSON", `b, _ := json.Marshal(in.Address); fmt.Print(string(b))`, `{"Street":"high","zip":12}`, user},
		{"in an interface", `b, _ := json.Marshal(in.Any); fmt.Print(string(b))`, `{"Street":"any","zip":1}`, user},
		{"pointer", `in.Name = "bob"; fmt.Print(in.Name)`, "bob", &user},
		{"nil pointer", `fmt.Print(in == nil)`, "true", missing},
		{"slice", `for _, u := range in { fmt.Print(u.Name) }`, "annann", []inputUser{user, user}},
		{"no elements", `fmt.Print(len(in)); type T struct { Street string; Zip int ` + "`json:\"zip\"`" + ` }; in = append(in, T{"x", 1}); fmt.Print(in)`, "0[{x 1}]", []inputAddress{}},
		{"keys", `fmt.Print(in[3], in[4])`, "three", map[inputLevel]string{3: "three"}},
		{"struct keys", `for k, v := range in { fmt.Print(k.Street, v) }`, "q2", map[inputAddress]int{{"q", 1}: 2}},
		{"number", `var n int = in; fmt.Printf("%d %T", n+1, in)`, "4 int", inputLevel(3)},
		{"list of any", `b, _ := json.Marshal(in); fmt.Print(string(b))`, `[1,{"Street":"s","zip":2},[{"Street":"t","zip":3}]]`, []any{1, inputAddress{"s", 2}, []any{inputAddress{"t", 3}}}},
		{"map of any", `b, _ := json.Marshal(in); fmt.Print(string(b))`, `{"a":{"Street":"s","zip":2},"b":null}`, map[string]any{"a": inputAddress{"s", 2}, "b": nil}},
		{"without a name", `fmt.Print(in.B.Street)`, "s", struct{ B inputAddress }{inputAddress{"s", 1}}},
		{"some fields", `fmt.Printf("%+v", in)`, "{Shown:1}", inputHalf{1, 2}},
		{"error", `var err error = in; fmt.Print(err, in.Error())`, "badbad", errors.New("bad")},
		{"error of a type", `fmt.Print(in, in != nil)`, "code 4 true", inputError{4}},
		{"pointer to one", `fmt.Print(in)`, "code 5", &inputError{5}},
		{"error with a cause", `fmt.Print(in)`, "outer: inner", fmt.Errorf("outer: %w", errors.New("inner"))},
		{"error that scripts know", `fmt.Print(in.Op, in.URL, in.Err)`, "getxe", &url.Error{Op: "get", URL: "x", Err: errors.New("e")}},
		{"errors", `fmt.Print(in[0])`, "one", []error{errors.New("one")}},
	}
	for _, tc := range rows {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if b.Engine == "yaegi" && (strings.Contains(tc.text, "json") || strings.Contains(tc.text, "%")) {
					return // which cannot show the names of types and fields
				}
				p := pure()
				p.Std = []string{"fmt", "errors", "time", "net/url", "encoding/json"}
				res, err := b.Box(p).Run(b.Context(), sandtrap.Script{Text: tc.text, Inputs: map[string]any{"in": tc.in}})
				if err != nil || res.Stdout != tc.want {
					b.Errorf("%q, %v; want %q", res.Stdout, err, tc.want)
				}
			})
		})
	}
	if user.Name != "ann" {
		t.Error("the host's own value has changed")
	}
}

// TestInputsAssigned: an input that the script has assigned another value to is among its variables, of whatever type;
// one that it has not is not.
func TestInputsAssigned(t *testing.T) {
	inputs := func() map[string]any {
		return map[string]any{
			"n": 1, "list": []int{1, 2}, "words": map[string]string{"a": "b"}, "deep": []any{1, map[string]any{"x": 2}}, "nan": math.NaN(), "raw": []byte("ab"), "user": inputUser{Name: "ann"},
		}
	}
	eachMode(t, func(b bench) {
		box := b.Box(pure())
		for text, want := range map[string]map[string]any{
			`x := 1`: {"x": 1},
			`n = 1; list = append([]int{}, list...); words = map[string]string{"a": "b"}`: {},
			`n = 2`:                                   {"n": 2},
			`list = append(list, 3)`:                  {"list": []int{1, 2, 3}},
			`list = nil; raw = append(raw, 'c')`:      {"list": []int(nil), "raw": []byte("abc")},
			`words = map[string]string{"a": "c"}`:     {"words": map[string]string{"a": "c"}},
			`deep = append(deep, 3)`:                  {"deep": []any{1, map[string]any{"x": 2}, 3}},
			`deep = []any{1, map[string]any{"x": 2}}`: {},
		} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: text, Inputs: inputs()})
			delete(res.Vars, "nan") // which no comparison calls the same
			if err != nil || !cmp.Equal(want, res.Vars, cmpopts.EquateEmpty()) {
				b.Errorf("%s: %v, %v; want %v", text, res.Vars, err, want)
			}
		}
	})
}

// TestInputsInCircles: an input that leads to itself is an error of the call where it would be copied, and never the end
// of the host.
func TestInputsInCircles(t *testing.T) {
	m := map[string]any{"user": inputUser{Name: "ann"}}
	m["self"] = m
	list := []any{inputAddress{}}
	list = append(list, list)
	list[1] = list
	deep := any(inputLevel(1))
	for range 100_000 {
		deep = []any{deep}
	}
	plain := map[string]any{"n": 1}
	plain["self"] = plain
	eachMode(t, func(b bench) {
		box := b.Box(pure())
		for name, in := range map[string]any{"map": m, "list": list, "deep": deep, "plain": plain} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: `x := 1`, Inputs: map[string]any{"in": in}})
			if err == nil && b.Isolation != sandtrap.None || res == nil || err != nil && res.Error != nil && res.Error.Kind == sandtrap.KindInternal {
				b.Errorf("%s: %v", name, err)
			}
		}
	})
}

// heldOrder is of a type that a function of a package mentions, and that no member names.
type heldOrder struct {
	ID    int
	Parts []heldPart
}

type heldPart struct{ Name string }

// TestInputsOfHeldTypes: an input of a type that scripts can only hold as a result of a function is plain data all the same,
// in each mode.
func TestInputsOfHeldTypes(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Packages = []sandtrap.Package{{Path: "acme/held", Members: map[string]any{"Get": func() *heldOrder { return nil }}}}
		box := b.Box(p)
		for _, in := range []any{&heldOrder{3, []heldPart{{"a"}}}, heldOrder{3, []heldPart{{"a"}}}} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: "fmt.Println(in.ID, in.Parts[0].Name, len(list))", Inputs: map[string]any{"in": in, "list": []*heldOrder{nil}}})
			if err != nil || res.Stdout != "3 a 1\n" {
				b.Errorf("%T: %q %v", in, res.Stdout, err)
			}
		}
	})
}
