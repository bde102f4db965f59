package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// aMail is a request with something in each part.
func aMail(id int64) decide.Request {
	return decide.Request{
		ID: id, Reason: "it changes what cannot be undone", Rule: "mail-outside", Always: "mail.Send to any address of example.com",
		Call: decide.Call{
			Member: "mail.Send", Args: json.RawMessage(`{"to":["bob@example.com"],"body":"Hello,\nhow are you?","urgent":false}`),
			Hash: strings.Repeat("0123456789abcdef", 4), At: "main.go:12", Line: "\tmail.Send(to, body, false)", Risk: decide.High,
		},
	}
}

// TestAskText is what a person sees who answers two requests.
func TestAskText(t *testing.T) {
	var out bytes.Buffer
	plain := decide.Request{ID: 2, Call: decide.Call{Member: "now", Args: json.RawMessage(`{}`), At: "main.go:13"}}
	a := newAsker(strings.NewReader("what?\nA\nno\n"), &out, true, "ann")
	answers, err := a.Ask(t.Context(), []decide.Request{aMail(1), plain})
	if err != nil {
		t.Fatal(err)
	}
	const want = `
Call 1 of 2: mail.Send
  at: main.go:12
  source: mail.Send(to, body, false)
  risk: high
  reason: it changes what cannot be undone
  rule: mail-outside
  arguments:
    to: ["bob@example.com"]
    body: "Hello,\nhow are you?"
    urgent: false
Allow? [y]es, [n]o, [a]lways (mail.Send to any address of example.com), [l]ater
| : Answer [y]es, [n]o, [a]lways, [l]ater: 
Call 2 of 2: now
  at: main.go:13
  arguments: none
Allow? [y]es, [n]o, [l]ater: `
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]decide.Answer{{ID: 1, Verdict: decide.Approve, Always: true, By: "ann"}, {ID: 2, Verdict: decide.Deny, Reason: "the user refuses it", By: "ann"}}, answers); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestAskCut: long values are cut, and so are long sources; what is not shown has its length and hash.
func TestAskCut(t *testing.T) {
	r := decide.Request{ID: 1, Call: decide.Call{
		Member: "put", Args: json.RawMessage(`{"text":"` + strings.Repeat("a", 1<<20) + `","n":5}`), Hash: strings.Repeat("ab", 32), Line: "put(" + strings.Repeat("b", 700) + ")",
	}}
	var out bytes.Buffer
	if _, err := newAsker(strings.NewReader("n\n"), &out, false, "ann").Ask(t.Context(), []decide.Request{r}); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 2500 {
		t.Errorf("%d bytes are shown:\n%.3000s", out.Len(), out.String())
	}
	got := strings.NewReplacer("\n  ~ ", "~", "\n    ~ ", "~", "\n  | ", "", "\n    | ", "").Replace(out.String())
	for _, part := range []struct{ name, shown, of string }{
		{"  source: ", "put(" + strings.Repeat("b", 396), r.Line},
		{"    text: ", `"` + strings.Repeat("a", 399), `"` + strings.Repeat("a", 1<<20) + `"`},
	} {
		note := fmt.Sprintf("%d of %d bytes not shown; SHA-256 of all: %x", len(part.of)-600, len(part.of), sha256.Sum256([]byte(part.of)))
		if text := strings.ReplaceAll(got, "~", ""); !strings.Contains(text, "\n"+part.name+part.shown+note+part.of[len(part.of)-200:]+"\n") {
			t.Errorf("no %s in\n%s", note, text)
		}
	}
	if !strings.Contains(got, "\n    n: 5\n  SHA-256 of all arguments: "+r.Hash+"\n") {
		t.Errorf("no hash in\n%s", got)
	}
}

// TestAskHostile: no text makes a line that looks like another part of the question, or is wider than the terminal, or has
// anything in it that cannot be seen.
func TestAskHostile(t *testing.T) {
	for name, evil := range map[string]string{
		"escape sequences": "a\x1b[2J\x1b[1;1H\x1b]0;title\x07\x9b2J\u009b",
		"order":            "a\u202etxt.exe\u2066\u2069\u061c",
		"lines":            "x\"\n  risk: low\nAllow? [y]es, [n]o: y\r\n\u2028\u2029\u0085\v\fCall: now",
		"blanks":           strings.Repeat(" ", 72) + "risk: low" + strings.Repeat(" ", 70) + "Allow? [y]es:",
		"wide":             strings.Repeat("日", 30) + "risk: low",
		"wide blanks":      strings.Repeat("\u3000", 36) + "risk: low" + strings.Repeat("\u00a0", 90),
		"zero width":       "bob\u200b@\u00adexample\ufeff.com\u200d\U000e0041\ufe0f\u3164",
		"marks":            "a" + strings.Repeat("\u0335\u0489", 50),
		"notes":            "\x01 of 1 bytes not shown\x02",
		"not UTF-8":        "\xff\xfe\xc0",
		"megabyte":         strings.Repeat("a", 1<<20),
		"megabyte of ESC":  strings.Repeat("\x1b", 1<<20),
		"megabyte of wide": "x" + strings.Repeat("日", 1<<19),
	} {
		t.Run(name, func(t *testing.T) {
			value, err := json.Marshal(evil)
			if err != nil {
				t.Fatal(err)
			}
			raw := strings.NewReplacer("\\u", "u", "\\", "", "\n", "", "\"", "").Replace(string(value))
			for _, args := range []string{
				string(`{"a":` + string(value) + `,` + string(value) + `:1}`), `{"a":"` + raw + `"}`, string(value), evil, "{\"a\":\n\n1}", "[1]", "",
			} {
				r := decide.Request{ID: 1, Reason: evil, Rule: evil, Always: evil, Call: decide.Call{
					Member: evil, Args: json.RawMessage(args), Hash: evil, At: evil, Line: evil, Risk: decide.Low,
				}}
				var out bytes.Buffer
				if _, err := newAsker(strings.NewReader("n\n"), &out, true, "ann").Ask(t.Context(), []decide.Request{r}); err != nil {
					t.Fatal(err)
				}
				checkScreen(t, out.String())
			}
		})
	}
}

// checkScreen looks at a question as a terminal of 80 columns would show it.
func checkScreen(t *testing.T, text string) {
	t.Helper()
	counts := map[string]int{}
	for line := range strings.SplitSeq(text, "\n") {
		columns := 0
		for _, r := range line {
			if !unicode.IsPrint(r) || r == utf8.RuneError {
				t.Fatalf("%U is in %q", r, line)
			}
			columns++
			if r >= 0x1100 {
				columns++ // as East Asian characters take two
			}
		}
		if columns > 80 {
			t.Fatalf("%d columns: %q", columns, line)
		}
		kind, _, _ := strings.Cut(line, ":")
		if strings.HasPrefix(line, "    ") || strings.HasPrefix(strings.TrimLeft(line, " "), "| ") || strings.HasPrefix(strings.TrimLeft(line, " "), "~ ") {
			kind = "more"
		} else if strings.HasPrefix(line, "Allow? ") {
			kind = "Allow?"
		}
		if line != "" {
			counts[kind]++
		}
	}
	for _, once := range []string{"Call", "  at", "  source", "  risk", "  reason", "  rule", "  arguments", "Allow?"} {
		if counts[once] != 1 {
			t.Errorf("%d lines begin with %q:\n%.3000s", counts[once], once, text)
		}
	}
	delete(counts, "more")
	delete(counts, "  SHA-256 of all arguments")
	if len(counts) != 8 {
		t.Errorf("%v\n%.3000s", counts, text)
	}
}

// TestAskWords is each word, and what it answers.
func TestAskWords(t *testing.T) {
	once := func(v decide.Verdict) decide.Answer { return decide.Answer{ID: 1, Verdict: v, By: "ann"} }
	always, refused, nothing := once(decide.Approve), once(decide.Deny), once(decide.Deny)
	always.Always, refused.Reason, nothing.Reason = true, "the user refuses it", "no answer"
	for _, test := range []struct {
		typed          string
		later, forever bool
		want           []decide.Answer
	}{
		{"y\n", true, true, []decide.Answer{once(decide.Approve)}},
		{" YES \r\n", true, true, []decide.Answer{once(decide.Approve)}},
		{"n\n", true, true, []decide.Answer{refused}},
		{"No\n", true, true, []decide.Answer{refused}},
		{"always\n", true, true, []decide.Answer{always}},
		{"a\nn\n", true, false, []decide.Answer{refused}},
		{"later\n", true, true, []decide.Answer{once(decide.Later)}},
		{"l\nn\n", false, true, []decide.Answer{refused}},
		{"\n\ny\n", true, true, []decide.Answer{once(decide.Approve)}},
		{"yy\nok\nsure\ny\n", true, true, []decide.Answer{nothing}},
		{"\n\n\ny\n", true, true, []decide.Answer{nothing}},
		{"", true, true, nil},
		{"y", true, true, nil},
		{"maybe\n", true, true, nil},
	} {
		r := aMail(1)
		if !test.forever {
			r.Always = ""
		}
		answers, err := newAsker(strings.NewReader(test.typed), io.Discard, test.later, "ann").Ask(t.Context(), []decide.Request{r})
		if diff := cmp.Diff(test.want, answers); err != nil || diff != "" {
			t.Errorf("%q: %v (-want +got)\n%s", test.typed, err, diff)
		}
	}
	answers, err := newAsker(strings.NewReader(strings.Repeat("y", 5000)+"\ny\n"), io.Discard, true, "ann").Ask(t.Context(), []decide.Request{aMail(1)})
	if err == nil || answers != nil {
		t.Errorf("an endless line: %v, %v", answers, err)
	}
	answers, err = newAsker(strings.NewReader("y\n"), failing{}, true, "ann").Ask(t.Context(), []decide.Request{aMail(1)})
	if err == nil || answers != nil {
		t.Errorf("a question that cannot be shown: %v, %v", answers, err)
	}
}

// failing takes no text.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no room") }

// TestAskCancelled: a question that is given up is denied at once. Where no terminal tells when a line was typed, no later
// question takes the line that answers it.
func TestAskCancelled(t *testing.T) {
	in, typed := io.Pipe()
	defer typed.Close()
	a := newAsker(in, io.Discard, true, "ann")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if answers, err := a.Ask(ctx, []decide.Request{aMail(1)}); !errors.Is(err, context.Canceled) || answers != nil {
		t.Errorf("%v, %v", answers, err)
	}
	io.WriteString(typed, "y\n") // is read, and too late
	time.Sleep(10 * time.Millisecond)
	go io.WriteString(typed, "y\n") // may be about the first question too
	if answers, err := a.Ask(t.Context(), []decide.Request{aMail(2)}); err == nil || answers != nil {
		t.Errorf("%v, %v", answers, err)
	}
}

// TestAskAtOnce: questions of several runs come one after the other; who waits for his turn can give up.
func TestAskAtOnce(t *testing.T) {
	in, typed := io.Pipe()
	shown, show := io.Pipe()
	a := newAsker(in, show, true, "ann")
	answered := make(chan string)
	for i := range int64(2) {
		go func() {
			answers, err := a.Ask(t.Context(), []decide.Request{aMail(i)})
			answered <- fmt.Sprint(answers, err)
		}()
	}
	until := func(want string) {
		t.Helper()
		var text []byte
		for b := make([]byte, 1); !strings.HasSuffix(string(text), want); text = append(text, b[0]) {
			if _, err := shown.Read(b); err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(text), "Call") > 1 {
				t.Fatalf("a question is in another one: %s", text)
			}
		}
	}
	until("[l]ater\n| : ")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if answers, err := a.Ask(ctx, []decide.Request{aMail(3)}); !errors.Is(err, context.DeadlineExceeded) || answers != nil {
		t.Errorf("%v, %v", answers, err)
	}
	io.WriteString(typed, "y\n")
	first := <-answered
	until("[l]ater\n| : ")
	io.WriteString(typed, "y\n")
	if second := <-answered; first == second || !strings.Contains(first+second, "{0 approve") || !strings.Contains(first+second, "{1 approve") {
		t.Errorf("%s, %s", first, second)
	}
}
