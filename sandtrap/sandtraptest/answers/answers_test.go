// Package answers runs scripts as language models send them.
package answers

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

var update = flag.Bool("update", false, "write docs/answers.md")

// TestMain makes the program of the tests its own worker.
func TestMain(m *testing.M) {
	worker.Init()
	os.Exit(m.Run())
}

const answersDoc = "../../../docs/answers.md"

// An answer is a text as a model sends it. It prints want, or ends in an error that holds the text of wrong; then
// mended is what its author sends next, who has read the error, and prints want.
type answer struct {
	kind, name                string
	text, want, wrong, mended string
}

// corpusAnswers are those of testdata/answers: a file for each kind, in it NAME.md, NAME.want, NAME.error and NAME.mended.
func corpusAnswers(t *testing.T) (list []*answer, kinds map[string]string) {
	kinds = map[string]string{}
	files, err := filepath.Glob("../../../testdata/answers/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no answers: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		kind := strings.TrimSuffix(filepath.Base(file), ".txtar")
		kinds[kind] = strings.Join(strings.Fields(string(archive.Comment)), " ")
		of := map[string]*answer{}
		for _, f := range archive.Files {
			name, part, _ := strings.Cut(f.Name, ".")
			a := of[name]
			if a == nil {
				a = &answer{kind: kind, name: name}
				of[name] = a
				list = append(list, a)
			}
			into := map[string]*string{"md": &a.text, "want": &a.want, "error": &a.wrong, "mended": &a.mended}[part]
			if into == nil || *into != "" {
				t.Fatalf("%s: what is %s?", file, f.Name)
			}
			*into = string(f.Data)
		}
	}
	for _, a := range list {
		if a.text == "" || (a.wrong == "") != (a.mended == "") {
			t.Fatalf("%s/%s lacks a part", a.kind, a.name)
		}
	}
	return list, kinds
}

type (
	Weather struct {
		City  string
		TempC float64
		Rain  bool
	}
	Doc struct {
		Title string
		Score int
	}
	Item struct {
		Name  string
		Qty   int
		Price float64
	}
	Order struct {
		ID       int
		Customer string
		Total    float64
		Items    []Item
	}
)

// answerTools are the host's functions that answers may call.
func answerTools() map[string]any {
	weather := map[string]Weather{"Oslo": {"Oslo", 3.5, true}, "Rome": {"Rome", 21, false}, "Cairo": {"Cairo", 33.5, false}}
	docs := []Doc{{"Go tour", 9}, {"Go spec", 7}, {"Effective Go", 5}}
	return map[string]any{
		"getWeather": func(_ context.Context, city string) (Weather, error) {
			w, ok := weather[city]
			if !ok {
				return w, fmt.Errorf("no such city: %s", city)
			}
			return w, nil
		},
		"searchDocs": func(_ string, limit int) []Doc { return docs[:min(max(limit, 0), len(docs))] },
		"sendMail": func(to, _ string) error {
			if !strings.Contains(to, "@") {
				return fmt.Errorf("no address: %s", to)
			}
			return nil
		},
		"listOrders": func() []Order {
			return []Order{
				{1, "ann", 30, []Item{{"pen", 2, 5}, {"ink", 1, 20}}},
				{2, "bob", 12.5, []Item{{"cup", 1, 12.5}}},
				{3, "ann", 7.5, []Item{{"pen", 1, 7.5}}},
			}
		},
	}
}

// TestAnswers: of answers as models give them nearly all run as meant, or end in an error from which one step mends them.
func TestAnswers(t *testing.T) {
	list, kinds := corpusAnswers(t)
	for _, mode := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process, sandtrap.Kernel} {
		t.Run(string(mode), func(t *testing.T) {
			if mode == sandtrap.Kernel && machine.Raced {
				t.Skip("the race detector makes system calls that no worker of isolation kernel may make")
			}
			box, err := sandtrap.New(t.Context(), sandtrap.Policy{Isolation: mode, Std: sandtrap.StdDefault(), Funcs: answerTools(), Echo: sandtrap.EchoLast,
				Limits: sandtrap.Limits{Ticks: 1_000_000, Timeout: 10 * time.Second, Memory: 64 << 20}})
			rig.NoKernel(t, err)
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			var table strings.Builder
			for _, a := range list {
				fmt.Fprintf(&table, "| %s/%s | %s |\n", a.kind, a.name, judge(t, box, a))
			}
			if mode == sandtrap.None {
				documented(t, table.String(), kinds, len(list))
			}
		})
	}
}

// judge runs an answer, and what is sent after its error.
func judge(t *testing.T, box *sandtrap.Sandbox, a *answer) string {
	t.Helper()
	shown := func(text string) (string, error) {
		res, err := box.Run(t.Context(), sandtrap.Script{Text: text})
		out := strings.TrimRight(res.Stdout, "\n")
		for _, e := range res.Echo {
			out = strings.TrimLeft(out+"\n"+e.Text, "\n")
		}
		return strings.TrimSpace(out), err
	}
	want, wrong := strings.TrimSpace(a.want), strings.TrimSpace(a.wrong)
	got, err := shown(a.text)
	if wrong == "" {
		if err != nil || got != want {
			t.Errorf("%s/%s: %q and %v, want %q", a.kind, a.name, got, err, want)
		}
		return "runs as meant |"
	}
	if err == nil || !strings.Contains(err.Error(), wrong) {
		t.Errorf("%s/%s: %q and %v, want an error with %q", a.kind, a.name, got, err, wrong)
		return ""
	}
	if got, err := shown(a.mended); err != nil || got != want {
		t.Errorf("%s/%s, mended: %q and %v, want %q", a.kind, a.name, got, err, want)
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return "corrected in one step | " + strings.NewReplacer("|", "\\|", "`", "'").Replace(text)
}

// documented holds docs/answers.md to what was found.
func documented(t *testing.T, table string, kinds map[string]string, n int) {
	t.Helper()
	var doc strings.Builder
	doc.WriteString("# Answers of models\n\nScripts in testdata/answers, as language models write them when asked to run Go, and the outcome of each: it runs\nas meant, or the error shown here names the fault, the place and the fix, so that the next attempt runs. Generated by\n`go test ./sandtrap/sandtraptest/answers -update`; the test runs each answer with every isolation.\n\n")
	runs := strings.Count(table, "| runs as meant |")
	fmt.Fprintf(&doc, "Of %d answers %d run as meant and %d are corrected in one step.\n\n", n, runs, strings.Count(table, "| corrected in one step |"))
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(&doc, "- %s: %s\n", kind, kinds[kind])
	}
	doc.WriteString("\n| answer | outcome | error |\n|---|---|---|\n" + table)
	text := doc.String()
	if *update {
		if err := os.WriteFile(answersDoc, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(answersDoc); err != nil || string(have) != text {
		t.Errorf("docs/answers.md is not what was found: run this test with -update (%v)", err)
	}
}
