package vm

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// hotCases are the operations that the loop has a case for.
func hotCases(t *testing.T) map[string]int {
	file, err := parser.ParseFile(token.NewFileSet(), "hot.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]int{}
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.CaseClause); ok {
			for _, e := range c.List {
				if id, ok := e.(*ast.Ident); ok {
					cases[id.Name]++
				}
			}
		}
		return true
	})
	return cases
}

// declaredOps are the constants of type Op in the order of their values, but for
// the last one.
func declaredOps(t *testing.T) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "ops.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			if id := s.(*ast.ValueSpec).Names[0]; strings.HasPrefix(id.Name, "op") {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

// The table has a row for every operation, the loop does every one of them that
// slow.go does not do alone, and nothing else is in either.
func TestOps(t *testing.T) {
	names := declaredOps(t)
	rows := 0
	for _, o := range ops {
		if o.name != "" {
			rows++
		}
	}
	if rows != len(names) || rows < 100 {
		t.Errorf("the table has %d rows, there are %d operations", rows, len(names))
	}
	slow := map[string]bool{"opFarLd": true, "opFarSt": true, "opSeq": true, "opSne": true, "opSlt": true, "opSle": true, "opXAny": true, "opYAny": true}
	cases := hotCases(t)
	for i, name := range names {
		o := Op(i)
		if name == "opTick" {
			o = opTick
		}
		if got := "op" + ops[o].name; !strings.EqualFold(got, name) {
			t.Errorf("the row of %s is named %s", name, got)
		}
		if ops[o].does == "" {
			t.Errorf("%s: the table does not say what it does", name)
		}
		if want := 1; !slow[name] && cases[name] != want || slow[name] && cases[name] != 0 {
			t.Errorf("%s has %d cases in the loop", name, cases[name])
		}
	}
}

// What the loop reads is what was written, with signs where the format has them.
func TestWord(t *testing.T) {
	for _, in := range []Ins{
		{opAddI, 1, 2, 0, -5}, {opLdI, 255, 0, 0, -1 << 31}, {opLdI, 0, 0, 0, 1<<31 - 1},
		{opXo, 9, 8, 7, 3<<16 | 12}, {opJltI, 4, 0xfe, 0xff, 77}, {opJgeI, 4, 0x10, 0x27, 1}, {opCall, 0x34, 0x12, 0, 99},
	} {
		var w word
		copy(w[:], in.bytes(nil))
		d, want := int64(w.lo()|w.hi()), int64(in.D)
		switch ops[in.Op].format {
		case imm:
			d -= bias
		case jump, jump16:
			want = (want - 1) * wordSize
		case call:
			want *= wordSize
		}
		if w.op() != in.Op || w.a() != in.A || d != want {
			t.Errorf("%v: op %d, A %d, D %d, want D %d", in, w.op(), w.a(), d, want)
		}
		switch in.Op {
		case opJltI, opJgeI:
			if bc := int64(int16(uint16(in.B) | uint16(in.C)<<8)); w.bc() != bc {
				t.Errorf("%v: BC %d, want %d", in, w.bc(), bc)
			}
		default:
			if w.b() != in.B || w.c() != in.C || w.ab() != int(in.A)|int(in.B)<<8 {
				t.Errorf("%v: B %d, C %d, AB %d", in, w.b(), w.c(), w.ab())
			}
		}
		if in.Op == opXo && (w.lo() != 12 || w.off() != 3) {
			t.Errorf("%v: stride %d, offset %d", in, w.lo(), w.off())
		}
	}
}

// docs/instructions.md has the table for readers.
func TestOpsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../../../docs/instructions.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, o := range ops {
		if o.name != "" {
			fmt.Fprintf(&want, "%-6s  %s\n", o.name, o.does)
		}
	}
	if !strings.Contains(string(doc), "```\n"+want.String()+"```\n") {
		t.Errorf("docs/instructions.md does not have the instruction set, which is\n%s", want.String())
	}
}
