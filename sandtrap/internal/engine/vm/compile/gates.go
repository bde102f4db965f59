package compile

import (
	"go/types"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"golang.org/x/tools/go/ssa"
)

func newGateTable(p *rewrite.Program, l *loader) *ir.GateTable {
	return &ir.GateTable{Echoes: p.Echoes(), List: p.Bindings(), TypeOf: l.typeOf, Asked: l.asked}
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
	do, own := ir.DoOf(b)
	if do == ir.DoTypeFor || do == ir.DoReflectAssert {
		return &ir.SlowOp{Do: do, T: results, U: f.reflectArg(fn, b)}
	}
	x := &ir.SlowOp{Do: ir.DoGate, N: int64(f.slot(b)), T: results, Ok: fn.Signature.Variadic(), S: b.String(), Shares: !b.Standard || b.Is("keeps"), Prints: b.Is("places")}
	x.Inside = b.Standard && b.Kind == abi.BindFunc && !x.Shares && CallsInside(fn.Signature)
	switch {
	case own && f.ownGate(x, do, b, fn):
	case !x.Ok && !x.Prints && b.Kind != abi.BindVar:
		x.Do = directGate(b, fn.Signature)
	}
	if b.Is("sqrt") {
		x.Op = ir.OpSqrt
	}
	if m := interfaceMethod(fn, b); m != nil {
		x.Do, x.D = ir.DoInvoke, 1+f.methodID(m)
	}
	return x
}

// ownGate makes x do what the engine has for itself in place of b, whose gate is fn. It reports false for what it
// has not: fields, and most members that are taken as values.
func (f *fn) ownGate(x *ir.SlowOp, do ir.Do, b rewrite.Binding, fn *ssa.Function) bool {
	switch b.Kind {
	case abi.BindField, abi.BindVar:
		return false
	case abi.BindMethodValue:
		switch do {
		case ir.DoReflectMethod:
			do = ir.DoReflectMethodValue
		case ir.DoSpawning:
		default:
			return false
		}
	}
	switch x.Do = do; do {
	case ir.DoSort, ir.DoSortStable, ir.DoIsSorted:
		f.sortMethods(x, fn)
	case ir.DoBuilderWriteByte, ir.DoBuilderWriteRune, ir.DoBuilderWriteString:
		x.C = int(directGate(b, fn.Signature))
	case ir.DoReflectFunc:
		x.S = b.Name
	case ir.DoReflectMethod, ir.DoReflectMethodValue:
		if x.S = b.Name; b.Owner == "Value" {
			n, ok := f.loader.machine.Value[b.Name]
			if !ok {
				f.fail("the method %s of reflect.Value", b.Name)
			}
			x.D = n
		}
	}
	return true
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

// libraryGates are what the library declares and leaves to the engine.
var libraryGates = map[string]ir.Do{
	"sortBy": ir.DoSortBy,
	"goexit": ir.DoGoexit,
	"below":  ir.DoBelow,
}

// interfaceMethod is the method of a host interface that a binding calls, else nil.
func interfaceMethod(fn *ssa.Function, b rewrite.Binding) *types.Func {
	if b.Kind != abi.BindMethod || fn.Signature.Params().Len() == 0 {
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
	if b.Kind == abi.BindFunc || b.Kind == abi.BindMethod {
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
