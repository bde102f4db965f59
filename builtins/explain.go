package builtins

import (
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/internal/nearest"
)

// Facts describe a name that the table does not show.
type Facts struct {
	Exists  bool   // it exists in Go, but is not allowed
	Why     string // the reason, if Exists
	Instead string // an alternative; "" if there is none
	Near    string // the nearest allowed name in the same place; "" if none is near
}

const notSelected = "not among the packages this policy allows"

// Explain describes the member name of the package at path. name is "" for the package
// itself, else "Func", "Type", "Type.Method" or "Type.Field".
func (t *Table) Explain(path, name string) Facts {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.at(path)
	if p == nil || !p.open && !(p.shown && strings.Contains(name, ".")) {
		return t.explainPackage(path)
	}
	if b := t.baseFor(path); b != nil {
		return b.Explain(path, name)
	}
	if name == "" {
		return Facts{}
	}
	if row := p.row(name); row != nil && row.Deny {
		return Facts{Exists: true, Why: row.Why, Instead: row.Instead, Near: p.near(name)}
	}
	if owner, member, ok := strings.Cut(name, "."); ok {
		return p.explainMember(owner, member)
	}
	return Facts{Near: p.near(name)}
}

func (t *Table) explainPackage(path string) Facts {
	if !rows.HasWord(stdPaths, path) {
		return Facts{Near: nearest.Name(path, t.paths)}
	}
	f := Facts{Exists: true, Why: notSelected}
	for _, d := range deniedPackages {
		if names := strings.Fields(d.Names); matchesAny(names, path) {
			f.Instead = d.Instead
			if !InStd(path) || slices.Contains(names, path) { // the reason of a whole tree is not that of a package in it that is offered
				f.Why = d.Why
			}
			break
		}
	}
	if f.Instead != "" && !slices.Contains(t.paths, f.Instead) {
		f.Instead = ""
	}
	return f
}

// explainMember tells of a method or field of a type.
func (p *pkg) explainMember(owner, member string) Facts {
	row := p.row(owner)
	if row == nil || row.Deny || row.Typ() == nil {
		return Facts{}
	}
	names := strings.Fields(row.With)
	for name, m := range p.rowsByName() {
		if rest, ok := strings.CutPrefix(name, owner+"."); ok && !m.Deny {
			names = append(names, rest)
		}
	}
	slices.Sort(names)
	f := Facts{Near: nearest.Name(member, names)}
	if hasMember(row.Typ(), member) && !p.allows(row, member) {
		f.Exists, f.Why = true, "not among the members of "+p.Name+"."+owner+" that this policy allows"
	}
	return f
}

func hasMember(rt reflect.Type, name string) bool {
	if hasMethod(rt, name) {
		return true
	}
	if rt.Kind() != reflect.Struct {
		return false
	}
	f, ok := rt.FieldByName(name)
	return ok && f.IsExported()
}

// near is the nearest allowed name of the package.
func (p *pkg) near(name string) string {
	var names []string
	for have, row := range p.rowsByName() {
		if !row.Deny && !strings.Contains(have, ".") {
			names = append(names, have)
		}
	}
	if p.types != nil {
		for _, have := range p.types.Scope().Names() {
			if token.IsExported(have) {
				names = append(names, have)
			}
		}
	}
	slices.Sort(names)
	return nearest.Name(name, names)
}

// deniedPackages tells why packages of the standard library are not for scripts,
// and what to use instead. The first pattern that matches counts.
var deniedPackages = [...]Denial{
	{Names: "unsafe", Why: "unsafe gives access to the host's memory"},
	{Names: "os/exec", Why: "scripts may not start programs"},
	{Names: "os/user", Why: "scripts may not reach the host's users"},
	{Names: "os/signal", Why: notSelected},
	{Names: "syscall", Why: "scripts may not reach the operating system"},
	{Names: "runtime/cgo plugin", Why: "scripts may not reach the operating system"},
	{Names: "net", Why: notSelected, Instead: "net/netip"},
	{Names: "net/http", Why: "scripts have no network: this policy has no Network (--net in the command), which lists the requests that they may make; with net/http in Std they have its handlers and requests alone"},
	{Names: "net/http/cookiejar", Why: "scripts have no network: this policy has no Network (--net in the command), which lists the requests that they may make"},
	{Names: "net/... crypto/tls", Why: "scripts open no connections; with a Network of the policy they make requests with net/http", Instead: "net/http"},
	{Names: "reflect", Why: "reflection would reach what the policy hides"},
	{Names: "runtime/...", Why: "the runtime is the host's"},
	{Names: "io/fs io/ioutil path/filepath archive/...", Why: "scripts may not reach the host's files"},
	{Names: "embed/... debug/...", Why: "scripts may not reach the host's files"},
	{Names: "testing/...", Why: "scripts are not tests"},
	{Names: "log/...", Why: notSelected, Instead: "fmt"},
	{Names: "go/...", Why: "scripts may not work on Go code"},
	{Names: "crypto/rsa crypto/dsa crypto/ecdsa crypto/ecdh crypto/elliptic crypto/hpke crypto/mlkem/... crypto/x509/...", Why: "operations on its keys take long and cannot be stopped", Instead: "crypto/ed25519"},
	{Names: "crypto/des crypto/rc4", Why: "ciphers that are broken", Instead: "crypto/aes"},
	{Names: "image/gif", Why: "each frame has its own size, so the cost of decoding is not known before", Instead: "image/png"},
	{Names: "encoding/asn1", Why: "it reads values by reflection, which does not work for types of scripts", Instead: "encoding/binary"},
	{Names: "weak", Why: "it would show when the host's garbage collector runs"},
}
