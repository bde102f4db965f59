package rewrite

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/rewritetest"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// TestCostsAcrossCells: types that double from cell to cell are refused as they are in
// one program, before go/types comes to look at all their parts.
func TestCostsAcrossCells(t *testing.T) {
	for _, tc := range []struct{ name, first, next string }{
		{"fields", "type T0 struct{}", "type T%d struct{ a, b T%d }"},
		{"embedded", "type T0 struct{}", "type T%d struct{ T%[2]d; X *T%[2]d; Y T%[2]d }"},
		{"generic", "type T0[P any] struct{}", "type T%d[P any] struct{ a, b T%d[P] }"},
	} {
		s := NewSession(newTestUniverse(), parse.Bounds{})
		cell := tc.first
		for i := 1; i < 60; i++ {
			p, err := s.Compile(parse.Source{Text: cell}, nil)
			if err != nil {
				if !strings.Contains(err.Error(), "too large") {
					t.Errorf("%s: cell %d: %v", tc.name, i, err)
				}
				cell = ""
				break
			}
			s.Declare(p)
			cell = fmt.Sprintf(tc.next, i, i-1)
		}
		if cell != "" {
			t.Errorf("%s: nothing was refused", tc.name)
		}
	}
}

// TestRenamedInTime: how long a cell takes that declares names again below uses of them does not grow with the square of
// the uses, the names, or the function literals above.
func TestRenamedInTime(t *testing.T) {
	const n = 5000
	for _, tc := range []struct{ name, first, next string }{
		{"uses", "var v int", strings.Repeat("_ = v\n", n) + "var v int\n_ = v"},
		{"names", lines(n, "v{i} := 0\n"), lines(n, "_ = v{i}\nv{i} := \"\"\n")},
		{"literals", "var v int", "_ = []any{" + strings.Repeat("func() {}, ", n) + strings.Repeat("v, ", 4*n) + "}\nvar v int\n_ = v"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := NewSession(newTestUniverse(), parse.Bounds{Bytes: 1 << 20})
			p, err := s.Compile(parse.Source{Text: tc.first}, nil)
			if err != nil {
				t.Fatal(err)
			}
			s.Declare(p)
			rewritetest.InTime(t, 4*time.Second, func() {
				if _, err := s.Compile(parse.Source{Text: tc.next}, nil); err != nil {
					t.Errorf("%.300v", err)
				}
			})
		})
	}
}

// TestDeclaredInTime: how long a cell takes that declares many variables does not grow with the square of their number.
func TestDeclaredInTime(t *testing.T) {
	const n = 5000
	names := strings.TrimSuffix(lines(n, "a{i},"), ",")
	sums := strings.TrimSuffix(strings.Repeat("1+1+1,", n), ",")
	for _, tc := range []struct{ name, cell string }{
		{"values of one declaration", names + " := " + sums},
		{"values of a type", "var " + names + " int = " + sums},
		{"constants", "const " + names + " = " + sums},
		{"results of one call", names + " := f(" + sums + ")"},
		{"declarations", lines(4*n, "b{i}, c{i} := 1, 1\n")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := NewSession(newTestUniverse(), parse.Bounds{Bytes: 1 << 20})
			rewritetest.InTime(t, 4*time.Second, func() {
				_, err := s.Compile(parse.Source{Text: tc.cell}, nil)
				t.Logf("%.100v", err)
			})
		})
	}
}

// TestSpelledTypes: variables without written types get these from the rewriter. Together they are bounded.
func TestSpelledTypes(t *testing.T) {
	const n = 2_000
	src := "var x func(" + strings.Repeat("int,", n) + ")\n"
	for i := range n {
		src += fmt.Sprintf("a%d := x\n", i)
	}
	_, err := NewSession(newTestUniverse(), parse.Bounds{}).Compile(parse.Source{Text: src}, nil)
	if rs, _ := errors.AsType[diag.Rejections](err); len(rs) != 1 || rs[0].Code != diag.TooComplex || rs[0].Pos.Line < 50 {
		t.Errorf("got %v", err)
	}
	src = strings.Replace(src, "var x func", "var x long\ntype long func", 1)
	if _, err := NewSession(newTestUniverse(), parse.Bounds{}).Compile(parse.Source{Text: src}, nil); err != nil {
		t.Errorf("with a declared type: %v", err)
	}
}
