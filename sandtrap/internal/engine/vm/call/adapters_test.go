package call

import (
	"bytes"
	"flag"
	"fmt"
	goformat "go/format"
	"go/types"
	"image/color"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/compile"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

var update = flag.Bool("update", false, "write the files of the adapters")

// TestAdapters: the adapters are those of the functions and methods that the tables of package builtins
// have. With -update it writes them.
func TestAdapters(t *testing.T) {
	g := newAdapterWriter()
	if n := len(g.known); n < 500 {
		t.Errorf("only %d types of functions have an adapter", n)
	}
	for name, text := range g.files(t) {
		if *update {
			if err := os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(name); err != nil || !bytes.Equal(have, text) {
			t.Errorf("%s is not what the tables make (%v): run go generate", name, err)
		}
	}
}

// TestLeavesAreMet: each leaf that is called without reflection is one that programs see: its signature is
// that of a function or method of the universe.
func TestLeavesAreMet(t *testing.T) {
	table, err := builtins.NewTable(builtins.Std()...)
	if err != nil {
		t.Fatal(err)
	}
	met := map[string]bool{}
	for _, path := range table.Paths() {
		pkg, err := table.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			for _, sig := range signatures(pkg.Scope().Lookup(name)) {
				met[compile.SignatureText(sig)] = true
			}
		}
	}
	g := newAdapterWriter()
	for _, l := range g.leaves {
		if !met[l.signature] {
			t.Errorf("no member has the signature %s", l.signature)
		}
		if compile.LeafFor(l.signature) < 0 {
			t.Errorf("%s is called by reflection", l.signature)
		}
	}
	if len(g.leaves) < 50 {
		t.Errorf("only %d signatures", len(g.leaves))
	}
}

// signatures are those of a function, or of the methods of a type with their receiver first.
func signatures(obj types.Object) (list []*types.Signature) {
	switch obj := obj.(type) {
	case *types.Func:
		list = append(list, obj.Signature())
	case *types.TypeName:
		n, ok := obj.Type().(*types.Named)
		if !ok || types.IsInterface(n) {
			return nil
		}
		for f := range n.Methods() {
			sig := f.Signature()
			params := append([]*types.Var{types.NewParam(0, nil, "", sig.Recv().Type())}, slices.Collect(sig.Params().Variables())...)
			list = append(list, types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic()))
		}
	}
	return list
}

// hostFunctions are the types of the functions and methods, with their receiver first, that programs
// are given out of the tables.
func hostFunctions() (list []reflect.Type) {
	for _, p := range builtins.Std() {
		for _, m := range p.Members {
			if m.Deny || m.Value == nil || m.Settable {
				continue
			}
			v := reflect.ValueOf(m.Value)
			if rt := v.Type(); rt == reflect.TypeFor[*reflect.Value]() || rt == reflect.TypeFor[*reflect.MapIter]() {
				continue // the engine has methods of its own for them
			}
			if v.Kind() == reflect.Pointer && v.IsNil() {
				list = append(list, methodsOf(v.Type().Elem(), m.With)...)
			} else if ft := functionOf(v.Type()); ft != nil {
				list = append(list, ft)
			}
		}
	}
	return list
}

// reflectMethods are those of reflect.Value and reflect.Type as the engine has them.
func reflectMethods() (list []reflect.Type) {
	for _, rt := range []reflect.Type{reflect.TypeFor[*mirror.Rvalue](), rtypeType} {
		for i := range rt.NumMethod() {
			list = append(list, rt.Method(i).Type)
		}
	}
	return list
}

// functionOf is the type of the function that a row gives, nil if that is something else.
func functionOf(rt reflect.Type) reflect.Type {
	if rt.Kind() == reflect.Func && rt.NumIn() == 1 && rt.In(0) == reflect.TypeFor[*builtins.Env]() {
		rt = rt.Out(0)
	}
	if rt.Kind() != reflect.Func {
		return nil
	}
	return rt
}

// methodsOf are the types of the methods of rt that a row allows: of rt itself, or else of a pointer to it; and of
// the functions that give pointers to its fields.
func methodsOf(rt reflect.Type, with string) (list []reflect.Type) {
	if rt.Kind() == reflect.Interface {
		return nil
	}
	pt := reflect.PointerTo(rt)
	for _, name := range strings.Fields(with) {
		if rt.Kind() == reflect.Struct {
			if f, ok := rt.FieldByName(name); ok {
				list = append(list, reflect.FuncOf([]reflect.Type{pt}, []reflect.Type{reflect.PointerTo(f.Type)}, false))
			}
		}
	}
	for i := range pt.NumMethod() {
		m := pt.Method(i)
		if with != "*" && !slices.Contains(strings.Fields(with), m.Name) {
			continue
		}
		if own, ok := rt.MethodByName(m.Name); ok {
			m = own
		}
		list = append(list, m.Type)
	}
	return list
}

// An adapterWriter writes adapters: cases of a few large functions, which take a third of the room of as
// many small ones.
type adapterWriter struct {
	leaves       []leafText
	types, cases []string          // of the other adapters
	known        map[string]bool   // types that have an adapter
	imports      map[string]string // name by path
}

// A leafText is the text of a function that calls leaves, and of the signature, as go/types writes it.
type leafText struct{ signature, body string }

func newAdapterWriter() *adapterWriter {
	g := &adapterWriter{known: map[string]bool{}, imports: map[string]string{}}
	for _, ft := range append(hostFunctions(), reflectMethods()...) {
		g.add(ft)
	}
	return g
}

// add writes the adapter for a type of function, if it can have one.
func (g *adapterWriter) add(ft reflect.Type) {
	if ft.IsVariadic() || ft.NumIn()+ft.NumOut() == 0 {
		return
	}
	var in, out []adapterType
	for t := range ft.Ins() {
		in = append(in, typeOfAdapter(t))
	}
	for t := range ft.Outs() {
		out = append(out, typeOfAdapter(t))
	}
	if slices.ContainsFunc(in, adapterType.noArgument) || slices.ContainsFunc(out, adapterType.noResult) {
		return
	}
	of, others := in[:min(len(in), 1)], append(slices.Clone(in[min(len(in), 1):]), out...)
	if len(of) > 0 && of[0].form == anyForm || slices.ContainsFunc(others, adapterType.rare) && !(len(of) > 0 && ofElements[of[0].path]) {
		return
	}
	text := "func(" + g.list(in) + ") (" + g.list(out) + ")"
	if g.known[text] {
		return
	}
	g.known[text] = true
	if leafOf(in, out, ft) {
		g.leaves = append(g.leaves, g.leaf(text, in, out))
		return
	}
	g.types, g.cases = append(g.types, text), append(g.cases, g.body(text, in, out))
}

// leafOf reports a function of one or two numbers, booleans or texts that gives another one, or a method of
// what builds texts.
func leafOf(in, out []adapterType, ft reflect.Type) bool {
	return len(in) > 0 && slices.Contains(leafReceivers, ft.In(0)) ||
		!slices.ContainsFunc(append(slices.Clone(in), out...), adapterType.large) && len(in) > 0 && len(in) <= 2 && len(out) == 1
}

// leafReceivers are those whose methods are called as leaves are, since scripts make texts with them: they
// call nothing back.
var leafReceivers = []reflect.Type{reflect.TypeFor[*strings.Builder](), reflect.TypeFor[*bytes.Buffer]()}

type adapterForm int

const (
	noForm adapterForm = iota
	boolForm
	intForm
	floatForm
	complexForm
	stringForm
	sliceForm
	pointerForm // to a struct of the host's
	structForm  // of the host's
	errorForm
	valueForm // what a reflect.Value of the script's holds
	rtypeForm // what a reflect.Type of the script's holds
	typeForm  // reflect.Type, as a result
	anyForm
	colorForm // color.Color
	placeForm // a pointer to a variable of type any, which a field of the host's is, as a result
)

// An adapterType is the type of a parameter or result.
type adapterType struct {
	form       adapterForm
	name, path string       // without the pointer or brackets; the package that it is of
	kind       reflect.Kind // of an element
	named      bool         // of a slice: it has a name
	size       uintptr      // of a struct
}

// ofElements are the packages with methods that do less than a call of them takes, each of them with types that
// are rare.
var ofElements = map[string]bool{"container/list": true, "container/ring": true, "image": true}

// ofFields are the packages of structs that stand for numbers: whoever has them calls their functions often.
var ofFields = map[string]bool{"time": true, "reflect": true, "image": true, "image/color": true}

// rare reports a type that too few members have, but as a receiver, for adapters to be worth their code.
func (a adapterType) rare() bool {
	return a.form == pointerForm || a.form == anyForm || a.form == placeForm || a.form == structForm && !ofFields[a.path]
}

func (a adapterType) noArgument() bool {
	return a.form == noForm || a.form == typeForm || a.form == placeForm
}
func (a adapterType) noResult() bool { return a.form == noForm }

// large reports a type that the parameters and results of a leaf do not have, see isLeaf.
func (a adapterType) large() bool {
	return a.path != "" || a.form > stringForm || a.form == complexForm
}

var adapterForms = map[reflect.Kind]adapterForm{
	reflect.Bool: boolForm, reflect.String: stringForm, reflect.Float32: floatForm, reflect.Float64: floatForm,
	reflect.Complex64: complexForm, reflect.Complex128: complexForm,
	reflect.Int: intForm, reflect.Int8: intForm, reflect.Int16: intForm, reflect.Int32: intForm, reflect.Int64: intForm,
	reflect.Uint: intForm, reflect.Uint8: intForm, reflect.Uint16: intForm, reflect.Uint32: intForm, reflect.Uint64: intForm,
	reflect.Uintptr: intForm,
}

func typeOfAdapter(t reflect.Type) adapterType {
	a := adapterType{name: t.Name(), path: t.PkgPath(), kind: t.Kind()}
	switch {
	case t == reflect.TypeFor[error]():
		a.form = errorForm
	case t == reflect.TypeFor[any]():
		return adapterType{form: anyForm, name: "any"}
	case t == reflect.TypeFor[color.Color]():
		return adapterType{form: colorForm, name: "Color", path: "image/color"}
	case t == reflect.TypeFor[*any]():
		return adapterType{form: placeForm, name: "*any"}
	case t == reflect.TypeFor[*mirror.Rvalue]():
		return adapterType{form: valueForm, name: "*mirror.Rvalue"}
	case t == rtypeType:
		return adapterType{form: rtypeForm, name: "mirror.Rtype"}
	case t == reflect.TypeFor[reflect.Type]():
		a.form = typeForm
	case t.Kind() == reflect.Slice && t.Elem().PkgPath() == "":
		if sliceArgs[t.Elem().Kind()] == "" {
			break
		}
		a.form, a.kind, a.named = sliceForm, t.Elem().Kind(), t.Name() != ""
		if !a.named {
			a.name = "[]" + t.Elem().Name()
		}
	case t.Kind() == reflect.Pointer && t.Name() == "" && t.Elem().Kind() == reflect.Struct:
		a.form, a.name, a.path = pointerForm, t.Elem().Name(), t.Elem().PkgPath()
	case t.Kind() == reflect.Struct:
		a.form, a.size = structForm, t.Size()
	default:
		a.form = adapterForms[t.Kind()]
	}
	first, _, _ := strings.Cut(a.path, "/")
	if a.name == "" || strings.ContainsAny(a.name, "[ .") && a.form != sliceForm || strings.Contains(first, ".") || strings.Contains(a.path, "internal") ||
		a.path != "" && !('A' <= a.name[0] && a.name[0] <= 'Z') {
		a.form = noForm
	}
	return a
}

// text is the type as Go writes it.
func (g *adapterWriter) text(a adapterType) string {
	name := a.name
	if a.path != "" {
		short := "reflect"
		if a.path != short {
			short = "std_" + strings.ReplaceAll(a.path, "/", "_") // no name of this package is like that
		}
		g.imports[a.path] = short
		name = short + "." + name
	}
	if a.form == pointerForm {
		return "*" + name
	}
	return name
}

func (g *adapterWriter) list(types []adapterType) string {
	var texts []string
	for _, t := range types {
		texts = append(texts, g.text(t))
	}
	return strings.Join(texts, ", ")
}

// leaf writes what calls a leaf, in which all is written out.
func (g *adapterWriter) leaf(ft string, in, out []adapterType) leafText {
	var pre, args, results, params, gives []string
	given, post, at := "0", "", 0
	for i, a := range in {
		args = append(args, g.argument(a, i, &pre, false))
		params = append(params, a.signature())
		if a.form == stringForm || a.form == sliceForm {
			given += "+len(" + args[i] + ")"
		}
	}
	for i, a := range out {
		results = append(results, fmt.Sprintf("r%d", i))
		gives = append(gives, a.signature())
		post += g.result(a, i, at, false)
		at += a.cells()
	}
	signature := "func(" + strings.Join(params, ", ") + ")"
	switch len(gives) {
	case 0:
	case 1:
		signature += " " + gives[0]
	default:
		signature += " (" + strings.Join(gives, ", ") + ")"
	}
	fetch := strings.ReplaceAll(strings.Join(pre, ""), "return false", "exec.Gate(m, x)\nreturn")
	return leafText{signature, fmt.Sprintf("%sif f, ok := bindLeaf[%s](m, x, %s); ok {\n%sf(%s)\nm.Returns()\n%s}\n", fetch, ft, strings.TrimPrefix(given, "0+"), assigned(results), strings.Join(args, ", "), post)}
}

// signature is the type as go/types writes it.
func (a adapterType) signature() string {
	name := a.name
	if a.path != "" {
		name = a.path + "." + name
	}
	if a.form == pointerForm {
		return "*" + name
	}
	return name
}

func assigned(results []string) string {
	if len(results) == 0 {
		return ""
	}
	return strings.Join(results, ", ") + " := "
}

// cells are how many cells a result takes.
func (a adapterType) cells() int {
	if a.form == sliceForm || a.form == complexForm {
		return 2
	}
	return 1
}

// body writes another adapter, with calls for what is done more often than fast.
func (g *adapterWriter) body(ft string, in, out []adapterType) string {
	var pre, args, results []string
	for i, a := range in {
		args = append(args, g.argument(a, i, &pre, true))
	}
	post, at := "", 0
	for i, a := range out {
		results = append(results, fmt.Sprintf("r%d", i))
		post += g.result(a, i, at, true)
		at += a.cells()
	}
	return fmt.Sprintf("%sf, _ := fn.(%s)\n%sf(%s)\nif arrives(m) {\n%s}\n", strings.Join(pre, ""), ft, assigned(results), strings.Join(args, ", "), post)
}

// argument is an argument of the call, with what comes before that in pre.
func (g *adapterWriter) argument(a adapterType, i int, pre *[]string, call bool) string {
	reg := fmt.Sprintf("x.Regs[%d]", i)
	number, text, ref := "m.I["+reg+"]", "m.S["+reg+"]", "m.R["+reg+"]"
	if call {
		number, text = fmt.Sprintf("numberArg(m, x, %d)", i), fmt.Sprintf("textArg(m, x, %d)", i)
		ref = fmt.Sprintf("refArg(m, x, %d)", i)
	}
	fetch := func(how string) string {
		*pre = append(*pre, fmt.Sprintf("p%d, ok := %s\nif !ok {\nreturn false\n}\n", i, how))
		return fmt.Sprintf("p%d", i)
	}
	switch a.form {
	case boolForm:
		return a.as(g, "bool", number+" != 0")
	case intForm:
		return a.as(g, "int64", number)
	case floatForm:
		return a.as(g, "float64", "ir.BitsFloat("+number+")")
	case complexForm:
		return a.as(g, "complex128", fmt.Sprintf("complexArg(m, x, %d)", i))
	case stringForm:
		return a.as(g, "string", text)
	case sliceForm:
		return a.as(g, a.name, fetch(fmt.Sprintf("%s(m, x, %d)", sliceArgs[a.kind], i)))
	case pointerForm:
		return fetch(fmt.Sprintf("%s.(%s)", ref, g.text(a)))
	case structForm:
		p := fetch(fmt.Sprintf("refArg(m, x, %d).(*%s)", i, g.text(a)))
		if a.size > exec.NativeBytes {
			*pre = append(*pre, fmt.Sprintf("m.Charge(%d)\n", a.size))
		}
		return "*" + p
	case anyForm:
		return fetch(fmt.Sprintf("anyArg(m, x, %d)", i))
	case colorForm:
		return fetch(fmt.Sprintf("colorArg(m, x, %d)", i))
	case valueForm:
		return fetch(fmt.Sprintf("valueArg(m, x, %d)", i))
	case rtypeForm:
		return fetch(ref + ".(mirror.Rtype)")
	}
	return fetch(fmt.Sprintf("errorArg(m, x, %d)", i))
}

// as converts a value of a type to a unless that is the type.
func (a adapterType) as(g *adapterWriter, have, value string) string {
	if g.text(a) == have {
		return value
	}
	return g.text(a) + "(" + value + ")"
}

var sliceArgs = map[reflect.Kind]string{
	reflect.String: "stringsArg", reflect.Float32: "floatsArg[float32]", reflect.Float64: "floatsArg[float64]",
	reflect.Int: "numbersArg[int]", reflect.Int8: "numbersArg[int8]", reflect.Int16: "numbersArg[int16]", reflect.Int32: "numbersArg[int32]", reflect.Int64: "numbersArg[int64]",
	reflect.Uint: "numbersArg[uint]", reflect.Uint8: "numbersArg[uint8]", reflect.Uint16: "numbersArg[uint16]", reflect.Uint32: "numbersArg[uint32]", reflect.Uint64: "numbersArg[uint64]",
	reflect.Uintptr: "numbersArg[uintptr]",
}

// result puts result i in its registers, from at on.
func (g *adapterWriter) result(a adapterType, i, at int, call bool) string {
	reg, r := "x.A", fmt.Sprintf("r%d", i)
	if at > 0 {
		reg += fmt.Sprintf("+%d", at)
	}
	number := map[adapterForm]string{boolForm: "ir.BoolBits(" + adapterType{name: "bool"}.of(a, r) + ")", intForm: adapterType{name: "int64"}.of(a, r), floatForm: "ir.FloatBits(" + adapterType{name: "float64"}.of(a, r) + ")"}[a.form]
	switch {
	case number != "" && call:
		return fmt.Sprintf("setNumber(m, %s, %s)\n", reg, number)
	case number != "":
		return fmt.Sprintf("m.I[%s] = %s\n", reg, number)
	}
	switch a.form {
	case complexForm:
		return fmt.Sprintf("setComplex(m, %s, %s)\n", reg, adapterType{name: "complex128"}.of(a, r))
	case stringForm:
		return fmt.Sprintf("setText(m, %s, %s)\n", reg, adapterType{name: "string"}.of(a, r))
	case structForm:
		return fmt.Sprintf("m.R[%s] = &%s\n", reg, r)
	case errorForm:
		put := fmt.Sprintf("errorResult(m, %s, %s)\n", reg, r)
		if call {
			return put
		}
		return fmt.Sprintf("if %s != nil || m.R[%s] != nil {\n%s}\n", r, reg, put)
	case pointerForm:
		return fmt.Sprintf("pointerResult(m, %s, %s)\n", reg, r)
	case anyForm, colorForm:
		return fmt.Sprintf("anyResult(m, %s, %s)\n", reg, r)
	case typeForm:
		return fmt.Sprintf("typeResult(m, %s, %s)\n", reg, r)
	}
	return fmt.Sprintf("otherResult(m, x, %d, %s, %s)\n", i, reg, r)
}

// of is value, which is of type b, as a value of type a.
func (a adapterType) of(b adapterType, value string) string {
	if a.name == b.name && b.path == "" {
		return value
	}
	return a.name + "(" + value + ")"
}

const (
	adaptersPerFunc = 16 // so that its frame is small
	funcsPerFile    = 8
)

// files are the generated files: the table of types, and the adapters.
func (g *adapterWriter) files(t *testing.T) map[string][]byte {
	table := "// LeafFor is the number of what calls leaves of a signature, as go/types writes that; -1 if it is of none.\nfunc LeafFor(signature string) int {\nswitch signature {\n"
	leaves, list := "", ""
	for i, l := range g.leaves {
		table += fmt.Sprintf("case %q:\nreturn %d\n", l.signature, i)
		list += fmt.Sprintf("leaf%d, ", i)
		leaves += fmt.Sprintf("func leaf%d(m *exec.Machine, x *ir.SlowOp) {\n%s}\n\n", i, l.body)
	}
	signatures := table + "}\nreturn -1\n}\n"
	table = "// adapterFor is the number of the adapter of a function of the host's, from 1 on; 0 if there is none for its type.\n" +
		"func adapterFor(fn any) int {\nswitch fn.(type) {\n"
	for i, ft := range g.types {
		table += fmt.Sprintf("case %s:\nreturn %d\n", ft, i+1)
	}
	table += "}\nreturn 0\n}\n\n// adapt calls fn by adapter n, which is for its type. It reports false if an argument is not in memory as the host has it.\n" +
		fmt.Sprintf("func adapt(m *exec.Machine, x *ir.SlowOp, fn any, n int) bool {\nswitch (n - 1) / %d {\n", adaptersPerFunc)
	out := map[string][]byte{"adapters_leaf.go": g.file(t, "call", "// Leaves call functions of a signature each, see compile.LeafFor.\nvar Leaves = [...]func(*exec.Machine, *ir.SlowOp){"+list+"}\n\n"+leaves)}
	text, k := "", 0
	for some := range slices.Chunk(g.cases, adaptersPerFunc) {
		table += fmt.Sprintf("case %d:\nreturn adapt%d(m, x, fn, n)\n", k, k)
		text += fmt.Sprintf("func adapt%d(m *exec.Machine, x *ir.SlowOp, fn any, n int) bool {\nswitch n {\n", k)
		for i, body := range some {
			text += fmt.Sprintf("case %d:\n%s", k*adaptersPerFunc+i+1, body)
		}
		text += "}\nreturn true\n}\n\n"
		if k++; k%funcsPerFile == 0 || k*adaptersPerFunc >= len(g.cases) {
			out[fmt.Sprintf("adapters_%d.go", (k-1)/funcsPerFile)] = g.file(t, "call", text)
			text = ""
		}
	}
	out["../compile/leaves.go"] = g.file(t, "compile", signatures)
	out["adapters_table.go"] = g.file(t, "call", table+"}\nreturn false\n}\n")
	return out
}

func (g *adapterWriter) file(t *testing.T, name, text string) []byte {
	head := "// Code generated by go test -run TestAdapters -update. DO NOT EDIT.\n\npackage " + name + "\n\nimport (\n"
	if strings.Contains(text, "reflect.") {
		head += "\"reflect\"\n"
	}
	for _, p := range slices.Sorted(maps.Keys(g.imports)) {
		if name := g.imports[p]; name != "reflect" && strings.Contains(text, name+".") {
			head += name + " \"" + p + "\"\n"
		}
	}
	head += "\n"
	for _, name := range []string{"exec", "ir", "mirror"} {
		if strings.Contains(text, name+".") {
			head += "\"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/" + name + "\"\n"
		}
	}
	out, err := goformat.Source([]byte(strings.ReplaceAll(head+")\n\n"+text, "import (\n\n)\n", "")))
	if err != nil {
		t.Fatalf("%v\n%s", err, head+text)
	}
	return out
}
