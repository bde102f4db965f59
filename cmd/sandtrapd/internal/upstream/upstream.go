package upstream

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

// Options are for all servers.
type Options struct {
	Log *slog.Logger
}

// A Set is the servers of a configuration. It is safe for concurrent use, also if it is nil: then it has none.
type Set struct {
	servers  []*Server
	packages []sandtrap.Package // of the servers
}

// Open connects to all servers, and makes the functions of their tools. A server over stdio without leave to start its program is left out,
// and the log says so.
func Open(ctx context.Context, list []Config, o Options) (*Set, error) {
	var usable []*Config
	for i := range list {
		if c := &list[i]; c.Transport == Stdio && !c.MayStart {
			o.Log.Warn("an upstream server is left out: it has no leave to start its program, may_start: true", "server", c.Name, "command", c.Command)
		} else {
			usable = append(usable, c)
		}
	}
	servers, failed := make([]*Server, len(usable)), make([]error, len(usable))
	var all sync.WaitGroup
	for i, c := range usable {
		all.Go(func() { servers[i], failed[i] = open(ctx, c, o) })
	}
	all.Wait()
	set := &Set{servers: slices.DeleteFunc(servers, func(s *Server) bool { return s == nil })}
	if err := errors.Join(failed...); err != nil {
		set.Close()
		return nil, err
	}
	for _, s := range set.servers {
		set.packages = append(set.packages, s.add())
	}
	return set, nil
}

// Add gives a policy of a name the packages that are for it. Its guard decides about their members; see Guard.
func (s *Set) Add(policy string, p *sandtrap.Policy) {
	if s == nil {
		return
	}
	for i, server := range s.servers {
		if server.c.isFor(policy) {
			p.Packages = append(p.Packages, s.packages[i])
		}
	}
}

// Guard adds what the configuration says of each tool to the guard of a policy of a name. Lists of the guard that refuse or ask still do. It
// reports whether there is such a tool.
func (s *Set) Guard(policy string, g *guard.Policy) (has bool) {
	if s == nil {
		return false
	}
	for _, server := range s.servers {
		if !server.c.isFor(policy) {
			continue
		}
		for _, f := range server.functions {
			has = true
			name := server.member(f)
			switch f.Do {
			case Deny:
				g.Deny = append(g.Deny, name)
			case Ask:
				g.Ask = append(g.Ask, name)
				fallthrough
			case Allow:
				g.Grants = append(g.Grants, guard.Grant{Members: []string{name}, Reason: "the configuration of upstream servers"})
			}
		}
	}
	return has
}

func (c *Config) isFor(policy string) bool {
	return slices.Contains(c.Policies, policy) || slices.Contains(c.Policies, "*")
}

// Close ends all connections, and waits until no program runs any more.
func (s *Set) Close() {
	if s == nil {
		return
	}
	for _, server := range s.servers {
		server.close()
	}
}
