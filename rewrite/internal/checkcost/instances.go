package checkcost

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// The bounds on instances of generic functions and types. Engines make code for
// each, so they are counted as an engine would, and so is the syntax in them.
const (
	maxInstances = 5_000
	maxCopied    = 300_000 // nodes of syntax in all instances
	hostNodes    = 200     // nodes that a generic function of the host stands for
	maxTypeKey   = 4_000   // bytes of a type argument written out
)

// Typed is a file with what go/types has found of it.
type Typed struct {
	File *ast.File
	Pkg  *types.Package
	Info *types.Info
}

// An instantiation is a generic declaration with type arguments written out.
type instantiation struct {
	decl types.Object
	args []string
}

// An instancer follows instances from one generic body to the next.
type instancer struct {
	own    func(*types.Package) bool     // whether a package is the script's
	infos  []*types.Info                 // of the script and its packages
	uses   map[types.Object][]*ast.Ident // instances in the body of a generic declaration; nil: outside
	params map[types.Object][]*types.TypeParam
	also   map[types.Object][]types.Object // methods of a generic type
	size   map[types.Object]int            // nodes in the generic declaration
	seen   map[string]bool
	queue  []instantiation

	copied int // nodes of the instances seen
}

// Instances refuses generic code whose instances multiply: functions that
// call each other with ever new types are linear in the text and exponential in
// what they stand for. go/types reports only those that never end, and those only if there
// is no other error.
//
// The last of files is the script, the others are its packages; own tells those from others.
func Instances(files []Typed, own func(*types.Package) bool, refused Refuse) diag.Rejections {
	if !slices.ContainsFunc(files, func(f Typed) bool { return len(f.Info.Instances) > 0 }) {
		return nil
	}
	in := &instancer{
		own: own, uses: map[types.Object][]*ast.Ident{}, params: map[types.Object][]*types.TypeParam{},
		also: map[types.Object][]types.Object{}, size: map[types.Object]int{}, seen: map[string]bool{},
	}
	for _, f := range files {
		in.infos = append(in.infos, f.Info)
		for _, d := range f.File.Decls {
			in.collect(f.Info, d)
		}
	}
	ok := in.follow(nil, nil)
	for ok && len(in.queue) > 0 {
		next := in.queue[len(in.queue)-1]
		in.queue = in.queue[:len(in.queue)-1]
		for _, obj := range append([]types.Object{next.decl}, in.also[next.decl]...) {
			env := map[*types.TypeParam]string{}
			for i, p := range in.params[obj] {
				if i < len(next.args) {
					env[p] = next.args[i]
				}
			}
			ok = ok && in.follow(obj, env)
		}
	}
	if ok {
		return nil
	}
	return diag.Rejections{refused(diag.TooComplex, files[len(files)-1].File.Name, "", "the generic code needs too many instances, or instances of too large types", "use fewer type arguments that are made of type parameters")}
}

// collect notes which generic declaration each instance stands in.
func (in *instancer) collect(info *types.Info, d ast.Decl) {
	var owner types.Object
	if fn, ok := d.(*ast.FuncDecl); ok {
		owner = in.generic(info, fn)
	}
	ast.Inspect(d, func(n ast.Node) bool {
		if owner != nil && n != nil {
			in.size[owner]++
		}
		switch n := n.(type) {
		case *ast.TypeSpec:
			if named, ok := info.Defs[n.Name].(*types.TypeName); ok && n.TypeParams != nil {
				if t, ok := named.Type().(*types.Named); ok {
					owner = named
					in.params[owner] = slices.Collect(t.TypeParams().TypeParams())
				}
			} else if _, isFunc := d.(*ast.FuncDecl); !isFunc {
				owner = nil
			}
		case *ast.Ident:
			if _, ok := info.Instances[n]; ok {
				in.uses[owner] = append(in.uses[owner], n)
			}
		}
		return true
	})
}

// generic is the object of fn, if it or its receiver has type parameters.
func (in *instancer) generic(info *types.Info, fn *ast.FuncDecl) types.Object {
	obj, ok := info.Defs[fn.Name].(*types.Func)
	if !ok {
		return nil
	}
	sig := obj.Signature()
	params := sig.TypeParams()
	if sig.Recv() != nil && sig.RecvTypeParams().Len() > 0 {
		params = sig.RecvTypeParams()
		named := info.Uses[Receiver(fn.Recv.List[0].Type)]
		in.also[named] = append(in.also[named], obj)
	}
	if params.Len() == 0 {
		return nil
	}
	in.params[obj] = slices.Collect(params.TypeParams())
	return obj
}

// follow queues the instances in the body of owner, and tells whether they stay
// within bounds.
func (in *instancer) follow(owner types.Object, env map[*types.TypeParam]string) bool {
	for _, id := range in.uses[owner] {
		inst, used := in.instance(id)
		obj := origin(used)
		if obj == nil {
			continue
		}
		next := instantiation{decl: obj}
		for arg := range inst.TypeArgs.Types() {
			k := typeKey{env: env}
			k.write(arg)
			if k.Len() > maxTypeKey {
				return false
			}
			next.args = append(next.args, k.String())
		}
		name := fmt.Sprintf("%p[%s]", obj, strings.Join(next.args, ";"))
		if in.seen[name] {
			continue
		}
		if len(in.seen) == maxInstances {
			return false
		}
		in.seen[name] = true
		if !in.own(obj.Pkg()) {
			in.copied += hostNodes
			continue
		}
		in.copied += in.size[obj]
		for _, m := range in.also[obj] {
			in.copied += in.size[m]
		}
		in.queue = append(in.queue, next)
	}
	return in.copied <= maxCopied
}

// instance is what id instantiates, in whichever package it stands.
func (in *instancer) instance(id *ast.Ident) (types.Instance, types.Object) {
	for _, info := range in.infos {
		if inst, ok := info.Instances[id]; ok {
			return inst, info.Uses[id]
		}
	}
	return types.Instance{}, nil
}

func origin(obj types.Object) types.Object {
	if f, ok := obj.(*types.Func); ok {
		return f.Origin()
	}
	return obj
}

// A typeKey writes a type so that identical types are written alike, with
// arguments in place of type parameters.
type typeKey struct {
	strings.Builder
	env map[*types.TypeParam]string
}

func (k *typeKey) write(list ...types.Type) {
	for i, t := range list {
		if k.Len() > maxTypeKey {
			return
		}
		if i > 0 {
			k.WriteByte(',')
		}
		k.one(types.Unalias(t))
	}
	if len(list) > 1 {
		k.WriteByte(';')
	}
}

func (k *typeKey) vars(t *types.Tuple) {
	list := make([]types.Type, 0, t.Len())
	for v := range t.Variables() {
		list = append(list, v.Type())
	}
	k.write(list...)
}

func (k *typeKey) one(t types.Type) {
	switch t := t.(type) {
	case *types.TypeParam:
		k.WriteString(k.env[t])
	case *types.Named:
		fmt.Fprintf(k, "%p[", t.Obj())
		k.write(slices.Collect(t.TypeArgs().Types())...)
		k.WriteByte(']')
	case *types.Pointer:
		k.WriteByte('*')
		k.write(t.Elem())
	case *types.Slice:
		k.WriteString("[]")
		k.write(t.Elem())
	case *types.Array:
		fmt.Fprintf(k, "[%d]", t.Len())
		k.write(t.Elem())
	case *types.Chan:
		fmt.Fprintf(k, "chan%d ", t.Dir())
		k.write(t.Elem())
	case *types.Map:
		k.WriteString("map")
		k.write(t.Key(), t.Elem())
	case *types.Signature:
		fmt.Fprintf(k, "func%v", t.Variadic())
		k.vars(t.Params())
		k.WriteByte(':')
		k.vars(t.Results())
	case *types.Struct:
		k.WriteString("struct{")
		for f := range t.Fields() {
			k.WriteString(f.Name() + " ")
			k.write(f.Type())
		}
		k.WriteByte('}')
	case *types.Interface:
		k.WriteString("interface{")
		for m := range t.Methods() {
			k.WriteString(m.Name() + " ")
			k.write(m.Type())
		}
		k.WriteByte('}')
	default:
		k.WriteString(t.String())
	}
}
