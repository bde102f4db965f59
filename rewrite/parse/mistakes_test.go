package parse

import (
	"errors"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// What models and people write by mistake, and what they are told. Rejections
// stand in one line, without the file name.
var mistakeCases = []struct{ src, want string }{
	{"func f() {\n\t...\n}", "2:2 Elided: ... is left in place of code"},
	{"x := 1\n...\nprintln(x)", "2:1 Elided: ... is left in place of code"},
	{"f(a, ...)", "1:6 Elided: ... is left in place of code"},
	{"func f() {\n\t// ...\n\t... rest of code\n}", "3:2 MarkdownLeft: this line reads like prose, not like Go"},
	{"x := []int{1, ...}", "1:15 Elided: ... is left in place of code"},
	{"type T struct {\n\ta int\n\t...\n}", "3:2 Elided: ... is left in place of code"},
	{"def f():\n    return 1\n", "1:1 OtherLanguage: def is not Go"},
	{"print x", "1:1 OtherLanguage: print is not a statement in Go"},
	{"x = [1,2]", "1:7 OtherLanguage: a list of values needs its type"},
	{"x := [1, 2]", "1:8 OtherLanguage: a list of values needs its type"},
	{"fmt.Println('hello')", "1:13 BadSyntax: single quotes hold one character"},
	{"for x in xs {\n}", "1:1 OtherLanguage: Go has no for ... in loops"},
	{"for i in range(3) {\n}", "1:1 OtherLanguage: Go has no for ... in loops"},
	{"for x in xs:\n  print(x)", "1:1 OtherLanguage: Go has no for ... in loops"},
	{"while x < 3 {\n x++\n}", "1:1 OtherLanguage: Go has no while loops"},
	{"while (true) {\n}", "1:1 OtherLanguage: Go has no while loops"},
	{"x := a ? b : c", "1:8 OtherLanguage: Go has no operator with ?"},
	{"y := i++", "1:7 OtherLanguage: ++ is a statement in Go, after its variable and not part of an expression"},
	{"a[i++] = 1", "1:4 OtherLanguage: ++ is a statement in Go, after its variable and not part of an expression"},
	{"f(i++)", "1:4 OtherLanguage: ++ is a statement in Go, after its variable and not part of an expression"},
	{"++i", "1:1 OtherLanguage: ++ is a statement in Go, after its variable and not part of an expression"},
	{"fmt.Println(“hi”)", "1:13 BadSyntax: a curly quotation mark"},
	{"x := ‘a’", "1:6 BadSyntax: a curly quotation mark"},
	{"func f()\n{\n}", "1:6 NoBody: function f has no body"},
	{"package main\nfunc main()\n{\n\tx()\n}", "3:1 BadSyntax: the opening brace stands on a line of its own"},
	{"if x\n{\n}", "1:5 BadSyntax: the opening brace is not on this line"},
	{"if x {\n}\nelse {\n}", "3:1 BadSyntax: else on a line of its own"},
	{"for i := 0; i < 3; i++\n{\n}", "1:23 BadSyntax: the opening brace is not on this line"},
	{"if x > 1\n\tprintln(1)\n", "1:1 BadSyntax: the body of if needs braces"},
	{"f()\nfor range xs\n\tprintln(1)\ng()", "2:13 BadSyntax: the opening brace is not on this line"},
	{"f()\nif x > 1\n\treturn\ng()", "2:1 BadSyntax: the body of if needs braces"},
	{"type T struct {\n\tx: int\n}", "2:2 OtherLanguage: a type follows its name without a colon"},
	{"if x := f(); x > 1\n\tprintln(1)\n", "1:19 BadSyntax: the opening brace is not on this line"},
	{"var x: int = 1", "1:5 OtherLanguage: a type follows its name without a colon"},
	{"const x: string = \"a\"", "1:7 OtherLanguage: a type follows its name without a colon"},
	{"if (x > 1) println(1)", "1:1 BadSyntax: the body of if needs braces"},
	{"s := \"abc\nprintln(s)", "1:6 BadSyntax: this string is not closed on its line"},
	{"s := \"line1\nline2\"", "1:6 BadSyntax: this string is not closed on its line | 2:6 BadSyntax: this string is not closed on its line"},
	{"s := 'abc'", "1:6 BadSyntax: single quotes hold one character"},
	{"s := `abc", "1:6 BadSyntax: this raw string is never closed"},
	{"/* abc", "1:1 BadSyntax: this comment is never closed"},
	{"func f() {\n\tif x {\n\t\tg()\n}\n", "2:7 Unbalanced: this { is never closed"},
	{"func f() {\n\tg(1, 2\n\tx := 3\n}", "2:8 Unbalanced: this line ends before the ( opened on line 2 is closed"},
	{"func f() {\n\tg(\n\t\t1,\n\t\th(2)\n}", "4:7 Unbalanced: this line ends before the ( opened on line 2 is closed"},
	{"var (\n\tx = 1\n}", "3:1 Unbalanced: } closes nothing: the ( opened on line 1 wants ) first"},
	{"x := f(1, 2\ny := 3", "1:7 Unbalanced: this ( is never closed"},
	{"x := []int{1, 2\n}", "1:16 BadSyntax: a comma is missing at the end of this line"},
	{"x := []int{\n1,\n2\n}", "3:2 BadSyntax: a comma is missing at the end of this line"},
	{"f(\na,\nb\n)", "3:2 BadSyntax: a comma is missing at the end of this line"},
	{"}\n", "1:1 Unbalanced: unexpected }: nothing is open here"},
	{"x := (1]", "1:8 Unbalanced: ] closes nothing: the ( opened on line 1 wants ) first"},
	{"package main\n```", "1:9 NoMain: function main is undeclared in the main package"},
	{"package main\nfunc main() {\n```\n}", "4:1 Unbalanced: unexpected }: nothing is open here"},
	{"- x := 1", "1:1 BadSyntax: non-name on the left side of :="},
	{"var a int[3]", "1:7 OtherLanguage: brackets come before the element type in Go"},
	{"a := int[]{1}", "1:6 OtherLanguage: brackets come before the element type in Go"},
	{"let x = 1", "1:1 OtherLanguage: let is not Go"},
	{"const x := 1", "1:1 BadSyntax: var and const go with =, not with :="},
	{"var x := 1", "1:1 BadSyntax: var and const go with =, not with :="},
	{"x int = 1", "1:3 BadSyntax: unexpected int at the end of a statement"},
	{"int x = 1", "1:1 OtherLanguage: a type comes after the name in Go, not before"},
	{"try {\n} catch (e) {\n}", "2:3 OtherLanguage: Go has no catch"},
	{"x => x + 1", "1:3 OtherLanguage: Go has no =>"},
	{"f := (x) => x+1", "1:10 OtherLanguage: Go has no =>"},
	{"lambda x: x", "1:1 OtherLanguage: Go has no lambda"},
	{"class A {\n}", "1:1 OtherLanguage: Go has no classes"},
	{"import fmt", "1:11 BadSyntax: an import path is a string"},
	{"from x import y", "1:1 OtherLanguage: from is not Go"},
	{"import java.util.*", "1:12 BadSyntax: an import path is a string"},
	{"#include <stdio.h>", "1:1 OtherLanguage: # means nothing in Go"},
	{"# comment", "1:1 NoCode: no Go code in the text: it reads like prose"},
	{"x ** 2 +", "1:9 BadSyntax: the code ends in the middle of a statement"},
	{"x := not y", "1:6 OtherLanguage: Go has no not"},
	{"if x and y {\n}", "1:6 OtherLanguage: Go has no and"},
	{"elif x {\n}", "1:1 OtherLanguage: elif is not Go"},
	{"if x {\n} elif y {\n}", "2:3 OtherLanguage: elif is not Go"},
	{"if x {\n} elseif y {\n}", "2:3 OtherLanguage: elseif is not Go"},
	{"for i := range(10):\n", "1:1 OtherLanguage: Go has blocks in braces, not after a colon"},
	{"foreach x in y {}", "1:1 OtherLanguage: Go has no foreach"},
	{"do {\n} while (x)", "2:3 OtherLanguage: Go has no while loops"},
	{"switch x {\ncase 1 => f()\n}", "2:8 OtherLanguage: Go has no =>"},
	{"x := y if z else w", "1:8 OtherLanguage: Go has no conditional expressions"},
	{"func f(x, y: int) -> int {\n}", "1:19 OtherLanguage: Go has no ->"},
	{"fn f() {\n}", "1:1 OtherLanguage: fn is not Go"},
	{"function f() {\n}", "1:1 OtherLanguage: function is not Go"},
	{"return x +", "1:11 BadSyntax: the code ends in the middle of a statement"},
	{"var x []int = [1,2,3]", "1:17 OtherLanguage: a list of values needs its type"},
	{"x := {1,2}", "1:6 OtherLanguage: a composite literal needs its type"},
	{"x := {\"a\": 1}", "1:6 OtherLanguage: a composite literal needs its type"},
	{"s := \"a\\qb\"", "1:9 BadSyntax: unknown escape sequence"},
	{"x := 08", "1:7 BadSyntax: invalid digit '8' in octal literal"},
	{"x := 1_", "1:7 BadSyntax: '_' must separate successive digits"},
	{"@decorator\nfunc f() {}", "1:1 OtherLanguage: @ means nothing in Go: there are no decorators or annotations"},
	{"x := $y", "1:6 OtherLanguage: $ means nothing in Go"},
	{"f(a, limit=2)", "1:6 OtherLanguage: Go has no named arguments such as limit"},
	{"print(\"x\", end=\"\")", "1:12 OtherLanguage: Go has no named arguments such as end"},
	{"print(f\"{x}\")", "1:7 OtherLanguage: Go has no strings with a prefix such as f"},
	{"x <- ", "1:5 BadSyntax: the code ends in the middle of a statement"},
	{"func (f) {", "1:10 Unbalanced: this { is never closed"},
	{"func f(a int b int) {}", "1:14 BadSyntax: a comma is missing here"},
	{"type T struct { a int, b int }", "1:22 BadSyntax: fields are not separated by commas"},
	{"f(city: \"x\")", "1:3 OtherLanguage: Go has no named arguments such as city"},
	{"func f(a: int) int { return a }", "1:8 OtherLanguage: a type follows its parameter without a colon"},
	{"import numpy as np", "1:8 OtherLanguage: numpy is not imported like that in Go"},
	{"interface Foo { Bar() }", "1:1 OtherLanguage: interface does not begin a declaration in Go"},
	{"x := a ?? b", "1:8 OtherLanguage: Go has no operator with ?"},
	{"map[string]int{\"a\": 1 \"b\": 2}", "1:23 BadSyntax: a comma is missing here"},
	{"x := 1 y := 2", "1:8 BadSyntax: unexpected y at the end of a statement"},
	{"if x = 1 {\n}", "1:6 BadSyntax: = assigns and is no condition"},
	{"if x := 1 {\n}", "1:6 BadSyntax: := alone is no condition"},
	{"for (i := 0; i < 3; i++) {\n}", "1:1 OtherLanguage: the header of a for loop has no parentheses in Go"},
	{"for (;;) {}", "1:1 OtherLanguage: the header of a for loop has no parentheses in Go"},
	{"x !== y", "1:3 OtherLanguage: Go has no !=="},
	{"x === y", "1:3 OtherLanguage: Go has no ==="},
	{"x := a <> b", "1:8 OtherLanguage: Go has no <>"},
	{"unless x {\n}", "1:1 OtherLanguage: Go has no unless"},
	{"until x {\n}", "1:1 OtherLanguage: Go has no until loops"},
	{"x, y = y x", "1:10 BadSyntax: unexpected x at the end of a statement"},
	{"go f", "1:5 BadSyntax: go wants a call"},
	{"defer x", "1:8 BadSyntax: defer wants a call"},
	{"func f() {} }", "1:13 Unbalanced: unexpected }: nothing is open here"},
	{"\u00a0x := 1", "1:1 BadSyntax: a no-break space (U+00A0)"},
	{"x\u200b := 1", "1:2 BadSyntax: an invisible character"},
	{"case 1:\n", "1:1 BadSyntax: a case outside of a switch or select"},
	{"func f() { func g() {} }", "1:12 BadSyntax: a function with a name cannot be declared inside of another"},
	{"import \"fmt\"\nfunc f() {\nimport \"os\"\n}", "3:1 BadSyntax: an import inside of a function"},
	{"x := `a` `b`", "1:10 BadSyntax: unexpected `b` at the end of a statement"},
	{"package main;\nx := 1\nfunc main() {}", "2:1 BadSyntax: a statement outside of a function"},
	{"package main\nfmt.Println(1)", "2:1 BadSyntax: a statement outside of a function"},
	{"public func f() {}", "1:1 OtherLanguage: Go has no modifier public"},
	{"try {\n\tx := 1\n} catch (e) {\n}", "1:1 OtherLanguage: Go has no try | 3:3 OtherLanguage: Go has no catch"},
	{"do {\n\tx++\n} while (x < 3)", "1:1 OtherLanguage: Go has no loops but for"},
	{"if \"a\" in xs {\n}", "1:8 OtherLanguage: Go has no operator in"},
	{"fmt.Println(x in xs)", "1:15 OtherLanguage: Go has no operator in"},
	{"try {\n\tf(1)\n\tg(2)\n} finally {\n\th()\n}", "1:1 OtherLanguage: Go has no try | 4:3 OtherLanguage: Go has no finally"},
	{"for x in xs {\n\tfmt.Println(x)\n}", "1:1 OtherLanguage: Go has no for ... in loops"},
	{"for x in xs {\n\tfmt.Println(x)\n}\ny := []int{1\n}\n", "1:1 OtherLanguage: Go has no for ... in loops | 4:13 BadSyntax: a comma is missing at the end of this line"},
	{"for i in range(10) {\n}", "1:1 OtherLanguage: Go has no for ... in loops"},
	{"if x not in xs {\n}", "1:6 OtherLanguage: Go has no operator not in"},
	{"x := &#34;a&#34;", "1:6 MarkdownLeft: the source is escaped as HTML is"},
	{"x := 1 & # 2", "1:10 OtherLanguage: # means nothing in Go"},
	{`{"cmd": "fmt.Println(1)"}`, "1:1 MarkdownLeft: the text is JSON, and no code is found in it"},
	{"{\n  \"cmd\": \"x\"\n}", "1:1 MarkdownLeft: the text is JSON, and no code is found in it"},
	{"{\"code\": \"f(1)\nf(2)\"}", "1:1 MarkdownLeft: the text is JSON, and no code is found in it | 2:5 BadSyntax: this string is not closed on its line"},
	{`[{"code": "f(1)"}, {"code": "f(2)"}]`, "1:1 MarkdownLeft: the text is JSON, and no code is found in it"},
	{"if x is nil {\n}", "1:6 OtherLanguage: Go has no operator is"},
	{"fmt.Println(&quot;a&quot;)", "1:13 MarkdownLeft: the source is escaped as HTML is"},
	{"if a &lt; b &amp;&amp; c {\n}", "1:6 MarkdownLeft: the source is escaped as HTML is"},
	{"async func f() {}", "1:1 OtherLanguage: Go has no modifier async"},
	{"x := await f()", "1:6 OtherLanguage: Go has no await"},
	{"throw x", "1:1 OtherLanguage: Go has no throw"},
	{"raise X", "1:1 OtherLanguage: Go has no raise"},
	{"if x:\n  y()", "1:1 OtherLanguage: Go has blocks in braces, not after a colon"},
	{"x := new Foo()", "1:6 OtherLanguage: new is a function in Go"},
	{"var x int;\nint y;", "2:1 OtherLanguage: a type comes after the name in Go, not before"},
	{"std::cout << x;", "1:4 OtherLanguage: Go has no ::"},
	{"x->y", "1:2 OtherLanguage: Go has no ->"},
	{"&x->y", "1:3 OtherLanguage: Go has no ->"},
	{"#!/bin/sh", "1:1 OtherLanguage: # means nothing in Go"},
	{"~x", "1:1 BadSyntax: expected statement, found '~'"},
	{"\\n", "1:1 OtherLanguage: \\ means nothing outside of a literal"},
	{"package main\nfunc main() {\n\tif x {\n\t\tf()\n}\n", "3:7 Unbalanced: this { is never closed"},
	{"package main\nfunc f() {\n\tfor {\n\t\tf()\n\nfunc main() {\n}\n", "3:6 Unbalanced: this { is never closed"},
	{"if x {\n\tf()\n}}\n", "3:2 Unbalanced: unexpected }: nothing is open here"},
	{"x := := 1\ny := := 2\nfunc f() { z := := 3 }\n", "1:6 BadSyntax: expected operand, found ':=' | 2:6 BadSyntax: expected operand, found ':=' | 3:17 BadSyntax: expected operand, found ':='"},
	{"package main\nfunc main() {\n\tx := := 1\n\ty := \"a\n}\n", "3:7 BadSyntax: expected operand, found ':=' | 4:7 BadSyntax: this string is not closed on its line"},
}

func TestMistakes(t *testing.T) {
	for _, tc := range mistakeCases {
		t.Run(tc.src, func(t *testing.T) {
			_, err := Parse(Source{Text: tc.src}, Bounds{})
			var rs diag.Rejections
			errors.As(err, &rs)
			var got []string
			for _, r := range rs {
				got = append(got, strings.TrimPrefix(r.Pos.String(), "script.go:")+" "+r.Code.String()+": "+r.Message)
			}
			if got := strings.Join(got, " | "); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestMistakeRowsAreComplete(t *testing.T) {
	for _, m := range mistakes {
		if m.message == "" || m.hint == "" || m.says == "" && m.at == nil || m.code.Group() != diag.Syntax {
			t.Errorf("row %q %q: lacks a message, a hint, a condition or a code of syntax", m.says, m.message)
		}
	}
}

// At most ten errors are reported, one for each line, in order.
func TestErrorsAreCapped(t *testing.T) {
	_, err := Parse(Source{Text: strings.Repeat("x := := 1\n", 50)}, Bounds{})
	var rs diag.Rejections
	if !errors.As(err, &rs) || len(rs) != maxReported {
		t.Fatalf("%d errors, want %d", len(rs), maxReported)
	}
	for i, r := range rs {
		if r.Pos.Line != i+1 || r.Pos.Column != 6 {
			t.Errorf("error %d at %s, want line %d", i, r.Pos, i+1)
		}
	}
}
