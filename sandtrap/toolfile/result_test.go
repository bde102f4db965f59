package toolfile

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestErrors: what does not fit is told with its place and both kinds.
func TestErrors(t *testing.T) {
	file, err := Parse("tools.go", []byte(`package tools
import "time"
type Level int8
type Names []string
type Hit struct {
	Title string `+"`json:\"title\"`"+`
	Level Level
	Seen time.Time
	Names Names
	Quoted int `+"`json:\",string\"`"+`
	Hidden int `+"`json:\"-\"`"+`
}
func Search() ([]Hit, error)
func Find() (*Hit, error)
func Table() map[Level]Hit
func Pair() (n int, err error)
func Two() (n int, hits []Hit, err error)
func None() error
func Any() any
func Rank() Level
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, result, want string }{
		{"Search", `[{"title":"a"}]`, ""},
		{"Search", `null`, ""},
		{"Search", ``, "Search: there is no result, which is of type []Hit"},
		{"Search", ` `, "Search: there is no result, which is of type []Hit"},
		{"Search", `{}`, "Search: result: an object does not fit []Hit"},
		{"Search", `[{},{"title":7}]`, "Search: result[1].title: a number does not fit string"},
		{"Search", `[[]]`, "Search: result[0]: an array does not fit Hit"},
		{"Search", `[{"Level":300}]`, "Search: result[0].Level: a number 300 does not fit Level (int8)"},
		{"Search", `[{"Level":1.5}]`, "Search: result[0].Level: a number 1.5 does not fit Level (int8)"},
		{"Search", `[{"Names":["a",2]}]`, "Search: result[0].Names[1]: a number does not fit string"},
		{"Search", `[{"Names":"a"}]`, "Search: result[0].Names: a string does not fit Names ([]string)"},
		{"Search", `[{"Seen":"today"}]`, `Search: result[0].Seen: parsing time "today" as "2006-01-02T15:04:05Z07:00": cannot parse "today" as "2006"`},
		{"Search", `[{"Quoted":1}]`, "Search: result[0].Quoted: invalid use of ,string struct tag, trying to unmarshal unquoted value into int"},
		{"Search", `[{"headline":"a"}]`, `Search: result[0].headline: unknown field "headline"`},
		{"Search", `[{"State_":{"ID":1}}]`, `Search: result[0].State_: unknown field "State_"`},
		{"Search", `[{"Hidden":1}]`, `Search: result[0].Hidden: unknown field "Hidden"`},
		{"Search", `[{}`, "Search: result: unexpected EOF"},
		{"Search", `[] []`, "Search: result: there is more after its end, at byte 4"},
		{"Find", `{"TITLE":"a"}`, ""},
		{"Find", `null`, ""},
		{"Find", `{"title":[]}`, "Find: result.title: an array does not fit string"},
		{"Table", `{"1":{}}`, ""},
		{"Table", `{"x":{}}`, `Table: result["x"]: a number x does not fit Level (int8)`},
		{"Table", `{"1":{"Level":true}}`, `Table: result["1"].Level: a bool does not fit Level (int8)`},
		{"Pair", `1`, ""},
		{"Pair", `null`, "Pair: result: null does not fit int"},
		{"Rank", `null`, "Rank: result: null does not fit Level (int8)"},
		{"Two", `null`, "Two: result: null does not fit struct"},
		{"Two", `{"hits":[]}`, `Two: result: there is no "n"`},
		{"Any", `null`, ""},
		{"Table", `null`, ""},
		{"Pair", `{"n":1}`, "Pair: result: an object does not fit int"},
		{"Two", `{"n":1,"hits":[]}`, ""},
		{"Two", `[1,[]]`, "Two: result: an array does not fit struct"},
		{"Two", `{"n":1,"hits":[{"title":{}}]}`, "Two: result.hits[0].title: an object does not fit string"},
		{"Two", `{"n":1,"r1":[]}`, `Two: result.r1: unknown field "r1"`},
		{"Search", `[{"` + strings.Repeat("long", 1000) + `":1}]`, "Search: result[0]." + strings.Repeat("long", 1000)[:maxTold-4] + `…: unknown field "` + strings.Repeat("long", 1000)[:maxTold-15] + "…"},
		{"None", ``, ""},
		{"None", `null`, ""},
		{"None", `"ok"`, "None: it has no result, and a string is one: answer null"},
		{"None", `{}`, "None: it has no result, and an object is one: answer null"},
		{"Any", `[1,{"State_":2}]`, ""},
		{"Other", `1`, "there is no function Other"},
	} {
		if err := file.Check(tc.name, json.RawMessage(tc.result)); err == nil && tc.want != "" || err != nil && err.Error() != tc.want {
			t.Errorf("%s %s: got %v, want %s", tc.name, tc.result, err, tc.want)
		}
	}
}

// TestCallErrors: the error of a call is that of the function, as it is, and a function without one panics with its text.
func TestCallErrors(t *testing.T) {
	file, err := Parse("tools.go", []byte("package tools\nfunc F() (int, error)\nfunc G() int"))
	if err != nil {
		t.Fatal(err)
	}
	failure := errors.New("no such index")
	members := file.Members(func(context.Context, string, json.RawMessage) (json.RawMessage, error) { return nil, failure })
	if n, err := members["F"].(sandtrap.Member).Value.(func(context.Context) (int, error))(t.Context()); n != 0 || err != failure {
		t.Errorf("got %d, %v", n, err)
	}
	defer func() {
		if p := recover(); p != "no such index" {
			t.Errorf("panic %v", p)
		}
	}()
	members["G"].(sandtrap.Member).Value.(func(context.Context) int)(t.Context())
}
