package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/typename"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// explanations make of an error of go/types what its author can act on: by the
// name of its code.
var explanations = map[string]func(c *checker, e typeError, r *diag.Rejection){
	"BrokenImport":             explainImport,
	"BadImportPath":            explainImport,
	"UndeclaredName":           explainUndeclared,
	"UndeclaredImportedName":   explainPackageMember,
	"UnexportedName":           explainPackageMember,
	"MissingFieldOrMethod":     explainMember,
	"MissingLitField":          explainLitField,
	"UnusedVar":                hint("use it, assign it to _, or remove it"),
	"UnusedLabel":              hint("remove the label"),
	"UnusedExpr":               hint("assign the value to something, or remove the line"),
	"UnusedResults":            hint("assign the results; _ = ... drops them"),
	"UnexportedLitField":       explainStructLit,
	"InvalidStructLit":         explainStructLit,
	"InvalidLitField":          explainStructLit,
	"MissingReturn":            hint("end the function with a return statement"),
	"NoNewVar":                 hint("use = to assign to variables that exist"),
	"MismatchedTypes":          explainMismatch,
	"IncompatibleAssign":       explainAssign,
	"InvalidIfaceAssign":       explainIface,
	"ImpossibleAssert":         explainIface,
	"WrongArgCount":            explainArgs,
	"WrongAssignCount":         explainCount,
	"WrongResultCount":         explainResults,
	"TruncatedFloat":           explainTruncated,
	"NumericOverflow":          explainOverflow,
	"InvalidIndirection":       explainIndirect,
	"DivByZero":                hint("check for zero before dividing"),
	"InvalidCond":              hint("Go has no truth values: compare, as in x != 0, s != \"\" or p != nil"),
	"CannotInferTypeArgs":      explainInfer,
	"InvalidInstanceCycle":     hint("the generic code needs new types without end; break the cycle"),
	"InvalidDeclCycle":         hint("put a pointer, slice or map in between"),
	"UntypedNilUse":            hint("give the variable a type: var x T"),
	"UnaddressableFieldAssign": hint("copy the struct out of the map, change the copy, and put it back"),
	"NonNumericIncDec":         hint("++ and -- are for numbers"),
	"InvalidCall":              explainCall,
	"UnassignableOperand":      explainUnassignable,
	"UnaddressableOperand":     explainUnaddressable,
	"TooManyValues":            explainSeveral,
	"InvalidConversion":        explainConversion,
	"UndefinedOp":              explainOperator,
	"InvalidIterVar":           hint("leave the second variable out"),
	"InvalidTypeSwitch":        explainDynamic,
	"InvalidRecv":              hint("methods belong to types of your own: type Name int"),
	"WrongTypeArgCount":        explainTypeArgs,
	"NotAGenericType":          hint("only generic types take types in brackets; an array is written [3]int, a slice []int"),
	"MisplacedConstraintIface": explainConstraint,
	"MisplacedBreak":           hint("break belongs in a for, switch or select"),
	"MisplacedContinue":        hint("continue belongs in a for"),
	"NotAnExpr":                explainNoValue,
	"NonIndexableOperand":      explainIndex,
	"InvalidIndex":             explainBadIndex,
	"InvalidConstVal":          explainBadIndex,
	"InvalidLen":               explainBuiltin,
	"InvalidArrayLen":          hint("the length of an array is a constant that is not negative; for another length make a slice: make([]T, n)"),
	"InvalidRangeExpr":         explainRange,
	"UncalledBuiltin":          hint("call it"),
	"InvalidInitDecl":          explainMain,
	"InvalidMainDecl":          explainMain,
}

func hint(text string) func(*checker, typeError, *diag.Rejection) {
	return func(_ *checker, _ typeError, r *diag.Rejection) { r.Hint = text }
}

const DoNotRetry = "the policy will not change during this program: do not retry, solve it another way or leave it out"

// explainImport tells no such package from one that is not allowed.
func explainImport(c *checker, e typeError, r *diag.Rejection) {
	spec := c.syntax().imports[e.Pos]
	if spec == nil {
		return
	}
	path := parse.ImportPath(spec)
	r.Name = path
	known := c.universe.Explain(path, "")
	if known.Exists {
		r.Code = diag.DeniedImport
		r.Message = "package " + strconv.Quote(path) + " is not allowed by this policy" + because(known.Why)
		if r.Hint = insteadHint("import", known.Instead); path == "testing" {
			r.Hint = "tests are not run here: leave the import and the functions of tests out, and call what they test in main"
		}
		return
	}
	r.Message = "there is no package " + strconv.Quote(path) + " here"
	switch {
	case slices.Contains(toolNames, moduleName(path)) && c.toolsHint() != "":
		r.Hint = "it needs no import: remove the line, and write names without the package; " + c.toolsHint()
	case known.Instead != "":
		r.Hint = "import " + strconv.Quote(known.Instead)
	case c.experimental(path) != "":
		r.Hint = "import " + strconv.Quote(c.experimental(path)) + ", which is in Go's library"
	case known.Near != "":
		r.Hint = "did you mean " + strconv.Quote(known.Near) + "?"
	case strings.Contains(path, ".") && elsewhere[moduleName(path)] != "":
		_, r.Hint, _ = strings.Cut(elsewhere[moduleName(path)], ": ") // the message has said before it
	case strings.Contains(path, "."):
		r.Hint = "third-party modules cannot be downloaded; use what the policy offers, or write the code in the program"
	default:
		r.Hint = "check the path, or remove the import"
	}
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

func insteadHint(verb, instead string) string {
	if instead == "" {
		return DoNotRetry
	}
	return verb + " " + instead + " instead"
}

// explainUndeclared is about a name that is declared nowhere: a package that
// is not imported, or a name that is misspelt or missing.
func explainUndeclared(c *checker, e typeError, r *diag.Rejection) {
	name, ok := strings.CutPrefix(e.Msg, "undefined: ")
	if !ok {
		return
	}
	r.Name = name
	if sel := c.syntax().selectorsByX[e.Pos]; sel != nil && c.explainPackage(name, sel, r) {
		return
	}
	if c.explainAnnotated(e.Pos, r) || c.explainUntypedParam(e.Pos, r) {
		return
	}
	if hint, ok := otherLanguages[name]; ok {
		r.Hint = hint
		return
	}
	if sel := c.syntax().selectorsByX[e.Pos]; sel != nil {
		if r.Hint = c.explainSelector(name, sel.Sel.Name); r.Hint != "" {
			return
		}
		if slices.Contains(toolNames, name) {
			if r.Hint = c.toolsHint(); r.Hint != "" {
				return
			}
		}
	}
	if pkg := c.importedWith(name); pkg != "" {
		r.Hint = "did you mean " + pkg + "." + name + "?"
		return
	}
	if r.Hint = c.outOfBlock(name); r.Hint != "" {
		return
	}
	near := nearestName(name, c.namesAt(e.Pos))
	if c.syntax().set[e.Pos] && !c.namesVariable(near, e.Pos) {
		r.Hint = "write := to declare it"
		return
	}
	if strings.EqualFold(name, near) || near != "" && !(token.IsExported(name) && types.Universe.Lookup(near) != nil) {
		r.Hint = "did you mean " + near + "?"
		return
	}
	if c.syntax().calledNames[e.Pos] {
		r.Hint = joined("define func "+name+", or remove the call", c.toolsHint())
		return
	}
	r.Hint = "declare it before it is used"
}

// otherLanguages are names that other languages have and Go has not.
var otherLanguages = map[string]string{
	"artifact":   "this policy gives scripts no artifact, which needs Limits.Artifacts, in the command --artifacts: print the data, or leave it in a variable",
	"null":       "Go's word is nil",
	"None":       "Go's word is nil",
	"undefined":  "Go's word is nil",
	"True":       "Go's word is true",
	"False":      "Go's word is false",
	"self":       "use the name of the method's receiver",
	"this":       "use the name of the method's receiver",
	"str":        "Go's type is string; fmt.Sprint or strconv.Itoa convert to it",
	"double":     "Go's type is float64",
	"float":      "Go's type is float64",
	"char":       "Go's type is byte or rune",
	"boolean":    "Go's type is bool",
	"String":     "Go's type is string",
	"Integer":    "Go's type is int",
	"printf":     "use fmt.Printf",
	"Println":    "write fmt.Println",
	"Printf":     "write fmt.Printf",
	"Sprintf":    "write fmt.Sprintf",
	"Errorf":     "write fmt.Errorf",
	"abs":        "write math.Abs(x) for a float64; for an int: if x < 0 { x = -x }",
	"pow":        "write math.Pow(x, y) for float64s",
	"sqrt":       "write math.Sqrt(x) for a float64",
	"floor":      "write math.Floor(x) for a float64",
	"ceil":       "write math.Ceil(x) for a float64",
	"round":      "write math.Round(x) for a float64",
	"exit":       "write return at the top level of a snippet, or os.Exit(code)",
	"sleep":      "write time.Sleep(d) with a time.Duration, such as 2*time.Second",
	"sum":        "write a loop: total := 0; for _, x := range xs { total += x }",
	"sorted":     "write slices.Sort(xs), which changes xs, or slices.Sorted(slices.Values(xs))",
	"enumerate":  "write for i, x := range xs",
	"parseInt":   "write n, err := strconv.Atoi(s)",
	"parseFloat": "write x, err := strconv.ParseFloat(s, 64)",
	"isinstance": "write v, ok := x.(T)",
	"typeof":     "write fmt.Sprintf(\"%T\", x), or a type switch",
	"input":      "read with bufio.NewScanner(os.Stdin)",
	"range":      "write for i := range n",
	"foreach":    "write for i, x := range xs",
	"quot":       "&quot; is HTML: send the source as it is, with \" written out",
	"apos":       "&apos; is HTML: send the source as it is, with ' written out",
	"lt":         "&lt; is HTML: send the source as it is, with < written out",
	"gt":         "&gt; is HTML: send the source as it is, with > written out",
	"amp":        "&amp; is HTML: send the source as it is, with & written out",
}

// explainSelector is what to write for name.member, where nothing has the name.
func (c *checker) explainSelector(name, member string) string {
	var names []string
	for _, obj := range c.universe.Predeclared() {
		names = append(names, obj.Name())
	}
	same := func(n string) bool { return strings.EqualFold(n, member) }
	if i := slices.IndexFunc(names, same); i >= 0 {
		return "write " + names[i] + " without " + name + ": it needs no package"
	}
	return elsewhere[name]
}

// importedWith is the name of the package that the script imports and that has this member.
func (c *checker) importedWith(member string) string {
	if !token.IsExported(member) {
		return ""
	}
	for _, pkg := range c.result.Pkg.Imports() {
		if pkg.Scope().Lookup(member) != nil {
			return pkg.Name()
		}
	}
	return ""
}

// moduleName is the name of the package that a path most likely has: what is before the major version in
// example.org/yaml.v3 and example.org/cast/v2.
func moduleName(importPath string) string {
	if i := strings.LastIndexAny(importPath, "./"); i >= 0 {
		if number, ok := strings.CutPrefix(importPath[i+1:], "v"); ok && strings.Trim(number, "0123456789") == "" {
			importPath = importPath[:i]
		}
	}
	return path.Base(importPath)
}

// elsewhere is what to do without packages that are none of Go's library and often used, by their names.
var elsewhere = map[string]string{
	"errgroup":  "golang.org/x/sync is not here: use a sync.WaitGroup, and errors.Join or a channel for the errors",
	"semaphore": "golang.org/x/sync is not here: a channel with room for n values bounds how many go on at a time",
	"uuid":      "there is no package uuid here: read 16 bytes from crypto/rand and format them with %x",
	"decimal":   "there is no package decimal here: use math/big",
	"yaml":      "there is no package yaml here: use encoding/json, or read the lines yourself",
	"toml":      "there is no package toml here: use encoding/json, or read the lines yourself",
	"zap":       "there is no package zap here: use log/slog",
	"logrus":    "there is no package logrus here: use log/slog",
	"zerolog":   "there is no package zerolog here: use log/slog",
	"assert":    "there is no package assert here: compare with if, and print or panic",
	"require":   "there is no package require here: compare with if, and print or panic",
	"cobra":     "there is no package cobra here: use flag",
	"lo":        "there is no package lo here: use slices and maps, or write a loop",
	"funk":      "there is no package funk here: use slices and maps, or write a loop",
	"cast":      "there is no package cast here: use strconv, or a type switch",
	"color":     "there is no package for colours on terminals here: print plain text",
	"np":        "there is no numpy here: write loops over slices; math has the functions",
	"pd":        "there is no pandas here: write loops over slices of structs",
	"console":   "use fmt.Println",
	"System":    "use fmt.Println",
	"Math":      "use package math",
	"JSON":      "use encoding/json",
}

// explainPackage is about the undeclared name of name.Sel.
func (c *checker) explainPackage(name string, sel *ast.SelectorExpr, r *diag.Rejection) bool {
	if path := c.bestPackage(name, map[string]bool{sel.Sel.Name: true}); path != "" {
		r.Code = diag.MissingImport
		r.Message = "undefined: " + name + " (package " + path + " is not imported)"
		r.Hint = "add the line import " + strconv.Quote(path)
		return true
	}
	for _, dir := range stdDirectories {
		known := c.universe.Explain(dir+name, "")
		if !known.Exists {
			continue
		}
		r.Code, r.Name = diag.DeniedImport, dir+name
		r.Message = "package " + strconv.Quote(dir+name) + " is not allowed by this policy" + because(known.Why)
		r.Hint = insteadHint("use", known.Instead)
		return true
	}
	return false
}

// stdDirectories are where in Go's library a package may be that is used without
// an import: exec is os/exec.
var stdDirectories = []string{
	"", "os/", "net/", "encoding/", "io/", "path/", "log/", "text/", "html/", "crypto/",
	"runtime/", "database/", "container/", "compress/", "archive/", "math/", "regexp/",
	"go/", "hash/", "image/", "mime/", "sync/", "testing/", "unicode/",
}

// explainPackageMember is about pkg.Name where the package has no such name.
func explainPackageMember(c *checker, e typeError, r *diag.Rejection) {
	sel := c.syntax().selectorsBySel[e.Pos]
	if sel == nil {
		return
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return
	}
	pkg, ok := c.result.Info.Uses[id].(*types.PkgName)
	if !ok {
		return
	}
	c.explainAbsent(pkg.Imported(), sel.Sel.Name, id.Name+"."+sel.Sel.Name, r)
}

// explainAbsent is about a member of a host package, of the form that
// Universe.Explain takes. Shown is how the script writes it.
func (c *checker) explainAbsent(pkg *types.Package, member, shown string, r *diag.Rejection) {
	r.Name = typename.Join(typename.Path(pkg), member)
	known := c.universe.Explain(pkg.Path(), member)
	if known.Exists {
		r.Code = diag.DeniedMember
		r.Message = shown + " is not allowed by this policy" + because(known.Why)
		r.Hint = insteadHint("use", known.Instead)
		return
	}
	r.Message = "there is no " + shown
	if known.Instead != "" {
		r.Hint = "use " + known.Instead
	} else if owner, name, ok := strings.Cut(member, "."); ok {
		r.Hint = absentOfType(pkg, owner, strings.TrimSuffix(shown, "."+name), name, known.Near)
	} else {
		r.Hint = absentOfPackage(pkg, member, known.Near)
	}
}

// absentOfPackage is what to do without pkg.name.
func absentOfPackage(pkg *types.Package, name, near string) string {
	if habit := functionHint(pkg.Name(), name); habit != "" {
		return habit
	}
	if near == "" {
		near = nearestMember(name, exported(pkg.Scope().Names()))
	}
	if near == "" {
		return "package " + pkg.Path() + " has nothing of that name; write it yourself"
	}
	return "did you mean " + qualify(pkg.Name(), near) + "?"
}

// maxListed is how many fields and methods a hint lists.
const maxListed = 12

// absentOfType is what to do without the field or method name of pkg.owner, which is written as shown.
func absentOfType(pkg *types.Package, owner, shown, name, near string) string {
	var has []string
	if obj := pkg.Scope().Lookup(owner); obj != nil {
		has = exported(Members(obj.Type()))
	}
	if near == "" {
		near = nearestMember(name, has)
	}
	switch {
	case near != "":
		return "did you mean " + near + "?"
	case !token.IsExported(name):
		return "names that begin with a small letter are the package's own: use the methods"
	}
	if hint := listed(shown, has); hint != "" {
		return hint
	}
	return withArticle(shown) + " has no field or method of that name"
}

func qualify(pkg, name string) string {
	if strings.HasPrefix(name, pkg+".") {
		return name
	}
	return pkg + "." + name
}

func exported(names []string) []string {
	var out []string
	for _, n := range names {
		if token.IsExported(n) {
			out = append(out, n)
		}
	}
	return out
}

// explainMember is about x.Name where the type of x has no such field or method.
func explainMember(c *checker, e typeError, r *diag.Rejection) {
	sel := c.syntax().selectorsBySel[e.Pos]
	if sel == nil {
		return
	}
	r.Name = sel.Sel.Name
	typ := c.result.Info.Types[sel.X].Type
	if typ == nil {
		return
	}
	if r.Hint = c.hidesPackage(sel); r.Hint != "" {
		return
	}
	if named := namedOf(typ); named != nil && c.isHost(named.Obj()) {
		obj := named.Obj()
		if c.explainOpaque(obj, sel.Sel.Name, r) {
			return
		}
		c.explainAbsent(obj.Pkg(), obj.Name()+"."+sel.Sel.Name, typename.Of(obj)+"."+sel.Sel.Name, r)
		return
	}
	if near := nearestName(sel.Sel.Name, Members(typ)); near != "" {
		r.Hint = "did you mean " + near + "?"
	} else if r.Hint = c.rangeHint(sel.X, sel.Sel.Name); r.Hint != "" {
		return
	} else if r.Hint = c.methodHint(sel, typ); r.Hint == "" {
		r.Hint = listed(c.nameOf(typ), Members(typ))
	}
}

// withoutPackage says that a package of the standard library is one that the policy does not list; it is empty for others.
func (c *checker) withoutPackage(path string) string {
	if !c.universe.Explain(path, "").Exists {
		return ""
	}
	return ", which does not list package " + path
}

// explainOpaque is about a member of a type whose package the policy does not
// list, if obj is one: what that package is called is the host's own affair.
func (c *checker) explainOpaque(obj *types.TypeName, member string, r *diag.Rejection) bool {
	if !c.isOpaque(obj) {
		return false
	}
	r.Code, r.Name = diag.DeniedMember, typename.Of(obj)+"."+member
	r.Message = r.Name + " is not allowed by this policy" + c.withoutPackage(obj.Pkg().Path()) + ": scripts can hold " + withArticle(typename.Of(obj)) + " and pass it on, but use nothing of it"
	r.Hint = insteadHint("use", "")
	return true
}

// isOpaque reports a type of the host's whose package the policy does not list.
func (c *checker) isOpaque(obj *types.TypeName) bool {
	_, err := c.universe.Import(obj.Pkg().Path())
	return err != nil && !c.isPredeclared(obj)
}

// isPredeclared reports a type of the host's that needs no import.
func (c *checker) isPredeclared(obj *types.TypeName) bool {
	return slices.Contains(c.universe.Predeclared(), types.Object(obj))
}

// namedOf is the named type that typ is or points to, or nil.
func namedOf(typ types.Type) *types.Named {
	typ = types.Unalias(typ)
	if p, ok := typ.(*types.Pointer); ok {
		typ = types.Unalias(p.Elem())
	}
	named, _ := typ.(*types.Named)
	return named
}

// isHost tells whether obj belongs to a package of the universe.
func (c *checker) isHost(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && !c.result.Own(obj.Pkg()) && obj.Pkg() != c.result.Gate
}

// explainLitField is about T{Name: v} where T has no such field.
func explainLitField(c *checker, e typeError, r *diag.Rejection) {
	name, _, ok := strings.Cut(e.Msg, " in struct literal")
	name = name[strings.LastIndexByte(name, ' ')+1:] // "unknown field x", "cannot refer to unexported field x"
	lit := c.syntax().litsByKey[e.Pos]
	if !ok || lit == nil {
		return
	}
	r.Name = name
	typ := c.result.Info.Types[lit].Type
	if typ == nil {
		return
	}
	if r.Hint = c.promotedHint(typ, name); r.Hint != "" {
		return
	}
	if named := namedOf(typ); named != nil && c.isHost(named.Obj()) {
		obj := named.Obj()
		if c.explainOpaque(obj, name, r) {
			return
		}
		c.explainAbsent(obj.Pkg(), obj.Name()+"."+name, typename.Of(obj)+"."+name, r)
		return
	}
	if near := nearestName(name, Members(typ)); near != "" {
		r.Hint = "did you mean " + near + "?"
	} else {
		r.Hint = listed(c.nameOf(typ), Members(typ))
	}
}
