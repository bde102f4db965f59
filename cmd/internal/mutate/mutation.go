// Package mutate holds the defences of the sandbox as data: for each the text in the source that
// does it, a text that does not, and the test that has to fail with the second. Each row is
// written by hand: operators that change any code at random would say how thorough tests are,
// and not which promise has none.
//
// It may not judge a defence by anything but a test that fails.
package mutate

import (
	"fmt"
	"path"
	"strings"
)

// A Mutation is one defence and the change that switches it off.
type Mutation struct {
	ID      string // area/name, unique
	Defence string // what the code does, in words

	File     string // of the tree, with slashes
	Old, New string // Old is in the file once; New takes its place

	Package string // of the test, from the root of the tree: ./rewrite
	Test    string // for go test -run, of names whole: TestBounds, or TestBounds/tokens

	// Crash is a text of what the test's process prints when it dies, where that is what the
	// defence prevents. Without it a process that dies is no verdict.
	Crash string
}

// Table is every defence, in the order of the page.
func Table() []Mutation {
	var all []Mutation
	for _, rows := range [][]Mutation{
		rewriteRows(),
		gatesRows(),
		vmRows(),
		builtinsRows(),
		filesRows(),
		isolationRows(),
		frontRows(),
		journalRows(),
		recordRows(),
		tightenRows(),
		dryrunRows(),
		brokerRows(),
		askRows(),
		rulesRows(),
		policyfileRows(),
		guardRows(),
		egressRows(),
		proxyRows(),
		nethttpRows(),
		netipRows(),
		handlerRows(),
		netguardRows(),
		serviceRows(),
		tenantRows(),
		memberRows(),
		loadRows(),
		clusterRows(),
		batchRows(),
		ledgerRows(),
		heldRows(),
		reachRows(),
		cellRows(),
		mcpRows(),
		pageRows(),
	} {
		all = append(all, rows...)
	}
	return all
}

// area is the part of the page that m stands in.
func (m Mutation) area() string { return path.Dir(m.ID) }

// apply returns the source without the defence.
func (m Mutation) apply(source string) (string, error) {
	switch n := strings.Count(source, m.Old); {
	case m.Old == "" || m.Old == m.New:
		return "", fmt.Errorf("%s: changes nothing", m.ID)
	case n != 1:
		return "", fmt.Errorf("%s: %s has the text %d times, want once:\n%s", m.ID, m.File, n, m.Old)
	}
	return strings.Replace(source, m.Old, m.New, 1), nil
}

// pattern is the argument of -run: each part of the name whole.
func (m Mutation) pattern() string {
	parts := strings.Split(m.Test, "/")
	for i, p := range parts {
		parts[i] = "^(" + p + ")$"
	}
	return strings.Join(parts, "/")
}
