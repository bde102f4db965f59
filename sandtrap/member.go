package sandtrap

import (
	"context"
	"fmt"
	"io"
	"maps"

	"github.com/sandtrap-go/sandtrap/builtins"
)

// A Member is a member of Policy.Funcs or Package.Members with what is special about it.
// Under the name of a method, "DB.Exec", it has no Value, and is about that method.
type Member struct {
	Value any

	// Doc is a comment for a model to read, in [Plan.Reference] and [Plan.Declarations]; Docs of the policy or the
	// package that have the same name come before it. Params are the names of the parameters there, one for each that
	// scripts give: without a context.Context in the first place, which the run supplies.
	Doc    string
	Params []string

	// Opaque keeps scripts from making values of a struct type: they hold what functions
	// of the host give them, behind a pointer. Literals, new, variables, conversions, make
	// and type arguments of it are refused; type switches, assertions and passing it on
	// are not.
	Opaque bool

	// Blocking is for a function that waits for something: a network, a user, a disk. A call of it runs on a
	// goroutine of its own while the other goroutines of the script go on, so ten calls that take 100 ms each take
	// 100 ms together. It is given copies of the script's data. When the run ends before it returns it is given up:
	// its context, if its first parameter is one, is cancelled, and what it returns later is dropped.
	//
	// The script's functions among its arguments may be called from any goroutine, as long as the run goes on; see
	// [ErrRunOver]. Functions whose first parameter is a context.Context are not blocking by that: a call that is
	// over soon is cheaper on the goroutine of the script.
	Blocking bool

	// Network and HostFiles grant the functions of this member what CallInfo tells them: in the context
	// of that call alone. A function of the script
	// that the call calls, and what that calls, have no more than without it.
	Network, HostFiles bool
}

const (
	grantNetwork   = "network"
	grantHostFiles = "hostfiles"
)

func grants(network, hostFiles bool) string {
	var words string
	if network {
		words = grantNetwork
	}
	if hostFiles {
		words += " " + grantHostFiles
	}
	return words
}

// A CallInfo is what a function of the host learns of the call that a script makes of it, from the context that it
// was called with.
type CallInfo struct {
	// Stdout and Stderr are the output of the run, in Result.Stdout and Result.Stderr and where else it goes, in
	// order with what the script prints. They may be used from any goroutine; what comes after the end of the run
	// is dropped. With a context of no run they are those of the process, which no Result captures.
	Stdout, Stderr io.Writer

	// Network and HostFiles report that the function may use the network, or files of the host: they are for
	// functions that several members share to ask before they do. What a function does that does not ask is no
	// matter of the policy.
	Network, HostFiles bool
}

// CallInfoFrom is that of the call with the context ctx.
func CallInfoFrom(ctx context.Context) CallInfo {
	return CallInfo{
		Stdout: outputOf(ctx, false), Stderr: outputOf(ctx, true),
		Network: builtins.Granted(ctx, grantNetwork), HostFiles: builtins.Granted(ctx, grantHostFiles),
	}
}

// Needs reports whether any member that scripts may use is granted the network, or files of
// the host: a process that runs such scripts, and what they call, cannot do without.
func (p *Plan) Needs() (network, hostFiles bool) {
	for _, grant := range p.table.Grants() {
		network = network || grant == grantNetwork
		hostFiles = hostFiles || grant == grantHostFiles
	}
	return network, hostFiles
}

// registered translates members for package builtins. What the package is granted, each of
// them is.
func registered(members map[string]any, network, hostFiles bool) map[string]any {
	out := make(map[string]any, len(members))
	for name, value := range members {
		m, special := value.(Member)
		if !special && !network && !hostFiles {
			out[name] = value
			continue
		}
		if !special {
			m.Value = value
		}
		if m.Blocking {
			m.Value = blocking(m.Value)
		}
		out[name] = builtins.Registered{Value: m.Value, Handle: m.Opaque, Grants: grants(m.Network || network, m.HostFiles || hostFiles), Params: m.Params}
	}
	return out
}

// withTypes are the members of Funcs, with the types of plain data that these take and give and that no package has.
// Engine yaegi has no use for them.
func (p *Policy) withTypes() map[string]any {
	if p.Engine == "yaegi" {
		return p.Funcs
	}
	var listed []map[string]any
	for i := range p.Packages {
		listed = append(listed, registered(p.Packages[i].Members, false, false))
	}
	all := maps.Clone(p.Funcs)
	maps.Copy(all, builtins.DataTypes(registered(p.Funcs, false, false), listed...))
	return all
}

// blocking is fn, a function or one with more to say of it, as one that waits.
func blocking(fn any) any {
	f, ok := fn.(builtins.Function)
	if !ok {
		f = builtins.Function{Fn: fn}
	}
	f.Blocking = true
	return f
}

// members are those of a package, with the methods of its object.
func (p *Package) members() (map[string]any, error) {
	values, err := p.values()
	if err != nil {
		return nil, err
	}
	return registered(values, p.Network, p.HostFiles), nil
}

// values are its members as the host gives them, and the methods of its object.
func (p *Package) values() (map[string]any, error) {
	if p.Object == nil {
		return p.Members, nil
	}
	members := maps.Clone(p.Members)
	if members == nil {
		members = map[string]any{}
	}
	methods, err := builtins.Methods(p.Object)
	if err != nil {
		return nil, fmt.Errorf("%s: Object: %w", p.Path, err)
	}
	for name, m := range methods {
		if _, twice := members[name]; twice {
			return nil, fmt.Errorf("%s.%s: both a member and a method of Object", p.Path, name)
		}
		members[name] = m
	}
	return members, nil
}
