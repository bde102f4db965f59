package builtins

import (
	"maps"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/std"
	"github.com/sandtrap-go/sandtrap/internal/made"
	"github.com/sandtrap-go/sandtrap/internal/typename"
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
		base, _, _ := strings.Cut(full, "[") // type arguments have dots of their own
		i := strings.LastIndexByte(base, '.')
		return full[:max(i, 0)], full[i+1:]
	}
	return rt.PkgPath(), rt.Name()
}

// The name of a type, for scripts, is the one by which they can write it, wherever a type is shown to them or to a reader
// of theirs. A type of a package that scripts import, or of Go's library, has the name of that package before its own:
// shop.Tray, time.Time. Every other type of the host's has no package: it is Order if it needs no import, and if the
// policy lists it nowhere too, because what its package is called is the host's own affair. So such packages
// have the name "" here, and typename.Join, through which all that prints goes, writes nothing for it.

// packageName is the name of a package that says none itself.
func packageName(path string) string {
	if inGo(path) || path == shims || strings.HasPrefix(path, shims+"/") {
		return rows.LastElement(path)
	}
	if number, name, ok := strings.Cut(path, "/"); ok && strings.Trim(number, "0123456789") == "" {
		return name // of an unlisted type in a worker: see View
	}
	return ""
}

// ownName is the name of a type without its package. Types that are arguments of it have the names that scripts know. The lock is held.
func (t *Table) ownName(name string) string {
	head, args, generic := strings.Cut(name, "[")
	if !generic {
		return name
	}
	return head + "[" + argument().ReplaceAllStringFunc(args, func(arg string) string {
		i := strings.LastIndexByte(arg, '.')
		path, name := arg[:i], arg[i+1:]
		for rt, ref := range t.rows {
			if !ref.row.Deny && rt.PkgPath() == path && rt.Name() == name {
				return typename.Join(typename.Path(t.shell(ref.pkg)), ref.row.Name)
			}
		}
		return typename.Join(typename.Path(t.shellAt(path)), name)
	})
}

// argument matches a type of a package in the type arguments that are part of a name: its path, a dot, and its name.
var argument = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\pL\pN_~][\pL\pN_%./~+-]*\.[\pL_][\pL\pN_]*`)
})
