package sandtraptest

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
	_ "github.com/sandtrap-go/sandtrap/sandtrap/yaegi"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// slack is what a run may take beyond its timeout before it is one that does not end: the compile,
// and a machine that is busy with other things.
const slack = 30 * time.Second

// An Outcome is what became of a case.
type Outcome struct {
	Ended    string   // the kind of the run's error, or "ok"; "" if there was no run
	Refused  bool     // by an engine that cannot run it right; Failures is empty then
	Failures []string // what was expected and did not come, or came and must not
	Took     time.Duration

	late bool // it was out of time, and is not about that
}

// patience is how many times as long a case may take that is not about time, where other
// processes have the machine.
const patience = 10

// Run runs c in a sandbox of its own, with the policy base but the limits of c, and
// compares. It also fails a run that took longer than it may, or left goroutines
// behind. A case that is out of time, and is not about that, is run once more with more of it.
// No other case may run in the process at the same time.
func Run(ctx context.Context, base sandtrap.Policy, c Case) Outcome {
	base.Echo = sandtrap.EchoAll
	if c.Files {
		base.Files = &sandtrap.Files{Cwd: "/work", Open: func() (afero.Fs, error) { return vfs.Mem(), nil }}
	}
	before := runtime.NumGoroutine()
	out := attempt(ctx, base, c)
	if out.late {
		c.Limits.Timeout *= patience
		out = attempt(ctx, base, c)
	}
	if base.Isolation != "" && base.Isolation != sandtrap.None {
		return out // what starts workers comes with the first, and rests when it likes
	}
	if n := rig.Settled(before); n > before {
		out.Failures = append(out.Failures, fmt.Sprintf("%d goroutines are left", n-before))
	}
	return out
}

func attempt(ctx context.Context, base sandtrap.Policy, c Case) Outcome {
	base.Limits = sandtrap.Limits{
		Ticks: c.Limits.Ticks, Timeout: c.Limits.Timeout, Memory: c.Limits.Memory,
		Output: c.Limits.Output, Tasks: c.Limits.Tasks, Depth: c.Limits.Depth,
	}
	box, err := sandtrap.New(ctx, base)
	if err != nil {
		return Outcome{Failures: []string{err.Error()}}
	}
	defer box.Close()
	start := time.Now()
	res, err := box.Run(ctx, sandtrap.Script{Text: c.Script, Stdin: strings.NewReader(c.Sections["stdin"])})
	out := Outcome{Took: time.Since(start), Ended: "ok"}
	if res.Error != nil {
		out.Ended = string(res.Error.Kind)
	}
	if err != nil && res.Error == nil {
		out.Failures = append(out.Failures, err.Error())
	}
	if out.Refused = rig.EngineRefused(res); !out.Refused {
		out.Failures = append(out.Failures, c.Compare(res)...)
		out.late = len(out.Failures) > 0 && res.Error != nil && res.Error.Kind == sandtrap.KindTimeout
	}
	if limit := c.Limits.Timeout + slack; out.Took > limit {
		out.Failures = append(out.Failures, fmt.Sprintf("took %v, more than %v", out.Took, limit))
	}
	return out
}

// Compare says in what res is not what c expects.
func (c Case) Compare(res *sandtrap.Result) []string {
	var failures []string
	for _, w := range c.Wants {
		if w.Engine != "" && w.Engine != res.Engine {
			continue
		}
		if !w.met(res) {
			failures = append(failures, fmt.Sprintf("want %v, got %s", w, describe(res)))
		}
	}
	for _, s := range []struct{ name, got string }{
		{"stdout", res.Stdout}, {"echo", echoText(res)}, {"vars", varsText(res)},
	} {
		if want, ok := c.Sections[s.name]; ok && s.got != want && s.got != strings.TrimSuffix(want, "\n") {
			failures = append(failures, fmt.Sprintf("%s is\n%s\nwant\n%s", s.name, s.got, want))
		}
	}
	return failures
}

func (w Want) met(res *sandtrap.Result) bool {
	if res.Error == nil {
		return slices.Contains(w.Kinds, "ok")
	}
	return slices.ContainsFunc(res.Error.All(), w.metBy)
}

func (w Want) metBy(e *sandtrap.Error) bool {
	if !slices.Contains(w.Kinds, string(e.Kind)) || w.Line != 0 && w.Line != e.Pos.Line {
		return false
	}
	if e.Kind == sandtrap.KindExit {
		return w.Text == "" || w.Text == strconv.Itoa(e.Code)
	}
	return strings.Contains(e.Message, w.Text) || strings.Contains(e.Name, w.Text)
}

// describe is the error of res, cut to a readable length.
func describe(res *sandtrap.Result) string {
	if res.Error == nil {
		return "ok"
	}
	var b strings.Builder
	for i, e := range res.Error.All() {
		if i == 4 {
			b.WriteString(" …")
			break
		}
		fmt.Fprintf(&b, "[%s %v: %.200s %d]", e.Kind, e.Pos, e.Message, e.Code)
	}
	return b.String()
}

func echoText(res *sandtrap.Result) string {
	var b strings.Builder
	for _, e := range res.Echo {
		fmt.Fprintf(&b, "%s %s\n", e.Text, e.Type)
	}
	return b.String()
}

func varsText(res *sandtrap.Result) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(res.Vars)) {
		fmt.Fprintf(&b, "%s %T = %v\n", name, res.Vars[name], res.Vars[name])
	}
	return b.String()
}
