package sandtrap

import (
	"context"
	"fmt"
	"io"
	"maps"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A Member is a member of Policy.Funcs or Package.Members with attributes. Under the name
// of a method, "DB.Exec", it has no Value, and its attributes are those of the method.
type Member struct {
	Value any

	// Doc is a comment for a model to read, in [Plan.Reference] and [Plan.Declarations]; an entry of the same name in
	// Docs of the policy or the package overrides it. Params are the names of the parameters there, one for each that
	// scripts pass: without a leading context.Context, which the run supplies.
	Doc    string
	Params []string

	// Opaque keeps scripts from making values of a struct type: they hold pointers that host
	// functions return. Literals, new, variables, conversions, make and type arguments of it
	// are refused; type switches, assertions and passing values on are allowed.
	Opaque bool

	// Blocking is for a function that waits for something: a network, a user, a disk. A call of it runs on a
	// goroutine of its own while the other goroutines of the script go on, so ten calls that take 100 ms each take
	// 100 ms together. It gets copies of the script's data. If the run ends before it returns, it is abandoned: its
	// context, if its first parameter is one, is cancelled, and its later result is dropped.
	//
	// The script's functions among its arguments may be called from any goroutine, as long as the run goes on; see
	// [ErrRunOver]. A context.Context as first parameter does not make a function blocking: a short call is
	// cheaper on the goroutine of the script.
	Blocking bool

	// Pauses is for a function whose result comes from elsewhere, later: a run of package durable that calls it waits for
	// an answer, and does not call Value; other runs do.
	Pauses bool

	// Risk, Requires, Class, Cost and Rate are declarations of a function for the Guard of the policy: how much harm a call
	// can do, names of permissions for it, how confidential its data is, its cost in units of the guard's budget, and
	// how often it may be called in a minute. A member that declares one of them is closed where the policy has no Guard.
	Risk     decide.Risk
	Requires []string
	Class    decide.Class
	Cost     int64
	Rate     int

	// Network and HostFiles are grants for the functions of this member, which CallInfo reports in the
	// context of that call only. A callback into the script, and calls that it makes, do not get them.
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

// A CallInfo describes a call of a host function by a script. The function gets it from its context.
type CallInfo struct {
	// Stdout and Stderr are the output of the run, in order with the script's own, and appear wherever that does,
	// as in Result.Stdout and Result.Stderr. They may be used from any goroutine; output after the end of the run
	// is dropped. For a context that belongs to no run they are those of the process, which no Result captures.
	Stdout, Stderr io.Writer

	// Network and HostFiles report that the function may use the network, or files of the host. A function
	// that several members share should check them first. The policy does not control functions that do not
	// check.
	Network, HostFiles bool

	// ID is the number of the call in a run of package durable, 0 in others. It is the same whenever the run is repeated, so
	// that a function which is called again, since its result did not come into the journal, can find out. Other runs have the
	// same numbers: which run it is the host says by a value in the context of Start and Resume.
	ID int
}

// CallInfoFrom returns the CallInfo of the call with the context ctx.
func CallInfoFrom(ctx context.Context) CallInfo {
	return CallInfo{
		Stdout: outputOf(ctx, false), Stderr: outputOf(ctx, true),
		Network: builtins.Granted(ctx, grantNetwork), HostFiles: builtins.Granted(ctx, grantHostFiles),
		ID: script.CallOf(ctx).Number,
	}
}

// Needs reports whether any member that scripts may use is granted the network, or files of
// the host: the process that runs such members needs them.
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
