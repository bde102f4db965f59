package cli

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

const docHelp = `sandtrap doc [--policy FILE] [--fs none|mem|dir:PATH] [--net RULE] [PKG[.NAME]]

Prints what scripts may import and call, as Go declarations: one package, or one name
in it ("strings", "encoding/json.Marshal", "bytes.Buffer"). Without a package: the names
that need no import, and the list of packages. --net is that of run.
`

// doc prints what scripts may use.
func (c *call) doc(args []string) int {
	o := newOptions()
	fs := newFlags("doc")
	fs.Func("policy", "", o.file.Read)
	fs.Func("fs", "", o.file.SetFS)
	fs.Func("net", "", func(s string) error { return o.file.AddNetwork(s, "--net") })
	if err := fs.Parse(args); err != nil {
		return c.usage(c.explainFlag(err, fs, "doc"))
	}
	if err := o.network(); err != nil {
		return c.usage(err)
	}
	if fs.NArg() > 1 {
		return c.usage(fmt.Errorf("doc takes one package or name; got %d", fs.NArg()))
	}
	plan, err := sandtrap.Compile(o.policy)
	if err != nil {
		return c.usage(err)
	}
	text, err := describe(plan, fs.Arg(0))
	if err != nil {
		return c.usage(err)
	}
	fmt.Fprint(c.stdout, text)
	return exitOK
}

// describe answers for the argument of doc.
func describe(plan *sandtrap.Plan, what string) (string, error) {
	if what == "" {
		return overview(plan)
	}
	if text, err := plan.Declarations(what, synopses(what)); err == nil {
		return text, nil
	}
	path, name := what, ""
	if slash := strings.LastIndex(what, "/"); strings.Contains(what[slash+1:], ".") {
		path, name, _ = strings.Cut(what[slash+1:], ".")
		path = what[:slash+1] + path
	}
	text, err := plan.Declarations(path, synopses(path))
	if err != nil {
		hint := didYouMean(path, plan.Packages())
		if path == "net/http" || path == "net/http/cookiejar" {
			hint = "; they can with a network: --net RULE, or the key network of a policy file"
		}
		return "", fmt.Errorf("scripts cannot import %q%s", path, hint)
	}
	only, names := declared(text, name)
	if only == "" {
		return "", fmt.Errorf("scripts see no %s in package %s%s", name, path, didYouMean(name, names))
	}
	return only, nil
}

func overview(plan *sandtrap.Plan) (string, error) {
	text, err := plan.Declarations("", nil)
	if err != nil {
		return "", err
	}
	_, text, _ = strings.Cut(text, "\n")
	var b strings.Builder
	if text = strings.TrimSpace(text); text != "" {
		b.WriteString(text + "\n\n")
	}
	for _, path := range plan.Packages() {
		fmt.Fprintf(&b, "import %q\n", path)
	}
	return b.String(), nil
}

// declared picks the declarations of a name, a type's methods among them, and lists
// the names there are.
func declared(text, name string) (string, []string) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", nil
	}
	var b strings.Builder
	var names []string
	for _, d := range f.Decls {
		for _, n := range declaredNames(d) {
			names = append(names, n)
			if n == name || strings.HasPrefix(n, name+".") {
				// It was printed from this text: it prints.
				_ = printer.Fprint(&b, fset, &printer.CommentedNode{Node: d, Comments: f.Comments})
				b.WriteString("\n")
			}
		}
	}
	return b.String(), names
}

func declaredNames(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		return []string{receiver(d.Recv.List[0].Type) + "." + d.Name.Name}
	case *ast.GenDecl:
		switch s := d.Specs[0].(type) {
		case *ast.ValueSpec:
			return []string{s.Names[0].Name}
		case *ast.TypeSpec:
			return []string{s.Name.Name}
		}
	}
	return nil
}

// synopses are the first sentences of Go's own documentation of a standard package,
// where a Go installation is at hand.
func synopses(path string) map[string]string {
	found, err := build.Default.Import(path, "", 0)
	if err != nil || !found.Goroot {
		return nil
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range found.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(found.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		files = append(files, f)
	}
	pkg, err := doc.NewFromFiles(fset, files, path)
	if err != nil {
		return nil
	}
	list := map[string]string{}
	funcs := func(owner string, all []*doc.Func) {
		for _, f := range all {
			list[owner+f.Name] = pkg.Synopsis(f.Doc)
		}
	}
	funcs("", pkg.Funcs)
	for _, t := range pkg.Types {
		list[t.Name] = pkg.Synopsis(t.Doc)
		funcs("", t.Funcs)
		funcs(t.Name+".", t.Methods)
	}
	return list
}

func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}
