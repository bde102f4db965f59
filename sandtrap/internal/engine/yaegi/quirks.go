package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// A quirk is something of Go that the interpreter runs wrong, or that can bring
// down its host, and that the adaptation does not repair.
type quirk struct {
	construct string // after "engine yaegi cannot"
	detect    func(u *unit, n ast.Node) bool
	why       string
	example   string // a program with it
}

// refusal says that this engine does not take the construct at pos.
func refusal(u *unit, pos token.Pos, construct string) *diag.Rejection {
	return &diag.Rejection{
		Code:    diag.EngineCannot,
		Pos:     u.position(pos),
		Name:    construct,
		Message: "engine yaegi cannot " + construct,
		Hint:    "use engine vm",
	}
}

// refusals lists every quirk of the table that the program has.
func refusals(u *unit) diag.Rejections {
	var out diag.Rejections
	for _, f := range u.files {
		ast.Inspect(f, func(n ast.Node) bool {
			for _, q := range quirks {
				if n != nil && q.detect(u, n) {
					out = append(out, refusal(u, n.Pos(), q.construct))
				}
			}
			return true
		})
	}
	return out
}

var quirks = []quirk{
	{
		construct: "start goroutines",
		detect:    func(_ *unit, n ast.Node) bool { _, ok := n.(*ast.GoStmt); return ok },
		why:       "a panic or a data race in a goroutine takes the host down",
		example:   "package main\nfunc main() { go main() }",
	},
	{
		construct: "assert that a value is a color",
		detect:    assertsColor,
		why:       "an image.Uniform would be one, and could be its own color, which overflows the stack of the host",
		example:   "package main\nimport \"image/color\"\nfunc main() { var x any; _, _ = x.(color.Color) }",
	},
	{
		construct: "compile types that contain themselves",
		detect:    recursive,
		why:       "compiling them can overflow the stack of the host",
		example:   "package main\ntype T []*T\nfunc main() { var t T; _ = t }",
	},
	{
		construct: "tell interfaces or unnamed structs apart in a type switch",
		detect:    switchesOnInterfaces,
		why:       "such a case is not taken, or taken wrongly",
		example:   "package main\ntype i interface{ f() }\nfunc main() { var v any; switch v.(type) { case i: print(1) } }",
	},
	{
		construct: "compare values of the script's interfaces",
		detect:    comparesInterfaces,
		why:       "the interpreter compares its wrapping of the values",
		example:   "package main\ntype i interface{ f() }\nfunc main() { var v, w i; print(v == w) }",
	},
	{
		construct: "show the names of the script's types and fields",
		detect:    showsTypes,
		why:       "its types are unnamed structs with fields named otherwise to compiled code",
		example:   "package main\nimport \"fmt\"\ntype t struct{ a int }\nfunc main() { fmt.Printf(\"%+v\", t{1}) }",
	},
	{
		construct: "find errors of the script's types",
		detect:    looksIntoErrors,
		why:       "compiled code sees a value of a script's type as a wrapper with the Error method only",
		example:   "package main\nimport \"errors\"\ntype e struct{}\nfunc (e) Error() string { return \"\" }\nfunc main() { var t e; println(errors.As(e{}, &t)) }",
	},
	{
		construct: "show templates, XML and gob the values of the script",
		detect:    mirrors,
		why:       "compiled code sees other fields and no methods of the script's types, and more of the host's than the policy shows",
		example:   "package main\nimport (\"os\"; \"text/template\")\nfunc main() { template.New(\"\").Execute(os.Stdout, 1) }",
	},
	{
		construct: "let compiled code call Format or GoString",
		detect:    formats,
		why:       "it does not see these methods and prints the value itself",
		example:   "package main\nimport \"fmt\"\ntype t struct{}\nfunc (t) GoString() string { return \"t\" }\nfunc main() { fmt.Println(t{}) }",
	},
	{
		construct: "define types as host types with methods",
		detect:    redefines,
		why:       "the new type keeps the methods of the old one",
		example:   "package main\nimport \"time\"\ntype day time.Weekday\nfunc main() { println(day(1)) }",
	},
	{
		construct: "embed types of the host",
		detect:    embedsHost,
		why:       "compiled code finds the methods that the policy hides, and calls them",
		example:   "package main\nimport \"go/token\"\ntype t struct{ token.Position }\nfunc main() { _ = t{} }",
	},
	{
		construct: "defer a function that uses variables of a loop's iterations",
		detect:    defersLoopVars,
		why:       "all deferred functions get those of the last iteration",
		example:   "package main\nfunc main() { for i := 0; i < 2; i++ { defer func() { println(i) }() } }",
	},
	{
		construct: "run all deferred calls when one of them panics",
		detect:    defersPanics,
		why:       "the interpreter forgets the others",
		example:   "package main\nfunc main() { defer println(1); defer func() { panic(2) }() }",
	},
	{
		construct: "print values inside others with their own methods",
		detect:    hidesMethods,
		why:       "compiled code sees the methods of the outermost value only",
		example:   "package main\nimport \"fmt\"\ntype t int\nfunc (t) String() string { return \"t\" }\nfunc main() { fmt.Println([]t{1}) }",
	},
	{
		construct: "make JSON of the script's types, or values of them",
		detect:    encodes,
		why:       "its types are structs without methods, with fields named otherwise, to compiled code",
		example:   "package main\nimport \"encoding/json\"\ntype t struct{ a int }\nfunc main() { json.Marshal(t{}) }",
	},
	{
		construct: "index pointers to arrays of arrays",
		detect:    indexesNested,
		why:       "a row is read as if it were an element",
		example:   "package main\nfunc main() { var g [2][2]int; p := &g; for _, v := range p[1] { println(v) } }",
	},
	{
		construct: "tell recovered errors of the script's types apart",
		detect:    assertsRecovered,
		why:       "in a function with a result of type error, the value has lost its type",
		example:   "package main\ntype e struct{}\nfunc (e) Error() string { return \"\" }\nfunc main() { defer func() { _, ok := recover().(e); println(ok) }(); panic(e{}) }",
	},
}

// recursive reports whether n declares a type that contains itself other than
// through a pointer field of a struct, which is the one form that the interpreter
// is known to compile.
func recursive(u *unit, n ast.Node) bool {
	s, ok := n.(*ast.TypeSpec)
	if !ok || u.info.Defs[s.Name] == nil {
		return false
	}
	t := u.info.Defs[s.Name].Type()
	if _, ok := t.Underlying().(*types.Struct); ok {
		return false
	}
	return contains(t.Underlying(), t, map[types.Type]bool{})
}

func contains(in, t types.Type, seen map[types.Type]bool) bool {
	if seen[in] {
		return false
	}
	seen[in] = true
	if types.Identical(in, t) {
		return true
	}
	switch in := types.Unalias(in).(type) {
	case *types.Named:
		return contains(in.Underlying(), t, seen)
	case *types.Pointer:
		return contains(in.Elem(), t, seen)
	case *types.Slice:
		return contains(in.Elem(), t, seen)
	case *types.Array:
		return contains(in.Elem(), t, seen)
	case *types.Chan:
		return contains(in.Elem(), t, seen)
	case *types.Map:
		return contains(in.Key(), t, seen) || contains(in.Elem(), t, seen)
	case *types.Signature:
		for v := range in.Params().Variables() {
			if contains(v.Type(), t, seen) {
				return true
			}
		}
		for v := range in.Results().Variables() {
			if contains(v.Type(), t, seen) {
				return true
			}
		}
	case *types.Struct:
		for f := range in.Fields() {
			if contains(f.Type(), t, seen) {
				return true
			}
		}
	}
	return false
}
