package sandtraptest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestEchoTexts: an echo shows a value as a person wants to read it, without addresses and
// without what is the library's own business.
func TestEchoTexts(t *testing.T) {
	const decls = `type node struct { V int; Err error; For time.Duration; Next *node }
type level int
func (l level) String() string { return "L" + strconv.Itoa(int(l)) }
type broken struct{}
func (b *broken) Error() string { return "broken" }
ring := &node{V: 1}
ring.Next = ring
var noNode *node
var builder strings.Builder
f := func(int) {}
`
	cases := []struct{ expr, want string }{
		{`errors.New("gone")`, "gone"},
		{`fmt.Errorf("a: %w", errors.New("b"))`, "a: b"},
		{`&broken{}`, "broken"},
		{`level(3)`, "L3"},
		{`map[level][]level{1: {2}}`, "map[main.level][]main.level{L1:[]main.level{L2}}"},
		{`90 * time.Second`, "1m30s"},
		{`time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)`, "2026-01-02 03:04:05 +0000 UTC"},
		{`node{Err: errors.New("e"), For: time.Minute}`, "main.node{V:0, Err:e, For:1m0s, Next:(*main.node)(nil)}"},
		{`[]*node{{V: 1}}`, "[]*main.node{&main.node{V:1, Err:nil, For:0s, Next:(*main.node)(nil)}}"},
		{`ring`, "&main.node{V:1, Err:nil, For:0s, Next:&main.node{V:1, Err:nil, For:0s, Next:(*main.node)(...)}}"},
		{`noNode`, "(*main.node)(nil)"},
		{`f`, "(func(int))(...)"},
		{`make(chan int)`, "(chan int)(...)"},
		{`builder`, "strings.Builder{...}"},
		{`big.NewInt(12)`, "12"},
		{`regexp.MustCompile("a+")`, "a+"},
		{`url.Parse("http://a/b")`, "http://a/b, nil"},
		{`strconv.Atoi("x")`, `0, strconv.Atoi: parsing "x": invalid syntax`},
		{`"a\nb"`, `"a\nb"`},
		{`[]any{1, nil, "x"}`, `[]interface {}{1, nil, "x"}`},
		{`math.NaN()`, "NaN"},
		{`[]byte("hé\n")`, `[]byte("hé\n")`},
		{`[]byte{0xff, 1}`, "[]byte{0xff, 0x1}"},
		{`[]byte(nil)`, "[]uint8(nil)"},
		{`reflect.ValueOf([]int{3})`, "<[]int Value>"},
		{`time.NewTimer(time.Hour)`, "&time.Timer{C:(<-chan time.Time)(...)}"},
	}
	large := []struct{ expr, head string }{
		{`strings.Repeat("ab", 1_000_000)`, `"abab`},
		{`make([]int, 2_000_000)`, "[]int{0, 0, "},
		{`[][]string{{strings.Repeat("x", 200_000)}}`, `[][]string{[]string{"xxx`},
		{`func() map[int]int { m := map[int]int{}; for i := range 30_000 { m[i] = i }; return m }()`, "map[int]int{0:0, 1:1, 2:2, "},
	}
	eachMode(t, func(b bench) {
		if strings.Contains(b.Name(), "yaegi") {
			return // shows what %#v makes
		}
		box := b.Box(sandtrap.Policy{Std: sandtrap.StdDefault(), Echo: sandtrap.EchoLast})
		echo := func(expr string) string {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: decls + expr})
			if err != nil || len(res.Echo) != 1 {
				b.Errorf("%s: %d echoes, %v", expr, len(res.Echo), err)
				return ""
			}
			return res.Echo[0].Text
		}
		for _, tc := range cases {
			if got := echo(tc.expr); got != tc.want {
				b.Errorf("%s is shown as %q, want %q", tc.expr, got, tc.want)
			}
		}
		for _, tc := range large {
			if got := echo(tc.expr); !strings.HasPrefix(got, tc.head) || !strings.HasSuffix(got, " ...") || len(got) > 4110 {
				b.Errorf("%s is shown as %d bytes, %.60q to %q", tc.expr, len(got), got, got[max(0, len(got)-20):])
			}
		}
	})
}

type echoedBox struct {
	At    time.Time
	For   time.Duration
	Err   error
	Inner *echoedItem
	Raw   []byte
}

type echoedItem struct{ N int }

// TestEchoOfHostValues: values of types of the host are shown as those of the script are: with what is behind their
// pointers, times and errors as texts, and no addresses.
func TestEchoOfHostValues(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("engine yaegi shows Go syntax")
		}
		made := echoedBox{time.Unix(0, 0).UTC(), time.Minute, errors.New("gone"), &echoedItem{3}, []byte("x")}
		box := b.Box(sandtrap.Policy{Std: []string{"fmt"}, Echo: sandtrap.EchoAll, Packages: []sandtrap.Package{{Path: "acme/boxes", Members: map[string]any{
			"Box": (*echoedBox)(nil), "Item": (*echoedItem)(nil), "Get": func() echoedBox { return made },
			"All": func() []*echoedItem { return []*echoedItem{{1}, {2}} }, "Items": func() map[string]*echoedItem { return map[string]*echoedItem{"a": {1}} },
		}}}})
		for text, want := range map[string]string{
			"boxes.Get()":           `boxes.Box{At:1970-01-01 00:00:00 +0000 UTC, For:1m0s, Err:gone, Inner:&boxes.Item{N:3}, Raw:[]byte("x")}`,
			"boxes.All()":           "[]*boxes.Item{&boxes.Item{N:1}, &boxes.Item{N:2}}",
			"boxes.Items()":         `map[string]*boxes.Item{"a":&boxes.Item{N:1}}`,
			"[]any{boxes.All()[1]}": "[]interface {}{&boxes.Item{N:2}}",
		} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: text})
			if err != nil || len(res.Echo) != 1 || res.Echo[0].Text != want {
				b.Errorf("%s: %v %v, want %s", text, res.Echo, err, want)
			}
		}
	})
}
