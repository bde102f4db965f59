package rewrite

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
)

// A section is a program's import section while it grows.
type section struct {
	gate     *types.Package
	list     []Binding
	objects  []types.Object   // what stands for them in lowered code, nil for some
	byMember map[member][]int // the instances of each member
	universe check.Universe
}

// A member identifies a host member, whatever its type arguments.
type member struct {
	kind    abi.BindingKind
	path    string
	owner   string
	name    string
	pointer bool
}

// add returns the index of the binding of b, which is new if no use was seen
// before. Those that lowered code calls are declared in the gate package.
func (s *section) add(b Binding) int {
	m := member{b.Kind, b.Path, b.Owner, b.Name, b.Pointer}
	for _, i := range s.byMember[m] {
		if slices.EqualFunc(s.list[i].TypeArgs, b.TypeArgs, types.Identical) {
			return i
		}
	}
	if b.Index, b.Standard = len(s.list), s.universe.Standard(b.Path); b.Standard {
		b.Engine = s.universe.Engine(b.Path, b.Owner, b.Name)
	}
	s.list = append(s.list, b)
	check.Note(&s.byMember, m, append(s.byMember[m], b.Index))
	var obj types.Object
	if sig, ok := b.Type.(*types.Signature); ok && b.Kind != abi.BindType && b.Kind != abi.BindConst {
		obj = types.NewFunc(token.NoPos, s.gate, abi.Binding(b.Index), sig)
		s.gate.Scope().Insert(obj)
	}
	s.objects = append(s.objects, obj)
	return b.Index
}

// object is the gate that stands for the binding i in lowered code.
func (s *section) object(i int) types.Object { return s.objects[i] }

// packages are the packages of the host members, by path.
func (s *section) packages() []*types.Package {
	var list []*types.Package
	for _, b := range s.list {
		if b.Object != nil && b.Object.Pkg() != nil && !slices.Contains(list, b.Object.Pkg()) {
			list = append(list, b.Object.Pkg())
		}
	}
	slices.SortFunc(list, func(a, b *types.Package) int { return cmp.Compare(a.Path(), b.Path()) })
	return list
}

// bindField adds the field f selected on the host's struct owner. With pointer
// its gate turns a pointer to the owner into one to the field.
func (l *lowerer) bindField(n ast.Node, owner *types.Named, f *types.Var, pointer bool) int {
	b := l.ownedBinding(n, abi.BindField, owner, f, pointer)
	from := types.Type(owner)
	to := f.Type()
	var params []*types.TypeParam
	if generic, tps := l.genericOwner(n, owner); generic != nil {
		found, _, _ := types.LookupFieldOrMethod(generic, true, f.Pkg(), f.Name())
		from, to, params, b.TypeArgs = generic, found.Type(), tps, nil
	}
	if pointer {
		from, to = types.NewPointer(from), types.NewPointer(to)
	}
	b.Type = signature(params, []types.Type{from}, []types.Type{to}, false)
	return l.section.add(b)
}

// bindMethod adds the method m selected on owner, or on *owner with pointer. The
// kind is BindMethod or BindMethodValue.
func (l *lowerer) bindMethod(n ast.Node, kind abi.BindingKind, owner *types.Named, m *types.Func, pointer bool) int {
	b := l.ownedBinding(n, kind, owner, m, pointer)
	on := owner
	var params []*types.TypeParam
	if generic, tps := l.genericOwner(n, owner); generic != nil {
		on, params, b.TypeArgs = generic, tps, nil
	}
	b.Type = methodGate(kind, params, on, methodOf(on, m), pointer)
	return l.section.add(b)
}

func (l *lowerer) ownedBinding(n ast.Node, kind abi.BindingKind, owner *types.Named, obj types.Object, pointer bool) Binding {
	return Binding{
		Kind: kind, Path: owner.Obj().Pkg().Path(), Owner: owner.Obj().Name(), Name: obj.Name(),
		Pointer: pointer, TypeArgs: check.TypeList(owner.TypeArgs()), Object: obj, Pos: n.Pos(),
	}
}

// methodOf is the signature that m has on t, promoted or not.
func methodOf(t types.Type, m *types.Func) *types.Signature {
	found, _, _ := types.LookupFieldOrMethod(t, true, m.Pkg(), m.Name())
	return found.(*types.Func).Signature()
}

// methodGate is the type of the gate of a method with the signature m on owner.
func methodGate(kind abi.BindingKind, tps []*types.TypeParam, owner types.Type, m *types.Signature, pointer bool) *types.Signature {
	if pointer {
		owner = types.NewPointer(owner)
	}
	if kind == abi.BindMethodValue {
		f := types.NewSignatureType(nil, nil, nil, m.Params(), m.Results(), m.Variadic())
		return signature(tps, []types.Type{owner}, []types.Type{f}, false)
	}
	params, results := check.VarTypes(m.Params()), check.VarTypes(m.Results())
	return signature(tps, append([]types.Type{owner}, params...), results, m.Variadic())
}

// genericOwner returns the type of owner with fresh type parameters for its
// arguments, if those mention type parameters of the script; a gate cannot be
// instantiated for them before the script's own function is.
func (l *lowerer) genericOwner(n ast.Node, owner *types.Named) (*types.Named, []*types.TypeParam) {
	if !check.MentionsTypeParam(check.TypeList(owner.TypeArgs())...) {
		return nil, nil
	}
	declared := owner.Origin().TypeParams()
	var fresh []*types.TypeParam
	var args []types.Type
	for i := range declared.Len() {
		tp := declared.At(i)
		if check.MentionsTypeParam(tp.Constraint().Underlying()) {
			l.refuse(n, owner.Obj().Name(), "%s cannot be used with type parameters here: its constraints depend on each other", owner.Obj().Name())
		}
		name := types.NewTypeName(token.NoPos, l.Gate, tp.Obj().Name(), nil)
		fresh = append(fresh, types.NewTypeParam(name, tp.Constraint()))
		args = append(args, fresh[i])
	}
	inst, err := types.Instantiate(nil, owner.Origin(), args, false)
	if err != nil {
		l.refuse(n, owner.Obj().Name(), "%s cannot be used with type parameters here: %v", owner.Obj().Name(), err)
	}
	return inst.(*types.Named), fresh
}

func signature(tps []*types.TypeParam, params, results []types.Type, variadic bool) *types.Signature {
	return types.NewSignatureType(nil, nil, tps, tuple(params), tuple(results), variadic)
}

func tuple(list []types.Type) *types.Tuple {
	vars := make([]*types.Var, len(list))
	for i, t := range list {
		vars[i] = types.NewVar(token.NoPos, nil, "", t)
	}
	return types.NewTuple(vars...)
}
