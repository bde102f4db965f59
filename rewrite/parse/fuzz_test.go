package parse

import (
	"errors"
	"go/ast"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/rewritetest"
)

// FuzzParse wants no panic, no hang, positions inside of the text, and in what is
// accepted every name where it stands in the text and no deeper tree than the
// bounds promise.
func FuzzParse(f *testing.F) {
	for _, tc := range parseCases {
		f.Add(tc.src)
	}
	for _, tc := range fenceCases {
		f.Add(tc.src)
	}
	for _, tc := range mistakeCases {
		f.Add(tc.src)
	}
	for i, src := range rewritetest.Corpus(f, "../..") {
		if !testing.Short() || i%16 == 0 {
			f.Add(src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		start := time.Now()
		p, err := Parse(Source{Text: src}, Bounds{})
		if took := time.Since(start); took > time.Minute { // a second, on a machine with nothing else to do
			t.Errorf("took %v", took)
		}
		if err != nil {
			checkRejections(t, err, src)
			return
		}
		checkPositions(t, p, src)
		if d := depthOf(p.File); d > 6*treeFactor*200 {
			t.Errorf("accepted a tree %d deep", d)
		}
	})
}

func checkRejections(t *testing.T, err error, src string) {
	t.Helper()
	var rs diag.Rejections
	if !errors.As(err, &rs) || len(rs) == 0 || len(rs) > 2*maxReported {
		t.Fatalf("error %T of %d, want a few rejections", err, len(rs))
	}
	lines := strings.Split(src, "\n")
	for i, r := range rs {
		if r.Pos.Line < 1 || r.Pos.Line > len(lines) || r.Pos.Column < 1 || r.Pos.Column > len(lines[r.Pos.Line-1])+1 {
			t.Errorf("%v: position outside of the text", r)
		}
		if i > 0 && r.Pos.Line < rs[i-1].Pos.Line {
			t.Errorf("%v: after %v", r, rs[i-1])
		}
		if r.Message == "" || strings.Contains(r.Error(), "\n") || r.Code.String() == "" {
			t.Errorf("%q: a message is one line", r.Error())
		}
	}
}

func depthOf(n ast.Node) int {
	depth, deepest := 0, 0
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			depth--
			return true
		}
		depth++
		deepest = max(deepest, depth)
		return true
	})
	return deepest
}
