package shim

import (
	"reflect"
	"text/template/parse"
)

// A node of a template's tree has the text of all below it, and a script can make a tree by itself.
const (
	maxTree   = 50_000 // levels of a tree
	nodeSize  = 160    // a node, what leads to it, and what it holds
	nodeTicks = 30
)

func (e *Env) PayNode(n parse.Node) {
	p := treePay{e: e}
	p.node(n, 0)
	e.Charge(p.bytes)
}

type treePay struct {
	e     *Env
	bytes int64
}

func (p *treePay) node(n parse.Node, depth int) {
	if n == nil || reflect.ValueOf(n).IsNil() {
		return
	}
	if depth > maxTree {
		panic(RuntimeError("a tree that is too deep, or contains itself"))
	}
	p.e.Work(nodeTicks)
	p.add(nodeSize)
	switch n := n.(type) {
	case *parse.ListNode:
		for _, x := range n.Nodes {
			p.node(x, depth+1)
		}
	case *parse.ActionNode:
		p.node(n.Pipe, depth+1)
	case *parse.TemplateNode:
		p.add(int64(len(n.Name)))
		p.node(n.Pipe, depth+1)
	case *parse.PipeNode:
		for _, x := range n.Cmds {
			p.node(x, depth+1)
		}
		p.add(int64(len(n.Decl)) * nodeSize)
	case *parse.CommandNode:
		for _, x := range n.Args {
			p.node(x, depth+1)
		}
	case *parse.ChainNode:
		p.add(textBytes(n.Field))
		p.node(n.Node, depth+1)
	case *parse.IfNode:
		p.branch(&n.BranchNode, depth)
	case *parse.RangeNode:
		p.branch(&n.BranchNode, depth)
	case *parse.WithNode:
		p.branch(&n.BranchNode, depth)
	case *parse.BranchNode:
		p.branch(n, depth)
	default:
		p.add(leafBytes(n))
	}
}

func (p *treePay) branch(n *parse.BranchNode, depth int) {
	p.node(n.Pipe, depth+1)
	p.node(n.List, depth+1)
	p.node(n.ElseList, depth+1)
}

// add charges in between for what is large.
func (p *treePay) add(n int64) {
	if p.bytes += n; p.bytes > 1<<20 {
		p.e.Charge(p.bytes)
		p.bytes = 0
	}
}

// leafBytes is the text that a node without others in it holds.
func leafBytes(n parse.Node) int64 {
	switch n := n.(type) {
	case *parse.TextNode:
		return int64(len(n.Text))
	case *parse.StringNode:
		return int64(len(n.Quoted) + len(n.Text))
	case *parse.CommentNode:
		return int64(len(n.Text))
	case *parse.NumberNode:
		return int64(len(n.Text))
	case *parse.FieldNode:
		return textBytes(n.Ident)
	case *parse.VariableNode:
		return textBytes(n.Ident)
	}
	return 0
}

func textBytes(list []string) int64 {
	n := int64(0)
	for _, s := range list {
		n += int64(len(s)) + StringHeader
	}
	return n
}
