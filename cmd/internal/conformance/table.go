package conformance

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A verdict is what became of a program.
type verdict string

const (
	pass    verdict = "pass"
	refused verdict = "refused" // before it ran, with a reason
	wrong   verdict = "wrong"   // ended well, with other output
	failed  verdict = "error"   // panicked, or was stopped
	hang    verdict = "hang"    // had to be killed
	crash   verdict = "crash"   // took the process down
)

var verdicts = []verdict{pass, refused, wrong, failed, hang, crash}

type result struct {
	program program
	verdict verdict
	reason  string
}

// slow says whether the program was out of time.
func (r result) slow() bool { return r.verdict == failed && strings.HasPrefix(r.reason, "timeout") }

// groups are the parts of a set that are counted apart.
var groups = []struct {
	name string
	in   func(program) bool
}{
	{"all", func(program) bool { return true }},
	{"without os", func(p program) bool { return !slices.Contains(p.imports, "os") }},
	{"typeparam", func(p program) bool { return strings.HasPrefix(p.name, "typeparam/") }},
	{"range", func(p program) bool { return strings.HasPrefix(p.name, "range") }},
	{"chan", func(p program) bool { return strings.HasPrefix(p.name, "chan/") }},
	{"ken", func(p program) bool { return strings.HasPrefix(p.name, "ken/") }},
	{"fixedbugs", func(p program) bool { return strings.HasPrefix(p.name, "fixedbugs/") }},
	{"interface", func(p program) bool { return strings.HasPrefix(p.name, "interface/") }},
}

// section writes the part of the page about one engine and set.
func section(engine string, s set, goVersion string, results []result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n## Engine %s, programs of %s\n\n%s\n\nJudged with %s.\n\n", marker(engine, s.name), engine, s.name, s.rule, goVersion)
	b.WriteString("| group | programs |")
	for _, v := range verdicts {
		fmt.Fprintf(&b, " %s |", v)
	}
	b.WriteString("\n|---" + strings.Repeat("|---", 1+len(verdicts)) + "|\n")
	for _, g := range groups {
		if n := count(results, g.in); n.total > 0 {
			fmt.Fprintf(&b, "| %s | %d |", g.name, n.total)
			for _, v := range verdicts {
				fmt.Fprintf(&b, " %d |", n.by[v])
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("\n| not passed | verdict | reason |\n|---|---|---|\n")
	for _, r := range results {
		if r.verdict != pass {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", r.program.name, r.verdict, r.reason)
		}
	}
	return b.String()
}

type counts struct {
	total int
	by    map[verdict]int
	slow  int // of the errors, those that were out of time
}

func count(results []result, in func(program) bool) counts {
	n := counts{by: map[verdict]int{}}
	for _, r := range results {
		if in(r.program) {
			n.total++
			n.by[r.verdict]++
			if r.slow() {
				n.slow++
			}
		}
	}
	return n
}

const title = "# Conformance\n\nTest programs of other projects, run in the sandbox. Made by `go run ./cmd/conformance`.\n\n" +
	"*refused*: before the run, with a reason; *wrong*: it ended without an error, with other output; *error*: it panicked, or was stopped by a limit; *hang*: it had to be killed; *crash*: its process died.\n"

func marker(engine, setName string) string {
	return fmt.Sprintf("<!-- %s %s -->", engine, setName)
}

var anyMarker = regexp.MustCompile(`(?m)^<!-- (\w+) (\w+) -->$`)

// replaceSection puts text in place of the section of page with the same marker,
// or at its end.
func replaceSection(page, mark, text string) string {
	if page == "" {
		page = title
	}
	start := strings.Index(page, mark)
	if start < 0 {
		return strings.TrimRight(page, "\n") + "\n\n" + text
	}
	end := len(page)
	if next := anyMarker.FindStringIndex(page[start+len(mark):]); next != nil {
		end = start + len(mark) + next[0]
		text += "\n"
	}
	return page[:start] + text + page[end:]
}

var allRow = regexp.MustCompile(`(?m)^\| all \|([ \d|]+)\|$`)

// committed reads the counts of the section with the marker.
func committed(page, mark string) (counts, error) {
	n := counts{by: map[verdict]int{}}
	start := strings.Index(page, mark)
	if start < 0 {
		return n, fmt.Errorf("the page has no section %s", mark)
	}
	m := allRow.FindStringSubmatch(page[start:])
	if m == nil {
		return n, fmt.Errorf("no row for all programs below %s", mark)
	}
	cells := strings.Split(m[1], "|")
	if len(cells) != 1+len(verdicts) {
		return n, fmt.Errorf("the row %q has %d cells", m[0], len(cells))
	}
	for i, cell := range cells {
		v, err := strconv.Atoi(strings.TrimSpace(cell))
		if err != nil {
			return n, err
		}
		if i == 0 {
			n.total = v
		} else {
			n.by[verdicts[i-1]] = v
		}
	}
	return n, nil
}

// regression says in what now is worse than before; "" if in nothing. A program
// that was out of time is not held against now: whether it is depends on the
// machine.
func regression(before, now counts) string {
	var worse []string
	for _, v := range verdicts {
		b, n := before.by[v], now.by[v]
		if v == pass && n+now.slow < b || (v == wrong || v == hang || v == crash) && n > b {
			worse = append(worse, fmt.Sprintf("%s: %d, was %d", v, n, b))
		}
	}
	return strings.Join(worse, "; ")
}
