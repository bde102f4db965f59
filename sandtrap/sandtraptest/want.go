package sandtraptest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Want is one thing expected of a script.
type Want struct {
	Kinds  []string // any of these: the kinds of the result's error, or "ok"
	Line   int      // 0 is anywhere
	Text   string   // part of the message or the name; for exit, the code
	Engine string   // the only engine of which it is expected, "" for all
}

func (w Want) String() string {
	s := strings.Join(w.Kinds, "|")
	if w.Line > 0 {
		s = fmt.Sprintf("line %d: %s", w.Line, s)
	}
	if w.Text != "" {
		s += " " + strconv.Quote(w.Text)
	}
	return s
}

// Limits are what a case is run with.
type Limits struct {
	Ticks          int64
	Timeout        time.Duration
	Memory, Output int64
	Tasks, Depth   int
}

var defaultLimits = Limits{Ticks: 5_000_000, Timeout: time.Second, Memory: 64 << 20, Output: 64 << 10, Tasks: 100, Depth: 2000}

// kinds are the words an expectation may use; a misspelt one must not pass for
// an expectation that never holds or always does.
var kinds = []string{
	"ok", "syntax", "rejected", "type", "denied", "panic", "exit", "timeout", "ticks",
	"memory", "depth", "tasks", "output", "cancelled", "deadlock",
}

// engines are the engines that an expectation may be for.
var engines = []string{"vm", "yaegi"}

// wantComment is // want: KIND|KIND "text" for the whole script, want ENGINE: for
// the whole script on one engine, and reject: for an error in the line it stands in.
var wantComment = regexp.MustCompile(`// (want|reject)(?: (\w+))?: ([a-z|]+)(?: ("(?:[^"\\]|\\.)*"))?[ \t]*$`)

var anyComment = regexp.MustCompile(`// (?:want|reject)(?: \w+)?:`)

// Known says by engine why a case fails today; the engine "" stands for all.
type Known map[string]string

// On is the reason for which the case fails on the engine, or "".
func (k Known) On(engine string) string {
	if why, ok := k[""]; ok {
		return why
	}
	return k[engine]
}

// knownComment is // known ENGINE: REASON, or // known: REASON for all engines.
var knownComment = regexp.MustCompile(`(?m)^// known(?: (\w+))?: (.+)$`)

func parseKnown(text string) Known {
	known := Known{}
	for _, m := range knownComment.FindAllStringSubmatch(text, -1) {
		known[m[1]] = m[2]
	}
	return known
}

func parseWants(text string) ([]Want, error) {
	var wants []Want
	for i, line := range strings.Split(text, "\n") {
		m := wantComment.FindStringSubmatch(line)
		if m == nil {
			if anyComment.MatchString(line) {
				return nil, fmt.Errorf("line %d: cannot read the expectation", i+1)
			}
			continue
		}
		w, err := newWant(m[3], m[4])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if w.Engine = m[2]; w.Engine != "" && !slices.Contains(engines, w.Engine) {
			return nil, fmt.Errorf("line %d: unknown engine %q", i+1, w.Engine)
		}
		if m[1] == "reject" {
			w.Line = i + 1
		}
		wants = append(wants, w)
	}
	return wants, nil
}

func newWant(kindList, quoted string) (Want, error) {
	w := Want{Kinds: strings.Split(kindList, "|")}
	for _, k := range w.Kinds {
		if !slices.Contains(kinds, k) {
			return w, fmt.Errorf("unknown kind %q", k)
		}
	}
	if quoted != "" {
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return w, err
		}
		w.Text = text
	}
	return w, nil
}

var errorLine = regexp.MustCompile(`^(\d+): ([a-z|]+): (".*")$`)

// parseErrors reads a section of lines like 3: type: "undefined: x".
func parseErrors(text string) ([]Want, error) {
	var wants []Want
	for line := range strings.Lines(text) {
		m := errorLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			return nil, fmt.Errorf("cannot read the error %q", line)
		}
		w, err := newWant(m[2], m[3])
		if err != nil {
			return nil, err
		}
		w.Line, _ = strconv.Atoi(m[1])
		wants = append(wants, w)
	}
	return wants, nil
}

// parseLimits reads a line like "limits: ticks=1000 timeout=1s memory=64MiB" of
// an archive's comment.
func parseLimits(comment string) (Limits, error) {
	l := defaultLimits
	for line := range strings.Lines(comment) {
		rest, ok := strings.CutPrefix(line, "limits:")
		if !ok {
			continue
		}
		for _, field := range strings.Fields(rest) {
			key, value, _ := strings.Cut(field, "=")
			if err := l.set(key, value); err != nil {
				return l, fmt.Errorf("limits: %s: %w", field, err)
			}
		}
	}
	return l, nil
}

func (l *Limits) set(key, value string) (err error) {
	var n int64
	if key == "timeout" {
		l.Timeout, err = time.ParseDuration(value)
		return err
	}
	if n, err = parseSize(value); err != nil {
		return err
	}
	switch key {
	case "ticks":
		l.Ticks = n
	case "memory":
		l.Memory = n
	case "output":
		l.Output = n
	case "tasks":
		l.Tasks = int(n)
	case "depth":
		l.Depth = int(n)
	default:
		return fmt.Errorf("no such limit")
	}
	return nil
}

func parseSize(s string) (int64, error) {
	shift := 0
	for suffix, bits := range map[string]int{"KiB": 10, "MiB": 20, "GiB": 30} {
		if rest, ok := strings.CutSuffix(s, suffix); ok {
			s, shift = rest, bits
			break
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n << shift, err
}
