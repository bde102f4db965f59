package builtins

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
)

// A Registered is a member of the host with attributes. Under the name of a method, "T.M",
// it has no Value, and its attributes are those of the method.
type Registered struct {
	Value any

	// Handle: scripts hold the type only behind a pointer, which only the host makes.
	Handle bool

	// Grants are words, separated by spaces, for the contexts of calls of the member; those
	// of a type apply to its methods. See Granted.
	Grants string

	// Params are the names of the parameters of the function or method, without a context that the run supplies;
	// nil if they have none.
	Params []string
}

// row makes the row of a Registered.
func (r Registered) row(name string) (Member, error) {
	row, err := hostRow(name, r.Value)
	if err != nil {
		return row, err
	}
	if r.Handle {
		if rt := row.Typ(); rt == nil || rt.Kind() != reflect.Struct {
			return row, fmt.Errorf("%T is no struct type, so scripts cannot be kept from making one", r.Value)
		}
		row.Handle = true
	}
	own := row.Special()
	own.Grants, own.Params = r.Grants, r.Params
	row.Own = &own
	if r.Params != nil && signatureOf(r) == nil {
		return row, fmt.Errorf("%T is no function, so it has no parameters", r.Value)
	}
	if err := checkParams(r.Params, signatureOf(r), 0); err != nil {
		return row, err
	}
	return row, nil
}

// methodRow makes the row of a method of a type among members.
func methodRow(name string, value any, members map[string]any) (Member, error) {
	r, ok := value.(Registered)
	owner, method, _ := strings.Cut(name, ".")
	if !ok || r.Value != nil || r.Handle {
		return Member{}, fmt.Errorf("only grants and names of parameters can be given to a method")
	}
	of, ok := members[owner]
	if reg, is := of.(Registered); is {
		of = reg.Value
	}
	row, err := hostRow(owner, of)
	rt := row.Typ()
	if !ok || err != nil || rt == nil || !hasMethod(rt, method) {
		return Member{}, fmt.Errorf("there is no such method of a type among the members")
	}
	skip := 0
	if rt.Kind() != reflect.Interface {
		rt, skip = reflect.PointerTo(rt), 1 // the receiver
	}
	m, _ := rt.MethodByName(method)
	if err := checkParams(r.Params, m.Type, skip); err != nil {
		return Member{}, err
	}
	return Member{Name: name, Own: &rows.Own{Grants: r.Grants, Params: r.Params}}, nil
}

// grantKey is the key of the grants of a context.
type grantKey struct{}

// Grant returns ctx for a call of a member with exactly these grants.
func Grant(ctx context.Context, grants string) context.Context {
	if grants == "" && ctx.Value(grantKey{}) == nil {
		return ctx
	}
	return context.WithValue(ctx, grantKey{}, grants)
}

// Granted reports whether the call of a host function with ctx has the grant.
func Granted(ctx context.Context, grant string) bool {
	grants, _ := ctx.Value(grantKey{}).(string)
	return rows.HasWord(grants, grant)
}

// grantsOf are those of the member that r is about.
func (p *pkg) grantsOf(r Ref) string {
	if r.Owner == "" {
		return p.row(r.Name).Special().Grants
	}
	if own := p.row(r.Owner + "." + r.Name); own != nil && own.Special().Grants != "" {
		return own.Special().Grants
	}
	if owner := p.row(r.Owner); owner != nil {
		return owner.Special().Grants
	}
	return ""
}

// Grants lists the grants of members that scripts may use, sorted.
func (t *Table) Grants() []string {
	var all []string
	for _, p := range t.pkgs { // no package of the standard library has any
		for i := range p.Members {
			if row := &p.Members[i]; !row.Deny {
				all = append(all, strings.Fields(row.Special().Grants)...)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Methods returns the exported methods of a live object, as members of a package.
func Methods(object any) (map[string]any, error) {
	v := reflect.ValueOf(object)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, fmt.Errorf("the object is nil")
	}
	if v.NumMethod() == 0 {
		return nil, fmt.Errorf("%v has no exported methods", v.Type())
	}
	members := map[string]any{}
	for i := range v.NumMethod() {
		members[v.Type().Method(i).Name] = v.Method(i).Interface()
	}
	return members, nil
}
