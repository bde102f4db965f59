package vm

import (
	"go/types"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"golang.org/x/tools/go/ssa"
)

func newGateTable(p *rewrite.Program, l *loader) *gateTable {
	return &gateTable{prog: p, list: p.Bindings(), typeOf: l.typeOf, asked: l.asked}
}

// gateExt is what a call of fn does if it is a gate.
func (f *fn) gateExt(fn *ssa.Function) *ext {
	c := f.compiler
	results := c.types.of(fn.Signature.Results())
	if fn.Pkg != nil && isLibrary(fn.Pkg.Pkg) {
		if do, ok := libraryGates[fn.Name()]; ok {
			return &ext{do: do, t: results}
		}
	}
	name, ok := c.gateName(fn)
	if !ok {
		return nil
	}
	switch name {
	case abi.Tick:
		return &ext{do: DoNothing, t: results}
	case abi.Recover:
		return &ext{do: DoSame, t: results}
	case abi.Echo:
		return &ext{do: DoEcho, t: results}
	}
	b, ok := c.binding(fn)
	if !ok {
		return nil
	}
	if do, ok := reflectGenerics[memberName(b)]; ok {
		return &ext{do: do, t: results, u: f.reflectArg(fn, b)}
	}
	x := &ext{do: DoGate, n: int64(f.slot(b)), t: results, ok: fn.Signature.Variadic(), s: b.String(), shares: !b.Standard || keepers[b.Path], prints: b.Standard && printers[b.Path]}
	x.inside = b.Standard && b.Kind == rewrite.BindFunc && !x.shares && callsInside(fn.Signature)
	member := memberName(b)
	if do, ok := c.reflectGate(x, b); ok {
		x.do = do
	} else if do, ok := ownGates[member]; ok && b.Kind != rewrite.BindMethodValue {
		x.do = do
	} else if do, ok := sortGates[member]; ok && b.Kind == rewrite.BindFunc {
		x.do = do
		f.sortMethods(x, fn)
	} else if spawning[member] {
		x.do = DoSpawning
	} else if scans[member] {
		x.do = DoScan
	} else if !x.ok && !x.prints && b.Kind != rewrite.BindVar {
		x.do = directGate(b, fn.Signature)
	}
	if member == "math.Sqrt" {
		x.op = opSqrt
	}
	if m := interfaceMethod(fn, b); m != nil {
		x.do, x.d = DoInvoke, 1+f.methodID(m)
	}
	return x
}

// callsInside reports a function of the standard library that can call a function of the script at no time but
// in the call that gives it that, and on its goroutine: it takes and gives nothing else that could be called
// or hold something, and gives something, which those do not that keep what they are given.
func callsInside(sig *types.Signature) bool {
	return isBasic(sig.Params(), true) && sig.Results().Len() > 0 && isBasic(sig.Results(), false)
}

// isBasic reports values of basic types, slices of them, and where that is asked functions of such.
func isBasic(list *types.Tuple, functions bool) bool {
	for v := range list.Variables() {
		switch t := v.Type().Underlying().(type) {
		case *types.Basic:
		case *types.Slice:
			if _, ok := t.Elem().Underlying().(*types.Basic); !ok {
				return false
			}
		case *types.Signature:
			if !functions || !isBasic(t.Params(), false) || !isBasic(t.Results(), false) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// memberName is the name of a member of the standard library, without type arguments;
// of others, which may have the same path, it is "".
func memberName(b rewrite.Binding) string {
	if !b.Standard {
		return ""
	}
	if b.Owner != "" {
		return b.Path + "." + b.Owner + "." + b.Name
	}
	return b.Path + "." + b.Name
}

// libraryGates are what the library declares and leaves to the engine.
var libraryGates = map[string]Do{
	"sortBy": DoSortBy,
	"goexit": DoGoexit,
	"below":  DoBelow,
}

// ownGates are members that the engine does itself: they see script types, or wait.
var ownGates = map[string]Do{
	"time.Sleep":           DoSleep,
	"runtime.Gosched":      DoGosched,
	"runtime.Goexit":       DoGoexit,
	"runtime.NumGoroutine": DoNumGoroutine,
	"errors.As":            DoErrorsAs,
	"errors.Is":            DoErrorsIs,
	"sort.Slice":           DoSortSlice,
	"sort.SliceStable":     DoSortSlice,
	"sort.SliceIsSorted":   DoSliceIsSorted,

	"encoding/binary.Append": DoBinaryOut,
	"encoding/binary.Encode": DoBinaryOut,
	"encoding/binary.Write":  DoBinaryOut,
	"encoding/binary.Decode": DoBinaryIn,
	"encoding/binary.Read":   DoBinaryIn,
	"encoding/binary.Size":   DoBinarySize,

	"encoding/json.Marshal":        DoJSONMarshal,
	"encoding/json.MarshalIndent":  DoJSONMarshalIndent,
	"encoding/json.Unmarshal":      DoJSONUnmarshal,
	"encoding/json.Encoder.Encode": DoJSONEncode,
	"encoding/json.Decoder.Decode": DoJSONDecode,

	"html/template.HTMLEscaper":              DoEscaper,
	"html/template.JSEscaper":                DoEscaper,
	"html/template.URLQueryEscaper":          DoEscaper,
	"html/template.IsTrue":                   DoIsTrue,
	"html/template.Template.AddParseTree":    DoTemplateKin,
	"html/template.Template.Clone":           DoTemplateClone,
	"html/template.Template.Execute":         DoTemplateExecute,
	"html/template.Template.ExecuteTemplate": DoTemplateExecute,
	"html/template.Template.Funcs":           DoTemplateFuncs,
	"html/template.Template.Lookup":          DoTemplateKin,
	"html/template.Template.New":             DoTemplateKin,
	"html/template.Template.Option":          DoTemplateOption,
	"html/template.Template.Templates":       DoTemplateKin,

	"text/template.HTMLEscaper":              DoEscaper,
	"text/template.JSEscaper":                DoEscaper,
	"text/template.URLQueryEscaper":          DoEscaper,
	"text/template.IsTrue":                   DoIsTrue,
	"text/template.Template.AddParseTree":    DoTemplateKin,
	"text/template.Template.Clone":           DoTemplateClone,
	"text/template.Template.Execute":         DoTemplateExecute,
	"text/template.Template.ExecuteTemplate": DoTemplateExecute,
	"text/template.Template.Funcs":           DoTemplateFuncs,
	"text/template.Template.Lookup":          DoTemplateKin,
	"text/template.Template.New":             DoTemplateKin,
	"text/template.Template.Option":          DoTemplateOption,
	"text/template.Template.Templates":       DoTemplateKin,
}

// keepers are the standard packages that keep the pointers they are given.
var keepers = map[string]bool{"flag": true}

// printers are the standard packages that show places.
var printers = map[string]bool{"fmt": true, "log": true}

// scans are the members that write through the pointers they are given as any.
var scans = map[string]bool{
	"fmt.Scan": true, "fmt.Scanf": true, "fmt.Scanln": true, "fmt.Sscan": true, "fmt.Sscanf": true,
	"fmt.Sscanln": true, "fmt.Fscan": true, "fmt.Fscanf": true, "fmt.Fscanln": true,
}

// spawning are the members that start a task with a function of the script.
var spawning = map[string]bool{"sync.WaitGroup.Go": true, "time.AfterFunc": true, "context.AfterFunc": true}

// interfaceMethod is the method of a host interface that a binding calls, else nil.
func interfaceMethod(fn *ssa.Function, b rewrite.Binding) *types.Func {
	if b.Kind != rewrite.BindMethod || fn.Signature.Params().Len() == 0 {
		return nil
	}
	it, ok := fn.Signature.Params().At(0).Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	for m := range it.Methods() {
		if m.Name() == b.Name {
			return m
		}
	}
	return nil
}

// directGate is what calls a gate of sig, which the host's function has with its receiver first.
func directGate(b rewrite.Binding, sig *types.Signature) Do {
	if b.Kind == rewrite.BindFunc || b.Kind == rewrite.BindMethod {
		if n := leafFor(signatureText(sig)); n >= 0 {
			return DoLeaf + Do(n)
		}
	}
	return DoDirect
}

// signatureText is sig without the names of parameters.
func signatureText(sig *types.Signature) string {
	return types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), false).String()
}

// unnamed are parameters without their names, of types without other ones: byte is uint8.
func unnamed(t *types.Tuple) *types.Tuple {
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		vars[i] = types.NewParam(0, nil, "", oneName(t.At(i).Type()))
	}
	return types.NewTuple(vars...)
}

func oneName(t types.Type) types.Type {
	switch u := types.Unalias(t).(type) {
	case *types.Basic:
		return types.Typ[u.Kind()]
	case *types.Slice:
		return types.NewSlice(oneName(u.Elem()))
	}
	return t
}

// sortMethods has x call the methods Len, Less and Swap of the interface that fn takes.
func (f *fn) sortMethods(x *ext, fn *ssa.Function) {
	it := fn.Signature.Params().At(0).Type().Underlying().(*types.Interface)
	x.c, x.d, x.e = f.methodID(it.Method(0)), f.methodID(it.Method(1)), f.methodID(it.Method(2))
}

// sortGates are those that call the methods of a sort.Interface of the script's.
var sortGates = map[string]Do{"sort.Sort": DoSort, "sort.Stable": DoSortStable, "sort.IsSorted": DoIsSorted}
