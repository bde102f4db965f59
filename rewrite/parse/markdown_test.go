package parse

import (
	"errors"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

const printsOne = "package main func main() { println(1) }"

var fenceCases = []struct {
	name, src, want string
}{
	{"go fence with prose", "Sure! Here's it:\n\n```go\nprintln(1)\n```\n\nIt prints 1.\n", printsOne},
	{"golang, upper case, attributes", "```Golang title=\"x\"\nprintln(1)\n```", printsOne},
	{"attribute braces", "```{.go .numberLines}\nprintln(1)\n```", printsOne},
	{"version", "```go1.22\nprintln(1)\n```", printsOne},
	{"bare fence", "```\nprintln(1)\n```", printsOne},
	{"tildes", "~~~go\nprintln(1)\n~~~\n", printsOne},
	{"longer fence", "````go\nprintln(1)\n````\n", printsOne},
	{"indented fence", "1. Run this:\n\n    ```go\n    println(1)\n    ```\n", printsOne},
	{"unclosed fence", "Here:\n```go\nprintln(1)", printsOne},
	{"CRLF", "Here:\r\n```go\r\nprintln(1)\r\n```\r\n", printsOne},
	{"other languages beside", "```bash\ngo run .\n```\n```go\nprintln(1)\n```\n```output\n1\n```\n```\n1\n```\n", printsOne},
	{"other language beside a bare fence", "```sh\ngo run .\n```\n```\nprintln(1)\n```\n", printsOne},
	{"several fences", "First:\n```go\nfunc f() { println(1) }\n```\nthen:\n```go\nf()\n```\n", "package main func f() { println(1) } func main() { f() }"},
	{"opening fence cut off", "println(1)\n```\n", printsOne},
	{"opening fence cut off, prose", "println(1)\n```\nThis prints the number one.\n", printsOne},
	{"fence in a raw string", "x := `\n~~~go\nprintln(2)\n~~~\n`", "package main var x = ` ~~~go println(2) ~~~ ` func main() { }"},
	{"fence in a comment", "/*\n```go\nprintln(2)\n```\n*/\nprintln(1)", printsOne},
	{"prose before a program", "Here is the program:\n\npackage main\nfunc main() { println(1) }\n", printsOne},
	{"several lines of prose", "Sure, here you go.\n## Notes\n- x is 3\npackage main\nfunc main() { println(1) }\n", printsOne},
	{"prose after a program", "package main\nfunc main() {\nprintln(1)\n}\n\nThis prints 1. It's simple.\n- one\n", printsOne},
	{"output after a program", "package main\nfunc main() {\nprintln(1)\n}\n\nOutput:\n1 2 3\n", printsOne},
	{"prose around a snippet", "Here's how you do it:\n\nprintln(1)\n\nHope that helps!", printsOne},
	{"heading", "# Print one\nprintln(1)\n", printsOne},
	{"strings are not prose", "println(1)\ns := \"here is the text\"", "package main var s = \"here is the text\" func main() { println(1) }"},
}

func TestFindCode(t *testing.T) {
	for _, tc := range fenceCases {
		t.Run(tc.name, func(t *testing.T) {
			p, err := Parse(Source{Text: tc.src}, Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			if got := printed(t, p); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
			checkPositions(t, p, tc.src)
		})
	}
}

func TestFindNoCode(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      diag.Code
		pos       string
	}{
		{"other language only", "Run:\n```bash\nls\n```\n", diag.NoCode, "script.go:2:1"},
		{"prose only", "I am sorry, but I cannot help with that.", diag.NoCode, "script.go:1:1"},
		{"nothing but a fence", "```\n", diag.NoCode, "script.go:1:1"},
		{"empty fence", "Here:\n```go\n\n```\n", diag.NoCode, "script.go:2:1"},
		{"two programs", "```go\npackage main\nfunc main() {}\n```\n```go\npackage main\nfunc main() {}\n```\n", diag.BadPackage, "script.go:6:1"},
		{"errors are those of the fenced code", "It's code:\n```go\nx := := 1\n```\n", diag.BadSyntax, "script.go:3:6"},
		{"a loop of another language is no prose", "for x in xs:\n  print(x)", diag.OtherLanguage, "script.go:1:1"},
		{"nor is one with braces", "for x in xs {\n}", diag.OtherLanguage, "script.go:1:1"},
		{"nor are parameters", "func f(a int b int)\nprintln(1)", diag.BadSyntax, "script.go:1:14"},
		{"errors are those of the code after prose", "Here is the code you want:\nx := := 1\n", diag.BadSyntax, "script.go:2:6"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Parse(Source{Text: tc.src}, Bounds{})
			var r *diag.Rejection
			if !errors.As(err, &r) {
				t.Fatalf("error %v, want a rejection", err)
			}
			if r.Code != tc.want || r.Pos.String() != tc.pos {
				t.Errorf("got %v, want %v at %s", r, tc.want, tc.pos)
			}
		})
	}
}
