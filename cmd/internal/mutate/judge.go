package mutate

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"strings"
)

// An ending is what became of a call of go test -json.
type ending struct {
	passed, failed, skipped []string // names of tests
	build                   string   // what the compiler said, if it refused
	died                    bool     // the process of the tests did not end by itself
	output                  string   // of the tests
}

// event is a line that go test -json prints.
type event struct {
	Action, Test, Output string
}

// readEnding reads the lines of go test -json. Lines of another form are output.
func readEnding(r io.Reader) ending {
	var e ending
	var output, build strings.Builder
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var ev event
		if json.Unmarshal(lines.Bytes(), &ev) != nil {
			ev = event{Action: "output", Output: lines.Text() + "\n"}
		}
		switch {
		case ev.Action == "build-output":
			build.WriteString(ev.Output)
		case ev.Action == "build-fail":
			e.build = build.String()
		case ev.Action == "output":
			output.WriteString(ev.Output)
			e.died = e.died || saysDeath(ev.Output)
		case ev.Test == "":
		case ev.Action == "pass":
			e.passed = append(e.passed, ev.Test)
		case ev.Action == "fail":
			e.failed = append(e.failed, ev.Test)
		case ev.Action == "skip":
			e.skipped = append(e.skipped, ev.Test)
		}
	}
	e.output = output.String()
	return e
}

// saysDeath tells a line that the Go runtime prints when a process ends by a fault or, in a test,
// by the time that go test grants. What tests log themselves is indented.
func saysDeath(line string) bool {
	for _, start := range []string{"panic: ", "fatal error: ", "runtime: goroutine stack exceeds", "signal: ", "exit status "} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

// A verdict says whether a test misses a defence.
type verdict string

const (
	killed   verdict = "killed"   // a test failed: the defence is tested
	survived verdict = "survived" // none failed: a finding
	skipped  verdict = "skipped"  // this machine cannot run the test
	broken   verdict = "broken"   // the row itself is wrong
)

// judgeWhole looks at the test with the defence in place.
func (m Mutation) judgeWhole(e ending) (verdict, string) {
	switch {
	case e.build != "":
		return broken, "does not build with the defence:\n" + e.build
	case e.died || len(e.failed) > 0:
		return broken, "fails with the defence in place:\n" + e.output
	case m.has(e.passed):
		return "", ""
	case m.has(e.skipped):
		return skipped, reason(e.output)
	}
	return broken, "there is no such test"
}

// has reports a test of the list that is as deep as what m names: its parents alone prove nothing.
func (m Mutation) has(tests []string) bool {
	return slices.ContainsFunc(tests, func(name string) bool {
		return strings.Count(name, "/") >= strings.Count(m.Test, "/")
	})
}

// judge looks at the test without the defence.
func (m Mutation) judge(e ending) (verdict, string) {
	switch {
	case e.build != "":
		return broken, "does not build without the defence:\n" + e.build
	case m.Crash != "" && strings.Contains(e.output, m.Crash):
		return killed, "the process dies: " + m.Crash
	case e.died:
		return broken, "the process dies without the defence, and no row says so:\n" + e.output
	case len(e.failed) > 0:
		return killed, strings.Join(e.failed, " ")
	}
	return survived, e.output
}

// reason is the line with which a test says why it is skipped.
func reason(output string) string {
	for line := range strings.Lines(output) {
		if strings.Contains(line, "_test.go:") {
			return strings.TrimSpace(line)
		}
	}
	return "no reason given"
}
