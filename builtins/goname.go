package builtins

import (
	"maps"
	"reflect"
	"strings"
	"sync"

	"github.com/sandtrap-go/sandtrap/builtins/internal/std"
	"github.com/sandtrap-go/sandtrap/internal/made"
)

// hiddenNames are the names in Go of types of ours that no row is of, which stand in for private ones: scripts meet their
// values in interfaces.
var hiddenNames = map[string]string{
	"context.emptyCtx": "context.backgroundCtx", "context.cancelCtx": "context.cancelCtx",
	"context.timerCtx": "context.timerCtx", "context.withoutCancelCtx": "context.withoutCancelCtx", "context.lentContext": "context.lentContext",
	"log.defaultHandler": "log/slog.defaultHandler", "sync.readLocker": "sync.rlocker",
	"shim.Digest32": "hash.digest32", "shim.Digest64": "hash.digest64",
	"vfs.fault": "syscall.Errno", "printer.borrowedState": "fmt.pp", "wrap.borrowedScan": "fmt.ss", "mirror.Rtype": "reflect.rtype",
}

// goNames are the names in Go of the types of ours that stand in for some of the standard library, with the paths of their
// packages.
var goNames = sync.OnceValue(func() map[string]string {
	names := maps.Clone(hiddenNames)
	for _, p := range std.All {
		for i := range p.Members {
			row := &p.Members[i]
			if rt := row.Typ(); p.Renamed && rt != nil && ofShims(rt) && !strings.Contains(row.Name, ".") {
				names[rt.String()] = p.Path + "." + row.Name
			}
		}
	}
	return names
})

// GoName returns the name by which scripts know a type, given its name in package
// reflect.
func GoName(typ string) string {
	base := strings.TrimLeft(typ, "*[]")
	if name, ok := goNames()[base]; ok {
		return typ[:len(typ)-len(base)] + name[strings.LastIndexByte(name, '/')+1:]
	}
	return typ
}

// shims is the path of the package below which those of all shims are.
var shims = reflect.TypeFor[Env]().PkgPath()

// ofShims reports a type of ours that shims make.
func ofShims(rt reflect.Type) bool {
	return rt.PkgPath() == shims || strings.HasPrefix(rt.PkgPath(), shims+"/")
}

// ours is how the paths of this module's packages begin.
var ours = strings.TrimSuffix(reflect.TypeFor[Table]().PkgPath(), "builtins")

// NameOf is the path of the package of a type with a name, and the name: those of Go for a type of ours.
func nameOf(rt reflect.Type) (path, name string) {
	full, ok := made.Name(rt)
	if !ok && strings.HasPrefix(rt.PkgPath(), ours) {
		full, ok = goNames()[rt.String()]
	}
	if ok {
		i := strings.LastIndexByte(full, '.')
		return full[:max(i, 0)], full[i+1:]
	}
	return rt.PkgPath(), rt.Name()
}
