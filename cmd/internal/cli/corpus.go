package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest"
	"github.com/sandtrap-go/sandtrap/testdata"
)

const corpusHelp = `sandtrap corpus [flags] [CLASS...]

Runs scripts that try to escape, or to exceed their limits, each in a sandbox of its
own, and prints how each ended in each isolation:

  rejected          it did not pass the checks; nothing ran
  denied            it asked for something that the policy does not allow
  stopped: REASON   a limit ended it, or a deadlock
  panic, exit       it ended itself, as it would in compiled Go
  contained         it ran to its end without effect
  FAILED            it did not end as its case says; the expected end is below

CLASS selects the attacks of a class; an attack is named CLASS/NAME.

  --isolation MODE  none, process or kernel alone (default: all three)
  --json            one JSON object on standard output, and nothing else

Exit codes: 0 each ended as its case says; 1 one did not; 4 an isolation is not
available here; 64 wrong use. The scripts are in testdata/escape of the source.
`

// An attack is a script of the corpus and how it ended by isolation.
type attack struct {
	Class string           `json:"class"`
	Name  string           `json:"name"`
	About string           `json:"about"` // its class
	Wants []string         `json:"wants"` // that all have to hold
	Ends  map[string]*ends `json:"ends"`
}

// ends is how an attack ended.
type ends struct {
	Verdict  string   `json:"verdict"` // as the table has it
	Kind     string   `json:"kind"`    // of the run's error; ok if there was none
	Expected bool     `json:"expected"`
	Failures []string `json:"failures,omitempty"`
}

// corpus runs the corpus of escapes.
func (c *call) corpus(args []string) int {
	fs := newFlags("corpus")
	mode, asJSON := fs.String("isolation", "", ""), fs.Bool("json", false, "")
	if err := fs.Parse(args); err != nil {
		return c.usage(c.explainFlag(err, fs, "corpus"))
	}
	modes := []sandtrap.Isolation{sandtrap.None, sandtrap.Process, sandtrap.Kernel}
	if *mode != "" {
		if !slices.Contains(modes, sandtrap.Isolation(*mode)) {
			return c.usage(fmt.Errorf("no isolation %q; there are none, process and kernel", *mode))
		}
		modes = []sandtrap.Isolation{sandtrap.Isolation(*mode)}
	}
	cases, err := sandtraptest.LoadFS(testdata.Escape, "escape/*.txtar")
	if err == nil {
		cases, err = ofClasses(cases, fs.Args())
	}
	if err != nil {
		return c.usage(err)
	}
	return c.runCorpus(cases, modes, *asJSON)
}

// ofClasses is the cases of the classes, or all if there are none.
func ofClasses(cases []sandtraptest.Case, classes []string) ([]sandtraptest.Case, error) {
	if len(classes) == 0 {
		return cases, nil
	}
	known, chosen := []string{}, []sandtraptest.Case{}
	for _, one := range cases {
		class, _, _ := strings.Cut(one.Name, "/")
		known = append(known, class)
		if slices.Contains(classes, class) {
			chosen = append(chosen, one)
		}
	}
	known = slices.Compact(known)
	for _, class := range classes {
		if strings.HasPrefix(class, "-") {
			return nil, fmt.Errorf("flag %s follows a class: flags come first", class)
		}
		if !slices.Contains(known, class) {
			return nil, fmt.Errorf("no class %q; there are %s", class, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}

// runCorpus runs the cases in each mode that this machine has, one at a time.
func (c *call) runCorpus(cases []sandtraptest.Case, modes []sandtrap.Isolation, asJSON bool) int {
	ctx, code := context.Background(), exitOK
	have := []sandtrap.Isolation{}
	for _, mode := range modes {
		if err := available(ctx, mode); err != nil {
			fmt.Fprintf(c.stderr, "sandtrap: isolation %s: %v\n", mode, err)
			code = exitIsolation
			continue
		}
		have = append(have, mode)
	}
	t := table{call: c, json: asJSON, modes: have}
	t.head()
	for _, one := range cases {
		t.begin(one)
		for _, mode := range have {
			t.cell(mode, one, sandtraptest.Run(ctx, sandtrap.Policy{Std: sandtrap.StdDefault(), Isolation: mode}, one))
		}
		t.end()
	}
	if t.failed > 0 {
		code = exitPanic
	}
	return t.summary(code)
}

// available says why there is no such isolation here.
func available(ctx context.Context, mode sandtrap.Isolation) error {
	box, err := sandtrap.New(ctx, sandtrap.Policy{Isolation: mode})
	if err != nil {
		return err
	}
	return box.Close()
}

// A table is what is printed of the corpus.
type table struct {
	*call
	json    bool
	modes   []sandtrap.Isolation
	attacks []*attack
	failed  int // cells
}

const (
	attackWidth = 40
	cellWidth   = 20
)

func (t *table) head() {
	if t.json {
		return
	}
	fmt.Fprintf(t.stdout, "%-*s", attackWidth, "attack")
	for _, mode := range t.modes {
		fmt.Fprintf(t.stdout, " %-*s", cellWidth, mode)
	}
	fmt.Fprintln(t.stdout)
}

// begin names an attack before it runs: should it end this process, it is known which did.
func (t *table) begin(one sandtraptest.Case) {
	class, name, _ := strings.Cut(one.Name, "/")
	a := &attack{Class: class, Name: name, About: one.About, Wants: []string{}, Ends: map[string]*ends{}}
	for _, w := range one.Wants {
		a.Wants = append(a.Wants, w.String())
	}
	t.attacks = append(t.attacks, a)
	if !t.json {
		fmt.Fprintf(t.stdout, "%-*s", attackWidth, one.Name)
	}
}

func (t *table) cell(mode sandtrap.Isolation, one sandtraptest.Case, out sandtraptest.Outcome) {
	e := &ends{Verdict: verdict(out), Kind: out.Ended, Expected: len(out.Failures) == 0, Failures: out.Failures}
	if !e.Expected {
		t.failed++
	}
	t.attacks[len(t.attacks)-1].Ends[string(mode)] = e
	if !t.json {
		fmt.Fprintf(t.stdout, " %-*s", cellWidth, e.Verdict)
	}
}

// end ends the line of an attack, and says what was not as expected.
func (t *table) end() {
	if t.json {
		return
	}
	fmt.Fprintln(t.stdout)
	a := t.attacks[len(t.attacks)-1]
	for _, mode := range t.modes {
		for _, failure := range a.Ends[string(mode)].Failures {
			fmt.Fprintf(t.stdout, "    %s: %s\n", mode, printable(failure))
		}
	}
}

// verdict is the word for how an attack ended.
func verdict(out sandtraptest.Outcome) string {
	switch kind := sandtrap.Kind(out.Ended); {
	case len(out.Failures) > 0:
		return "FAILED"
	case out.Ended == "ok":
		return "contained"
	case kind == sandtrap.KindDenied, kind == sandtrap.KindPanic, kind == sandtrap.KindExit:
		return out.Ended
	case aboutText(kind):
		return "rejected"
	default:
		return "stopped: " + out.Ended
	}
}

// summary ends the table.
func (t *table) summary(code int) int {
	if !t.json {
		fmt.Fprintf(t.stdout, "attacks: %d, runs: %d, runs that did not end as they should: %d\n", len(t.attacks), len(t.attacks)*len(t.modes), t.failed)
		return code
	}
	enc := json.NewEncoder(t.stdout)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		Version string               `json:"version"`
		Modes   []sandtrap.Isolation `json:"modes"`
		Attacks []*attack            `json:"attacks"`
		Failed  int                  `json:"failed"`
	}{moduleVersion(), t.modes, t.attacks, t.failed})
	if err != nil {
		fmt.Fprintf(t.stderr, "sandtrap: %v\n", err)
		return exitInternal
	}
	return code
}
