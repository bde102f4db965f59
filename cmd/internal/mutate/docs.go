package mutate

import (
	"fmt"
	"slices"
	"strings"
)

const pageHead = `# Defences

Each row is a defence, the code that does it, and a test that fails when that code is
switched off. The rows are data of the command that tries them:

    go run ./cmd/mutate          a sample, which differs from commit to commit
    go run ./cmd/mutate -all     every row
    go run ./cmd/mutate -run ID  those whose id matches

It puts a changed file in the place of one of the source (` + "`-overlay`" + ` of the go command),
runs the test with and without the change, and wants it to pass and to fail: by an assertion
or, where the row says so, because the process of the test dies. A change that does not compile is an
error, and so is a row whose text is no longer in the source. Tests that this machine cannot
run are counted as skipped, with the reason.

` + "`TestPage`" + ` compares this page with the rows; ` + "`go run ./cmd/mutate -docs`" + ` writes it.
`

// pageText is the page of the rows.
func pageText(all []Mutation) string {
	var b strings.Builder
	b.WriteString(pageHead)
	area := ""
	for _, m := range slices.SortedStableFunc(slices.Values(all), func(a, b Mutation) int { return strings.Compare(a.area(), b.area()) }) {
		if m.area() != area {
			area = m.area()
			fmt.Fprintf(&b, "\n## %s\n\n| id | defence | code | test |\n|---|---|---|---|\n", area)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | `%s` of %s%s |\n", m.ID, m.Defence, m.File,
			m.Test, strings.TrimPrefix(m.Package, "./"), crashNote(m))
	}
	fmt.Fprintf(&b, "\n%d defences.\n", len(all))
	return b.String()
}

func crashNote(m Mutation) string {
	if m.Crash == "" {
		return ""
	}
	return ", whose process dies: " + m.Crash
}
