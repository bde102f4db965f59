package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Limits of a program inside the sandbox, and of the process around it. The
// second must be the wider: they turn what the first should have caught into the
// verdicts hang and crash.
const (
	runTimeout  = 10 * time.Second
	mostTimeout = 9 * runTimeout // where other processes have the machine
	runMemory   = 512 << 20
	processKiB  = 4 << 20
)

// patience is how much longer than its program a process may take, and how much longer both may
// take the next time.
const patience = 3

// An ending is how the sandbox says a program ended.
type ending struct {
	Stdout, Stderr string
	Kind           string // "" if it ended well
	Message        string
}

// child runs one program in a sandbox and writes its ending to w.
func child(engine, file, timeout string, w io.Writer) error {
	limit, err := time.ParseDuration(timeout)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{
		Std: sandtrap.StdDefault(), Engine: engine,
		Limits: sandtrap.Limits{Timeout: limit, Memory: runMemory, Output: 16 << 20},
	})
	if err != nil {
		return err
	}
	defer box.Close()
	res, err := box.Run(ctx, sandtrap.Script{Text: string(text), Name: "prog.go"})
	e := ending{Stdout: res.Stdout, Stderr: res.Stderr}
	if res.Error != nil {
		e.Kind, e.Message = string(res.Error.Kind), res.Error.Error()
	} else if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(e)
}

// runProgram runs p in a process of its own, and again with more time if it was held up.
func runProgram(engine string, p program) result {
	r, used := attempt(engine, p, runTimeout)
	for limit := runTimeout; heldUp(r, used) && limit < mostTimeout; {
		limit *= patience
		r, used = attempt(engine, p, limit)
	}
	return r
}

// heldUp says whether a program was out of time that had a processor for much less of it.
func heldUp(r result, used time.Duration) bool {
	return (r.slow() || r.verdict == hang) && used < runTimeout*9/10
}

// attempt also says for how long the process had a processor.
func attempt(engine string, p program, limit time.Duration) (r result, used time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), patience*limit)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return result{program: p, verdict: crash, reason: err.Error()}, 0
	}
	script := fmt.Sprintf(`ulimit -v %d && exec "$0" "$@"`, processKiB)
	cmd := exec.CommandContext(ctx, "sh", "-c", script, self, childFlag, engine, p.file, limit.String())
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if s := cmd.ProcessState; s != nil {
		used = s.UserTime() + s.SystemTime()
	}
	if ctx.Err() != nil {
		return result{program: p, verdict: hang, reason: fmt.Sprintf("still running after %v", patience*limit)}, used
	}
	var e ending
	if err != nil || json.Unmarshal(stdout.Bytes(), &e) != nil {
		return result{program: p, verdict: crash, reason: oneLine(fmt.Sprint(err, ": ", stderr.String()))}, used
	}
	return judge(p, e), used
}

// judge compares an ending with what the program is for.
func judge(p program, e ending) result {
	r := result{program: p, verdict: pass}
	switch e.Kind {
	case "":
		if p.trim {
			p.want = strings.TrimSpace(p.want)
			e.Stdout, e.Stderr = strings.TrimSpace(e.Stdout), strings.TrimSpace(e.Stderr)
		}
		if !sameOutput(e, strings.TrimSuffix(p.want, "\n")) {
			r.verdict, r.reason = wrong, difference(e.Stdout+e.Stderr, p.want)
		}
	case "syntax", "rejected", "type", "denied":
		r.verdict, r.reason = refused, oneLine(e.Kind+": "+e.Message)
	default:
		r.verdict, r.reason = failed, oneLine(e.Kind+": "+e.Message)
	}
	return r
}

// sameOutput says whether want, which has stdout and stderr in one, is the
// lines of both in some order that keeps the order of each: the sandbox keeps them
// apart.
func sameOutput(e ending, want string) bool {
	if whole := strings.TrimSuffix(e.Stdout+e.Stderr, "\n"); whole == want || e.Stdout == "" || e.Stderr == "" {
		return whole == want
	}
	out := strings.Split(strings.TrimSuffix(e.Stdout, "\n"), "\n")
	err := strings.Split(strings.TrimSuffix(e.Stderr, "\n"), "\n")
	lines := strings.Split(want, "\n")
	if len(lines) != len(out)+len(err) {
		return false
	}
	// fits[j] says whether the lines so far are the first i of out and j of err.
	fits := make([]bool, len(err)+1)
	for i := range len(out) + 1 {
		for j := range fits {
			fits[j] = i == 0 && j == 0 ||
				i > 0 && fits[j] && out[i-1] == lines[i+j-1] ||
				j > 0 && fits[j-1] && err[j-1] == lines[i+j-1]
		}
	}
	return fits[len(err)]
}

// difference names the first line in which got is not want.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := 0; ; i++ {
		switch {
		case i == len(g):
			return oneLine(fmt.Sprintf("line %d: nothing, want %q", i+1, w[i]))
		case i == len(w):
			return oneLine(fmt.Sprintf("line %d: %q, want nothing", i+1, g[i]))
		case g[i] != w[i]:
			return oneLine(fmt.Sprintf("line %d: %q, want %q", i+1, g[i], w[i]))
		}
	}
}

// oneLine makes s fit into a cell of a table.
func oneLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(s); len(r) > 150 {
		s = string(r[:150]) + "…"
	}
	return strings.ReplaceAll(s, "|", `\|`)
}
