package cli

import (
	"fmt"
	"strings"
	"testing"
)

// TestTable: lists of structs and of maps are tables, other values are none.
func TestTable(t *testing.T) {
	for _, tc := range []struct {
		echo  string
		width int
		want  string
	}{
		{`[]main.P{main.P{Name:"a", N:1}, main.P{Name:"bb", N:22}}`, 80, "  Name   N\n  a      1\n  bb    22"},
		{`[2]main.P{main.P{A:1}, main.P{A:2}}`, 80, "  A\n  1\n  2"},
		{`[]*main.P{&main.P{A:"x, y: {"}}`, 80, "  A\n  x, y: {"},
		{`[]struct { A int }{struct { A int }{A:1}}`, 80, "  A\n  1"},
		{`[]map[string]int{map[string]int{"a b":1, "c":2}}`, 80, "  a b  c\n    1  2"},
		{`[]main.Q{main.Q{P:main.P{A:0, B:""}, T:0001-01-01 00:00:00 +0000 UTC, F:[]int{1, 2}}}`, 80,
			"  P                  T                              F\n  main.P{A:0, B:\"\"}  0001-01-01 00:00:00 +0000 UTC  []int{1, 2}"},
		{`[]main.P{main.P{A:"", B:" x", C:"\x1b[31m", D:"a\tb", E:"\u202e"}}`, 80, "  A   B     C           D       E\n  \"\"  \" x\"  \"\\x1b[31m\"  \"a\\tb\"  \"\\u202e\""},
		{"[]main.P{main.P{A:raw \a and\ttab}, main.P{A:raw \x1b}}", 80, "  A\n  \"raw \\a and\\ttab\"\n  raw \\x1b"},
		{`[]main.P{main.P{A:"日本", B:1}, main.P{A:"x", B:2}}`, 80, "  A     B\n  日本  1\n  x     2"},
		{`[]main.P{main.P{Long:"` + strings.Repeat("x", 90) + `", N:1}}`, 20, "  Long            N\n  xxxxxxxxxxxxx…  1"},
		{`[]main.P{main.P{A:1}, main.P{A:2}, main.P{A: ...`, 80, "  A\n  1\n  2"},
		{`[]main.P{main.P{A:1}, main.P{A:"t ...`, 80, "  A\n  1"},

		{`[]main.P{}`, 80, ""},
		{`[]main.P(nil)`, 80, ""},
		{`[]int{1, 2}`, 80, ""},
		{`[][]int{[]int{1}}`, 80, ""},
		{`[]map[int]int{map[int]int{1:2}}`, 80, ""},
		{`[]map[string]int{map[string]int{"a":1}, map[string]int{"b":1}}`, 80, ""},
		{`[]interface {}{main.P{A:1}, main.Q{A:1}}`, 80, ""},
		{`[]*main.P{nil}`, 80, ""},
		{`main.P{A:1}`, 80, ""},
		{`map[string]main.P{"a":main.P{A:1}}`, 80, ""},
		{`"[]main.P{main.P{A:1}}"`, 80, ""},
		{`[`, 80, ""}, {`}`, 80, ""}, {`[]}`, 80, ""}, {``, 80, ""}, {` ...`, 80, ""}, {`[]main.P{ ...`, 80, ""},
	} {
		got := ""
		if g, ok := gridOf(tc.echo); ok {
			got = strings.Join(g.lines(tc.width), "\n")
		}
		if got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.echo, got, tc.want)
		}
	}
}

// TestTableBounds: rows are counted and cut, lines are as wide as the terminal at most.
func TestTableBounds(t *testing.T) {
	element := "main.P{" + strings.TrimSuffix(strings.Repeat("A:\"some text\", ", 40), ", ") + "}"
	g, ok := gridOf("[]main.P{" + strings.TrimSuffix(strings.Repeat(element+", ", 60), ", ") + "}")
	if lines := g.lines(30); !ok || len(lines) != maxRows+1 || len([]rune(lines[1])) > 30 {
		t.Errorf("%d lines of %d", len(lines), len([]rune(lines[1])))
	}
	if want := fmt.Sprintf(", the first %d of 60 rows", maxRows); g.note() != want {
		t.Errorf("%q, want %q", g.note(), want)
	}
}
