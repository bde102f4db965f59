package compile

import (
	"go/types"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"golang.org/x/tools/go/ssa"
)

func newGateTable(p *rewrite.Program, l *loader) *ir.GateTable {
	return &ir.GateTable{Prog: p, List: p.Bindings(), TypeOf: l.typeOf, Asked: l.asked}
}

// gateExt is what a call of fn does if it is a gate.
func (f *fn) gateExt(fn *ssa.Function) *ir.SlowOp {
	c := f.compiler
	results := c.Types.Of(fn.Signature.Results())
	if fn.Pkg != nil && isLibrary(fn.Pkg.Pkg) {
		if do, ok := libraryGates[fn.Name()]; ok {
			return &ir.SlowOp{Do: do, T: results}
		}
	}
	name, ok := c.gateName(fn)
	if !ok {
		return nil
	}
	switch name {
	case abi.Tick:
		return &ir.SlowOp{Do: ir.DoNothing, T: results}
	case abi.Recover:
		return &ir.SlowOp{Do: ir.DoSame, T: results}
	case abi.Echo:
		return &ir.SlowOp{Do: ir.DoEcho, T: results}
	}
	b, ok := c.binding(fn)
	if !ok {
		return nil
	}
	if do, ok := reflectGenerics[memberName(b)]; ok {
		return &ir.SlowOp{Do: do, T: results, U: f.reflectArg(fn, b)}
	}
	x := &ir.SlowOp{Do: ir.DoGate, N: int64(f.slot(b)), T: results, Ok: fn.Signature.Variadic(), S: b.String(), Shares: !b.Standard || Keepers[b.Path], Prints: b.Standard && printers[b.Path]}
	x.Inside = b.Standard && b.Kind == rewrite.BindFunc && !x.Shares && CallsInside(fn.Signature)
	member := memberName(b)
	if do, ok := c.reflectGate(x, b); ok {
		x.Do = do
	} else if do, ok := OwnGates[member]; ok && b.Kind != rewrite.BindMethodValue {
		x.Do = do
	} else if do, ok := sortGates[member]; ok && b.Kind == rewrite.BindFunc {
		x.Do = do
		f.sortMethods(x, fn)
	} else if spawning[member] {
		x.Do = ir.DoSpawning
	} else if scans[member] {
		x.Do = ir.DoScan
	} else if !x.Ok && !x.Prints && b.Kind != rewrite.BindVar {
		x.Do = directGate(b, fn.Signature)
	}
	if member == "math.Sqrt" {
		x.Op = ir.OpSqrt
	}
	if m := interfaceMethod(fn, b); m != nil {
		x.Do, x.D = ir.DoInvoke, 1+f.methodID(m)
	}
	return x
}

// CallsInside reports a function of the standard library that can call a function of the script at no time but
// in the call that gives it that, and on its goroutine: it takes and gives nothing else that could be called
// or hold something, and gives something, which those do not that keep what they are given.
func CallsInside(sig *types.Signature) bool {
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
var libraryGates = map[string]ir.Do{
	"sortBy": ir.DoSortBy,
	"goexit": ir.DoGoexit,
	"below":  ir.DoBelow,
}

// OwnGates are members that the engine does itself: they see script types, or wait.
var OwnGates = map[string]ir.Do{
	"time.Sleep":           ir.DoSleep,
	"runtime.Gosched":      ir.DoGosched,
	"runtime.Goexit":       ir.DoGoexit,
	"runtime.NumGoroutine": ir.DoNumGoroutine,
	"errors.As":            ir.DoErrorsAs,
	"errors.Is":            ir.DoErrorsIs,
	"sort.Slice":           ir.DoSortSlice,
	"sort.SliceStable":     ir.DoSortSlice,
	"sort.SliceIsSorted":   ir.DoSliceIsSorted,

	"encoding/binary.Append": ir.DoBinaryOut,
	"encoding/binary.Encode": ir.DoBinaryOut,
	"encoding/binary.Write":  ir.DoBinaryOut,
	"encoding/binary.Decode": ir.DoBinaryIn,
	"encoding/binary.Read":   ir.DoBinaryIn,
	"encoding/binary.Size":   ir.DoBinarySize,

	"encoding/json.Marshal":        ir.DoJSONMarshal,
	"encoding/json.MarshalIndent":  ir.DoJSONMarshalIndent,
	"encoding/json.Unmarshal":      ir.DoJSONUnmarshal,
	"encoding/json.Encoder.Encode": ir.DoJSONEncode,
	"encoding/json.Decoder.Decode": ir.DoJSONDecode,

	"html/template.HTMLEscaper":              ir.DoEscaper,
	"html/template.JSEscaper":                ir.DoEscaper,
	"html/template.URLQueryEscaper":          ir.DoEscaper,
	"html/template.IsTrue":                   ir.DoIsTrue,
	"html/template.Template.AddParseTree":    ir.DoTemplateKin,
	"html/template.Template.Clone":           ir.DoTemplateClone,
	"html/template.Template.Execute":         ir.DoTemplateExecute,
	"html/template.Template.ExecuteTemplate": ir.DoTemplateExecute,
	"html/template.Template.Funcs":           ir.DoTemplateFuncs,
	"html/template.Template.Lookup":          ir.DoTemplateKin,
	"html/template.Template.New":             ir.DoTemplateKin,
	"html/template.Template.Option":          ir.DoTemplateOption,
	"html/template.Template.Templates":       ir.DoTemplateKin,

	"text/template.HTMLEscaper":              ir.DoEscaper,
	"text/template.JSEscaper":                ir.DoEscaper,
	"text/template.URLQueryEscaper":          ir.DoEscaper,
	"text/template.IsTrue":                   ir.DoIsTrue,
	"text/template.Template.AddParseTree":    ir.DoTemplateKin,
	"text/template.Template.Clone":           ir.DoTemplateClone,
	"text/template.Template.Execute":         ir.DoTemplateExecute,
	"text/template.Template.ExecuteTemplate": ir.DoTemplateExecute,
	"text/template.Template.Funcs":           ir.DoTemplateFuncs,
	"text/template.Template.Lookup":          ir.DoTemplateKin,
	"text/template.Template.New":             ir.DoTemplateKin,
	"text/template.Template.Option":          ir.DoTemplateOption,
	"text/template.Template.Templates":       ir.DoTemplateKin,
}

// Keepers are the standard packages that keep the pointers they are given.
var Keepers = map[string]bool{"flag": true}

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
func directGate(b rewrite.Binding, sig *types.Signature) ir.Do {
	if b.Kind == rewrite.BindFunc || b.Kind == rewrite.BindMethod {
		if n := LeafFor(SignatureText(sig)); n >= 0 {
			return ir.DoLeaf + ir.Do(n)
		}
	}
	return ir.DoDirect
}

// SignatureText is sig without the names of parameters.
func SignatureText(sig *types.Signature) string {
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
func (f *fn) sortMethods(x *ir.SlowOp, fn *ssa.Function) {
	it := fn.Signature.Params().At(0).Type().Underlying().(*types.Interface)
	x.C, x.D, x.E = f.methodID(it.Method(0)), f.methodID(it.Method(1)), f.methodID(it.Method(2))
}

// sortGates are those that call the methods of a sort.Interface of the script's.
var sortGates = map[string]ir.Do{"sort.Sort": ir.DoSort, "sort.Stable": ir.DoSortStable, "sort.IsSorted": ir.DoIsSorted}
