package templates

import (
	"errors"
	htmltemplate "html/template"
	"slices"
	"strconv"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
)

// prepareHTML makes the trees that belong to t ready to be escaped by the host, unless
// what is to be executed is not there.
func (e *tmplExec) prepareHTML(t *htmltemplate.Template, name *string) error {
	if name != nil {
		t = t.Lookup(*name)
	}
	if t == nil || t.Tree == nil || t.Tree.Root == nil {
		return nil
	}
	if err := e.escapable(t); err != nil {
		return err
	}
	forms := e.set.html
	if forms == nil {
		forms = &htmlForms{done: map[*parse.Tree]bool{}}
		e.set.html = forms
	}
	t.Funcs(htmlFuncs(e.m))
	for _, x := range t.Templates() {
		if x.Tree == nil || x.Tree.Root == nil || forms.done[x.Tree] {
			continue
		}
		e.tools.Bounded(x.Tree.Root)
		forms.done[x.Tree] = true
		r := htmlRewrite{e: e, forms: forms, tree: x.Tree, name: x.Name()}
		r.list(x.Tree.Root, 0)
	}
	return nil
}

// maxEscape bounds the nodes that the host goes through to escape a template: it
// takes the body of each range twice, and so those inside it.
const (
	maxEscape  = 1 << 22
	escapeTick = 30 // for a node
)

// escapable refuses templates that the host would take too long to escape.
func (e *tmplExec) escapable(t *htmltemplate.Template) error {
	if t.Tree == nil || e.set.html != nil && e.set.html.done[t.Tree] {
		return nil
	}
	c := escapeCost{e: e, t: t, seen: map[string]bool{}}
	depth := c.list(t.Tree.Root)
	if depth > 20 || c.nodes<<depth > maxEscape {
		return errors.New("html/template: ranges are nested too deep")
	}
	e.tools.Work(c.nodes << depth * escapeTick)
	return nil
}

// An escapeCost counts nodes, text too, and how deep ranges are in each other.
type escapeCost struct {
	e     *tmplExec
	t     *htmltemplate.Template
	seen  map[string]bool
	nodes int64
}

func (c *escapeCost) list(n *parse.ListNode) int {
	depth := 0
	if n == nil {
		return 0
	}
	c.e.down()
	defer c.e.up()
	for _, x := range n.Nodes {
		c.nodes++
		switch x := x.(type) {
		case *parse.TextNode:
			c.nodes += int64(len(x.Text)) / 6 // some 40 ns for a byte
		case *parse.IfNode:
			depth = max(depth, c.list(x.List), c.list(x.ElseList))
		case *parse.WithNode:
			depth = max(depth, c.list(x.List), c.list(x.ElseList))
		case *parse.RangeNode:
			depth = max(depth, 1+c.list(x.List), c.list(x.ElseList))
		case *parse.TemplateNode:
			depth = max(depth, c.called(x.Name))
		}
	}
	return depth
}

func (c *escapeCost) called(name string) int {
	t := c.t.Lookup(name)
	if t == nil || t.Tree == nil || c.seen[name] {
		return 0
	}
	c.seen[name] = true
	return c.list(t.Tree.Root)
}

// An htmlRewrite replaces the commands of one tree.
type htmlRewrite struct {
	e     *tmplExec
	forms *htmlForms
	tree  *parse.Tree
	name  string
}

func (r *htmlRewrite) list(n *parse.ListNode, depth int) {
	if n == nil {
		return
	}
	r.e.m.Tick()
	var nodes []parse.Node
	for _, x := range n.Nodes {
		switch x := x.(type) {
		case *parse.ActionNode:
			r.pipe(x.Pipe, len(x.Pipe.Decl) == 0)
		case *parse.IfNode:
			r.branch(&x.BranchNode, depth)
		case *parse.WithNode:
			r.branch(&x.BranchNode, depth)
		case *parse.RangeNode:
			r.branch(&x.BranchNode, depth)
			r.items(x)
		case *parse.TemplateNode:
			r.pipe(x.Pipe, false)
			id := r.form(htmlForm{node: x, depth: depth})
			nodes = append(nodes, r.mark(htmlEnter, id, x, false), x, r.mark(htmlLeave, id, x, true))
			continue
		}
		nodes = append(nodes, x)
	}
	n.Nodes = nodes
}

func (r *htmlRewrite) branch(n *parse.BranchNode, depth int) {
	r.pipe(n.Pipe, false)
	r.list(n.List, depth+1)
	r.list(n.ElseList, depth+1)
}

// form keeps f and gives its number.
func (r *htmlRewrite) form(f htmlForm) int {
	f.tree, f.name = r.tree, r.name
	r.e.m.Charge(exec.NoteBytes)
	r.forms.commands = append(r.forms.commands, f)
	return len(r.forms.commands) - 1
}

// pipe replaces the commands of a pipeline. In one whose value is printed the host
// has to see its own escaping functions.
func (r *htmlRewrite) pipe(p *parse.PipeNode, printed bool) {
	if p == nil {
		return
	}
	for i, cmd := range p.Cmds {
		if id, ok := cmd.Args[0].(*parse.IdentifierNode); ok && printed && r.escapes(id.Ident) {
			r.arguments(cmd)
		} else {
			r.command(cmd, i > 0)
		}
	}
}

// escapes reports a function of the host's that escapes.
func (r *htmlRewrite) escapes(name string) bool {
	_, own := r.e.set.funcs[name]
	return !own && (name == "html" || name == "urlquery")
}

func (r *htmlRewrite) command(cmd *parse.CommandNode, piped bool) {
	was, text := *cmd, cmd.String()
	vars := variablesOf(nil, cmd)
	id := r.form(htmlForm{cmd: &was, vars: vars, piped: piped})
	cmd.Args = r.callOf(htmlCommand, id, cmd.Pos)
	cmd.Args = append(cmd.Args, &parse.DotNode{NodeType: parse.NodeDot, Pos: cmd.Pos})
	for _, name := range vars {
		cmd.Args = append(cmd.Args, &parse.VariableNode{NodeType: parse.NodeVariable, Pos: cmd.Pos, Ident: []string{name}})
	}
	r.forms.texts = append(r.forms.texts, cmd.String(), text)
}

// callOf is the beginning of a command that calls a function of the engine.
func (r *htmlRewrite) callOf(name string, id int, pos parse.Pos) []parse.Node {
	return []parse.Node{
		parse.NewIdentifier(name).SetTree(r.tree).SetPos(pos),
		&parse.NumberNode{NodeType: parse.NodeNumber, Pos: pos, IsInt: true, Int64: int64(id), Text: strconv.Itoa(id)},
	}
}

// arguments replaces the arguments of a function of the host's.
func (r *htmlRewrite) arguments(cmd *parse.CommandNode) {
	for i, a := range cmd.Args[1:] {
		switch a.(type) {
		case *parse.FieldNode, *parse.ChainNode, *parse.PipeNode, *parse.VariableNode, *parse.IdentifierNode:
			text := a.String()
			if _, ok := a.(*parse.PipeNode); ok {
				text = "(" + text + ")"
			}
			one := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: a.Position(), Args: []parse.Node{a}}
			r.command(one, false)
			cmd.Args[i+1] = &parse.PipeNode{NodeType: parse.NodePipe, Pos: a.Position(), Cmds: []*parse.CommandNode{one}}
			r.forms.texts = append([]string{"(" + one.String() + ")", text}, r.forms.texts...)
		}
	}
}

// items lets the host range over what the engine makes of the value of the pipeline.
func (r *htmlRewrite) items(n *parse.RangeNode) {
	id := r.form(htmlForm{node: n})
	cmd := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pipe.Pos, Args: r.callOf(htmlItems, id, n.Pipe.Pos)}
	n.Pipe.Cmds = append(n.Pipe.Cmds, cmd)
	r.forms.texts = append(r.forms.texts, " | "+cmd.String(), "")
}

// mark is a call that prints nothing: the host takes it for a variable.
func (r *htmlRewrite) mark(name string, id int, at *parse.TemplateNode, assign bool) parse.Node {
	return &parse.ActionNode{NodeType: parse.NodeAction, Pos: at.Pos, Line: at.Line, Pipe: &parse.PipeNode{
		NodeType: parse.NodePipe, Pos: at.Pos, Line: at.Line, IsAssign: assign,
		Decl: []*parse.VariableNode{{NodeType: parse.NodeVariable, Pos: at.Pos, Ident: []string{"$__st"}}},
		Cmds: []*parse.CommandNode{{NodeType: parse.NodeCommand, Pos: at.Pos, Args: r.callOf(name, id, at.Pos)}},
	}}
}

// variablesOf adds the names of the variables that n uses.
func variablesOf(names []string, n parse.Node) []string {
	switch n := n.(type) {
	case *parse.VariableNode:
		if !slices.Contains(names, n.Ident[0]) {
			names = append(names, n.Ident[0])
		}
	case *parse.ChainNode:
		names = variablesOf(names, n.Node)
	case *parse.CommandNode:
		for _, a := range n.Args {
			names = variablesOf(names, a)
		}
	case *parse.PipeNode:
		for _, cmd := range n.Cmds {
			names = variablesOf(names, cmd)
		}
	}
	return names
}
