package template

import (
	"fmt"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

const (
	// maxBlocks bounds the control structures of one text: the parser, and what
	// goes through its trees, go down on the Go stack.
	maxBlocks  = 20_000
	actionByte = 80 // what becomes of a byte within an action
	actionTick = 8
)

// payParse charges for the trees that text may become, where each byte of an action
// may begin a node, and refuses nesting that no template has.
func payParse(e *shim.Env, name, text string, delims bool) error {
	blocks := 0
	for _, word := range [...]string{"if", "range", "with", "block", "define", "else"} {
		blocks += strings.Count(text, word)
	}
	if blocks > maxBlocks {
		return fmt.Errorf("template: %s: more than %d control structures", name, maxBlocks)
	}
	inside := int64(len(text))
	if !delims {
		inside = actionBytes(text)
	}
	e.Charge(int64(len(text)))
	e.ChargeProduct(inside, actionByte)
	e.Work(int64(len(text)) + inside*actionTick)
	return nil
}

// actionBytes counts the bytes of text within actions.
func actionBytes(text string) int64 {
	n := 0
	for {
		_, after, ok := strings.Cut(text, "{{")
		if !ok {
			return int64(n)
		}
		in, rest, _ := strings.Cut(after, "}}")
		n += len(in) + 4
		text = rest
	}
}

func ParseParse(e *shim.Env) func(name, text, left, right string, funcs ...map[string]any) (map[string]*parse.Tree, error) {
	return func(name, text, left, right string, funcs ...map[string]any) (map[string]*parse.Tree, error) {
		if err := payParse(e, name, text, ownDelims(left, right)); err != nil {
			return nil, err
		}
		return parse.Parse(name, text, left, right, funcs...)
	}
}

func TreeParse(e *shim.Env) func(t *parse.Tree, text, left, right string, set map[string]*parse.Tree, funcs ...map[string]any) (*parse.Tree, error) {
	return func(t *parse.Tree, text, left, right string, set map[string]*parse.Tree, funcs ...map[string]any) (*parse.Tree, error) {
		if err := payParse(e, t.Name, text, ownDelims(left, right)); err != nil {
			return nil, err
		}
		return t.Parse(text, left, right, set, funcs...)
	}
}

// delims says that templates of the run may have delimiters of their own.
type delims struct{ own bool }

func ownDelims(left, right string) bool {
	return left != "" && left != "{{" || right != "" && right != "}}"
}

// TemplateCopy is the method that a template has from its tree.
func TemplateCopy(e *shim.Env) func(*template.Template) *parse.Tree {
	return func(t *template.Template) *parse.Tree { return TreeCopy(e)(t.Tree) }
}

func TreeCopy(e *shim.Env) func(*parse.Tree) *parse.Tree {
	return func(t *parse.Tree) *parse.Tree {
		payTemplate(e, t)
		return t.Copy()
	}
}

func TreeErrorContext(e *shim.Env) func(*parse.Tree, parse.Node) (string, string) {
	return func(t *parse.Tree, n parse.Node) (string, string) {
		e.PayNode(n)
		return t.ErrorContext(n)
	}
}

func ParseIsEmptyTree(e *shim.Env) func(parse.Node) bool {
	return func(n parse.Node) bool {
		e.PayNode(n)
		return parse.IsEmptyTree(n)
	}
}

// The methods of nodes that go down the tree, for each type of node.

func NodeString[N parse.Node](e *shim.Env) func(N) string {
	return func(n N) string {
		e.PayNode(n)
		return n.String()
	}
}

func NodeCopy[N parse.Node](e *shim.Env) func(N) parse.Node {
	return func(n N) parse.Node {
		e.PayNode(n)
		return n.Copy()
	}
}

func ListCopy(e *shim.Env) func(*parse.ListNode) *parse.ListNode {
	return func(n *parse.ListNode) *parse.ListNode {
		e.PayNode(n)
		return n.CopyList()
	}
}

func PipeCopy(e *shim.Env) func(*parse.PipeNode) *parse.PipeNode {
	return func(n *parse.PipeNode) *parse.PipeNode {
		e.PayNode(n)
		return n.CopyPipe()
	}
}

// payTemplate charges for a copy or the text of a tree, which a script may have made
// so that it contains itself: Go would go down it for ever.
func payTemplate(e *shim.Env, t *parse.Tree) {
	if t != nil && t.Root != nil {
		e.PayNode(t.Root)
	}
}
