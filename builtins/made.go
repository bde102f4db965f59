package builtins

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/internal/made"
)

// A Made is a type that stands in for a type of the host in a worker: see package made.
type Made struct {
	Type      any            // (*T)(nil)
	Fields    []string       // those that scripts see
	Methods   map[string]any // functions of the receiver, T or *T
	Denied    []string       // methods and fields of the host's type that scripts do not see
	Held      any            // (*H)(nil): of an interface, the struct that *H are values of; H has nothing but its methods
	Recursive map[any]any    // (*K)(nil), of a placeholder in fields that lead to the type, to (*T)(nil), of what it stands for
}

// row makes the row of the type.
func (m Made) row(name string) (Member, error) {
	row, err := hostRow(name, m.Type)
	names := slices.Clone(m.Fields)
	for method := range m.Methods {
		names = append(names, method)
	}
	slices.Sort(names)
	row.With = strings.Join(names, " ")
	own := &rows.Own{Recursive: map[reflect.Type]reflect.Type{}}
	if m.Held != nil {
		own.Held = reflect.TypeOf(m.Held).Elem()
	}
	for placeholder, stands := range m.Recursive {
		own.Recursive[reflect.TypeOf(placeholder).Elem()] = reflect.TypeOf(stands).Elem()
	}
	row.Own = own
	return row, err
}

// madeInterface is an interface with the methods of a made type's row.
func (t *Table) madeInterface(rt reflect.Type, pkg *types.Package, p *pkg, row *Member) types.Type {
	var methods []*types.Func
	for _, m := range p.madeMethods(rt, row) {
		methods = append(methods, types.NewFunc(token.NoPos, pkg, m.name, t.signature(m.typ, nil, 1, false)))
	}
	if p.deniesMember(row) {
		methods = append(methods, sealingMethod(pkg, row.Name))
	}
	return types.NewInterfaceType(methods, nil).Complete()
}

// madeRows are the rows of the methods of a member that is a made type.
func madeRows(name string, value any) (list []Member) {
	if r, ok := value.(Registered); ok {
		value = r.Value
	}
	m, _ := value.(Made)
	for method, fn := range m.Methods {
		list = append(list, Member{Name: name + "." + method, Value: fn})
	}
	for _, member := range m.Denied {
		list = append(list, Member{Name: name + "." + member, Deny: true, Why: rows.Excluded})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// untied is the type that rt stands for if it is a placeholder, else rt.
func (t *Table) untied(rt reflect.Type) reflect.Type {
	if stands := t.placeholders[rt]; stands != nil {
		return stands
	}
	return rt
}

// hides reports that a struct has more than the fields that are shown, of which there are n.
func hides(rt reflect.Type, n int) bool {
	if made.Is(rt) {
		return made.Hides(rt)
	}
	return n < rt.NumField()
}

// madeMethods are the methods of a made type: all that have a row.
func (p *pkg) madeMethods(rt reflect.Type, row *Member) (list []shownMethod) {
	for i := range p.Members {
		name, ok := strings.CutPrefix(p.Members[i].Name, row.Name+".")
		if m := &p.Members[i]; ok && !m.Deny && m.Value != nil { // H of an interface has them behind a pointer
			list = append(list, shownMethod{name: name, pointer: memberType(m).In(0) != rt, typ: memberType(m)})
		}
	}
	return list
}

// hasOwnMethod reports that a type, which is base or a pointer to it, has a method for Go. A
// made type has those that its row shows.
func hasOwnMethod(rt, base reflect.Type, name string) bool {
	_, ok := rt.MethodByName(name)
	return ok || made.Is(base)
}

// A Read is a variable of another process, which Fn reads: a func() T.
type Read struct{ Fn any }

// row makes the row of the variable: one of each run, without its Env.
func (r Read) row(name string) (Member, error) {
	fn := reflect.ValueOf(r.Fn)
	if fn.Kind() != reflect.Func || fn.Type().NumIn() != 0 || fn.Type().NumOut() != 1 || fn.Type().Out(0).Kind() == reflect.Func {
		return Member{}, fmt.Errorf("%T reads no variable", r.Fn)
	}
	read := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{envType}, outs(fn.Type()), false), func([]reflect.Value) []reflect.Value {
		return fn.Call(nil)
	})
	return Member{Name: name, Value: read.Interface()}, nil
}
