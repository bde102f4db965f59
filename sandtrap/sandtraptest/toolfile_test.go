package sandtraptest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/toolfile"
)

const toolFile = `package tools

import "time"

// Level says how bad something is.
type Level int

type Tags []string

// Hit is a found page.
type Hit struct {
	// Title is that of the page.
	Title string    ` + "`json:\"title\"`" + `
	Score float64   ` + "`json:\"score,omitempty\"`" + `
	Level Level     ` + "`json:\"level,omitzero\"`" + `
	Tags  Tags      ` + "`json:\"tags,omitempty\"`" + `
	Seen  time.Time ` + "`json:\"seen,omitzero\"`" + `
	Inner struct{ N int } ` + "`json:\"inner,omitzero\"`" + `
}

// Page has hits.
type Page struct {
	Hits map[string]Hit
	Next *int
	Best *Hit
	More any
}

// Search finds pages.
func Search(query string, limit int) ([]Hit, error)
func Pages(hits []Hit, level Level, tags ...string) (Page, error)
func Count(hit Hit) int
func Split(text string) (head string, tail []byte, err error)
func Two() (int, Hit)
func Mail(to []string, body any) error
func Note(text string)
func Wait(d time.Duration) (time.Time, error)
`

// A client answers the calls of tools, and keeps what it was asked.
type client struct {
	mu      sync.Mutex
	asked   []string
	answers map[string]string // a text that begins with ! is an error
}

func (c *client) call(ctx context.Context, name string, args json.RawMessage) (json.RawMessage, error) {
	if ctx == nil {
		return nil, errors.New("there is no context")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, name+string(args))
	answer := c.answers[name]
	if text, ok := strings.CutPrefix(answer, "!"); ok {
		return nil, errors.New(text)
	}
	return json.RawMessage(answer), nil
}

// tools is a policy with the functions of toolFile.
func (c *client) tools(t *testing.T) sandtrap.Policy {
	file, err := toolfile.Parse("tools.go", []byte(toolFile))
	if err != nil {
		t.Fatal(err)
	}
	p := pure()
	p.Funcs, p.Docs, p.Limits = file.Members(c.call), file.Docs(), limits
	return p
}

// TestToolFile: scripts use the functions and types of a file of declarations as those of a host.
func TestToolFile(t *testing.T) {
	for _, tc := range []struct {
		name, answer, src string
		asked             string
		want              string // of x
	}{
		{"list", `Search [{"title":"a","score":2},{"title":"b","level":3,"tags":["x"],"seen":"2026-01-02T03:04:05Z","inner":{"N":4}}]`,
			`hits, err := Search("go <3", 2)
			x := line(len(hits), hits[0].Score, hits[1].Level+1, hits[1].Tags[0], hits[1].Seen.Year(), hits[1].Inner.N, err)`,
			`Search{"query":"go <3","limit":2}`, `2 2 4 x 2026 4 <nil>`},
		{"literals", `Pages {"Hits":{"k":{"title":"t"}},"Next":7,"Best":{"title":"best","level":2},"More":{"a":[1,"b",null]}}`,
			`p, err := Pages([]Hit{{Title: "a", Level: 1, Tags: Tags{"t"}}, {Score: .5}}, Level(9), "p", "q")
			x := line(p.Hits["k"].Title, *p.Next, p.Best.Title, p.Best.Level == Level(2), p.More, err)`,
			`Pages{"hits":[{"title":"a","level":1,"tags":["t"]},{"title":"","score":0.5}],"level":9,"tags":["p","q"]}`, `t 7 best true map[a:[1 b <nil>]] <nil>`},
		{"no variadic argument", `Pages {}`, `p, _ := Pages(nil, 0)
			x := line(p.Hits == nil, p.Next == nil, p.Best == nil, p.More)`, `Pages{"hits":null,"level":0,"tags":[]}`, `true true true <nil>`},
		{"several results", `Split {"head":"h","tail":"dGFpbA=="}`, `h, tail, err := Split("x")
			x := line(h, string(tail), err)`, `Split{"text":"x"}`, `h tail <nil>`},
		{"results without names", `Two {"r0":4,"r1":{"title":"t"}}`, `n, h := Two()
			x := line(n, h.Title)`, `Two{}`, `4 t`},
		{"no result", `Note null`, `Note("n")
			x := "done"`, `Note{"text":"n"}`, `done`},
		{"any", `Mail`, `type own struct { A int; Hit Hit ` + "`json:\"hit\"`" + ` }
			err := Mail([]string{"a"}, []any{own{A: 1, Hit: Hit{Title: "t"}}, Hit{Title: "u"}, map[string]Hit{"k": {Level: 2}}, Level(3), 1.5, nil, Tags{"v"}})
			x := line(err)`, `Mail{"to":["a"],"body":[{"A":1,"hit":{"title":"t"}},{"title":"u"},{"k":{"title":"","level":2}},3,1.5,null,["v"]]}`, `<nil>`},
		{"time", `Wait "2026-01-02T03:04:05.6+01:00"`, `at, err := Wait(2 * time.Second)
			x := line(at.Format(time.RFC3339Nano), err)`, `Wait{"d":2000000000}`, `2026-01-02T03:04:05.6+01:00 <nil>`},
		{"names", `Search []`, `hits, _ := Search("", 0)
			x := fmt.Sprintf("%T %T %T %T %v %+v", hits, Hit{}, Level(1), &Page{}, Hit{Title: "a"}.Title, Tags{"b"})`, `Search{"query":"","limit":0}`, `[]Hit Hit Level *Page a [b]`},
		{"printed", `Count 1`, `x := fmt.Sprintf("%d %+v", Count(Hit{}), Page{More: Level(2)})`, `Count{"hit":{"title":""}}`, `1 {Hits:map[] Next:<nil> Best:<nil> More:2}`},
		{"in JSON", `Count 1`, `Count(Hit{})
			b, err := json.Marshal(Hit{Title: "t", Level: 2})
			var h Hit
			err2 := json.Unmarshal([]byte("{\"title\":\"u\",\"State_\":{\"ID\":7}}"), &h)
			x := line(string(b), err, h.Title, err2)`, `Count{"hit":{"title":""}}`, `{"title":"t","level":2} <nil> u <nil>`},
		{"concurrently", `Count 2`, `n := make(chan int)
			for range 3 { go func() { n <- Count(Hit{}) }() }
			x := line(<-n + <-n + <-n)`, `Count{"hit":{"title":""}}Count{"hit":{"title":""}}Count{"hit":{"title":""}}`, `6`},
		{"error", `Search !no such index`, `hits, err := Search("q", 1)
			x := line(hits == nil, err)`, `Search{"query":"q","limit":1}`, `true no such index`},
		{"an error without a result for it", `Count !no such page`, `x := func() (x string) {
			defer func() { x = line(recover()) }()
			return line(Count(Hit{}))
		}()`, `Count{"hit":{"title":""}}`, `no such page`},
		{"another kind", `Search [{"title":"a"},{"title":"b","score":"high"}]`, `_, err := Search("q", 1)
			x := line(err)`, `Search{"query":"q","limit":1}`, `Search: result[1].score: a string does not fit float64`},
		{"a pointer in an any", `Mail`, `x := func() (x string) {
			defer func() { x = line(recover()) }()
			return line(Mail(nil, map[string]any{"k": []*Hit{{Title: "t"}}}))
		}()`, ``, `a *Hit cannot be given to a blocking function of the host: the script could use it at the same time`},
		{"an argument without a form", `Mail`, `x := line(Mail(nil, math.NaN()))`, ``, `Mail: the arguments: json: unsupported value: NaN`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				name, answer, _ := strings.Cut(tc.answer, " ")
				c := &client{answers: map[string]string{name: answer}}
				res, err := b.RunOnce(c.tools(b.T), "line := func(v ...any) string { return strings.TrimSpace(fmt.Sprintln(v...)) }\n"+tc.src)
				if b.Engine == "yaegi" && engineRefused(res) { // names, JSON and goroutines
					return
				}
				if got := fmt.Sprint(res.Vars["x"]); err != nil || got != tc.want {
					b.Errorf("got %s, %v, want %s", got, err, tc.want)
				}
				if asked := strings.Join(c.asked, ""); asked != tc.asked {
					b.Errorf("asked %s, want %s", asked, tc.asked)
				}
			})
		})
	}
}

// TestToolFileSessions: variables of the types of a file are saved, and have them when they are loaded.
func TestToolFileSessions(t *testing.T) {
	eachKeeping(t, func(b bench) {
		c := &client{answers: map[string]string{"Search": `[{"title":"a","level":2,"tags":["x"]}]`, "Pages": `{"Best":{"title":"b"}}`}}
		box := b.Box(c.tools(b.T))
		first, err := box.Session()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := first.Run(b.Context(), sandtrap.Script{Text: "hits, _ := Search(\"q\", 1)\npage, _ := Pages(nil, 2)"}); err != nil {
			b.Fatal(err)
		}
		var saved bytes.Buffer
		if err := first.SaveAll(&saved); err != nil {
			b.Fatal(err)
		}
		second, err := box.LoadSession(&saved)
		if err != nil {
			b.Fatal(err)
		}
		res, err := second.Run(b.Context(), sandtrap.Script{Text: "x := fmt.Sprintf(\"%T %v %T %v\", hits, hits[0].Level == Level(2), page.Best, page.Best.Title)\nkept := hits"})
		if want := "[]Hit true *Hit b"; err != nil || res.Vars["x"] != want {
			b.Errorf("got %v, %v, want %s", res.Vars["x"], err, want)
		}
		if text := string(res.JSON("kept")); text != `[{"title":"a","level":2,"tags":["x"]}]` {
			b.Errorf("got %s", text)
		}
	})
}
