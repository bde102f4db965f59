package builtins

import (
	"reflect"
	"strings"
	"sync"
)

// goNames are the names in Go of the types of ours that stand in for some of the standard library.
var goNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for _, p := range std {
		for i := range p.Members {
			row := &p.Members[i]
			if rt := row.typ(); p.scan && rt != nil && rt.PkgPath() == reflect.TypeFor[Table]().PkgPath() && !strings.Contains(row.Name, ".") {
				names[rt.String()] = lastElement(p.Path) + "." + row.Name
			}
		}
	}
	return names
})

// GoName is the name of a type, as reflection gives it, by which scripts know it.
func GoName(typ string) string {
	base := strings.TrimLeft(typ, "*[]")
	if name, ok := goNames()[base]; ok {
		return typ[:len(typ)-len(base)] + name
	}
	if name, ours := strings.CutPrefix(base, "builtins."); ours && (strings.HasSuffix(name, "Ctx") || name == "lentContext") {
		return typ[:len(typ)-len(base)] + "context." + name
	}
	return typ
}
