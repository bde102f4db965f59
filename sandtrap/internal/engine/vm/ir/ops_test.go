package ir

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
	file, err := parser.ParseFile(token.NewFileSet(), "../exec/hot.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]int{}
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.CaseClause); ok {
			for _, e := range c.List {
				if op, ok := e.(*ast.SelectorExpr); ok {
					cases[op.Sel.Name]++
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
			if id := s.(*ast.ValueSpec).Names[0]; strings.HasPrefix(id.Name, "Op") {
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
	for _, o := range Ops {
		if o.name != "" {
			rows++
		}
	}
	if rows != len(names) || rows < 100 {
		t.Errorf("the table has %d rows, there are %d operations", rows, len(names))
	}
	slow := map[string]bool{"OpFarLd": true, "OpFarSt": true, "OpSeq": true, "OpSne": true, "OpSlt": true, "OpSle": true, "OpXAny": true, "OpYAny": true}
	cases := hotCases(t)
	for i, name := range names {
		o := Op(i)
		if name == "OpTick" {
			o = OpTick
		}
		if got := "Op" + Ops[o].name; !strings.EqualFold(got, name) {
			t.Errorf("the row of %s is named %s", name, got)
		}
		if Ops[o].does == "" {
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
		{OpAddI, 1, 2, 0, -5}, {OpLdI, 255, 0, 0, -1 << 31}, {OpLdI, 0, 0, 0, 1<<31 - 1},
		{OpXo, 9, 8, 7, 3<<16 | 12}, {OpJltI, 4, 0xfe, 0xff, 77}, {OpJgeI, 4, 0x10, 0x27, 1}, {OpCall, 0x34, 0x12, 0, 99},
	} {
		var w Word
		copy(w[:], in.Bytes(nil))
		d, want := int64(w.Lo()|w.Hi()), int64(in.D)
		switch Ops[in.Op].Format {
		case imm:
			d -= Bias
		case jump, jump16:
			want = (want - 1) * WordSize
		case call:
			want *= WordSize
		}
		if w.Op() != in.Op || w.A() != in.A || d != want {
			t.Errorf("%v: op %d, A %d, D %d, want D %d", in, w.Op(), w.A(), d, want)
		}
		switch in.Op {
		case OpJltI, OpJgeI:
			if bc := int64(int16(uint16(in.B) | uint16(in.C)<<8)); w.Bc() != bc {
				t.Errorf("%v: BC %d, want %d", in, w.Bc(), bc)
			}
		default:
			if w.B() != in.B || w.C() != in.C || w.Ab() != int(in.A)|int(in.B)<<8 {
				t.Errorf("%v: B %d, C %d, AB %d", in, w.B(), w.C(), w.Ab())
			}
		}
		if in.Op == OpXo && (w.Lo() != 12 || w.Off() != 3) {
			t.Errorf("%v: stride %d, offset %d", in, w.Lo(), w.Off())
		}
	}
}

// docs/instructions.md has the table for readers.
func TestOpsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../../../../docs/instructions.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, o := range Ops {
		if o.name != "" {
			fmt.Fprintf(&want, "%-6s  %s\n", o.name, o.does)
		}
	}
	if !strings.Contains(string(doc), "```\n"+want.String()+"```\n") {
		t.Errorf("docs/instructions.md does not have the instruction set, which is\n%s", want.String())
	}
}
