package limits

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/cmd/internal/trustedfile"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
)

// Limits are those of a tenant. 0 is nothing at all.
type Limits struct {
	RunsAtOnce        int   `yaml:"runs_at_once"`         // that go on, or wait for their turn
	RunsPerMinute     int   `yaml:"runs_per_minute"`      // that begin
	RunSecondsPerHour int   `yaml:"run_seconds_per_hour"` // that runs take, in the last 60 minutes
	Bytes             int64 `yaml:"bytes"`                // that are kept: of runs, their journals, events and artifacts, and of sessions
	PendingRuns       int   `yaml:"pending_runs"`         // that wait for answers, or can come to that
	QueuedLines       int   `yaml:"queued_lines"`         // of batches that have not ended
	Weight            int   `yaml:"weight"`               // no limit: how many turns the tenant gets while others that wait get one each

	servers int // that share the first three
}

// Default is for tenants that no file has limits for. It keeps a client that has gone wrong from filling the disk, and leaves one
// tenant the whole machine.
func Default() Limits {
	return Limits{RunsAtOnce: 2000, RunsPerMinute: 60_000, RunSecondsPerHour: 2 * 3600 * runtime.GOMAXPROCS(0), Bytes: 10 << 30, PendingRuns: 10_000, QueuedLines: 200_000, Weight: 1}
}

// share is what one of so many servers lets a tenant have of what each counts by itself: none less than one, unless the tenant has nothing.
func (l Limits) share(servers int) Limits {
	l.servers = servers
	for _, n := range []*int{&l.RunsAtOnce, &l.RunsPerMinute, &l.RunSecondsPerHour} {
		*n = max(min(1, *n), *n/max(1, servers))
	}
	return l
}

// A Table is the limits of all tenants.
type Table struct {
	others  Limits
	tenants map[string]Limits
}

// Of is the limits of a tenant.
func (t *Table) Of(tenant string) Limits {
	if l, ok := t.tenants[tenant]; ok {
		return l
	}
	return t.others
}

// Read reads a file of limits, which nobody else may change.
func Read(path string) (*Table, error) {
	text, err := trustedfile.Read(path)
	if err != nil {
		return nil, fmt.Errorf("the limits: %w", err)
	}
	return Parse(path, text)
}

// Parse reads limits in YAML, or JSON, which is YAML too. Under default are those of each tenant; under tenants, by name, are those
// that one has instead. The error has the line.
func Parse(name string, text []byte) (*Table, error) {
	t, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return t, nil
}

func parse(text []byte) (*Table, error) {
	t := &Table{others: Default(), tenants: map[string]Limits{}}
	var others *yaml.Node
	tenants := map[string]*yaml.Node{} // they may stand before the default
	err := policyfile.Document(bytes.NewReader(text), "the limits", func(key, value *yaml.Node) error {
		return policyfile.Known("the limits", key, value, map[string]func(*yaml.Node) error{
			"default": func(n *yaml.Node) error { others = n; return nil },
			"tenants": func(n *yaml.Node) error {
				return policyfile.Fields("tenants", n, func(key, value *yaml.Node) error {
					tenants[key.Value] = value
					return keys.Check(key.Value, keys.User)
				})
			},
		})
	})
	if err == nil && others != nil {
		err = t.others.read("default", others)
	}
	if err != nil {
		return nil, err
	}
	for tenant, n := range tenants {
		l := t.others
		if err := l.read("tenants."+tenant, n); err != nil {
			return nil, err
		}
		t.tenants[tenant] = l
	}
	return t, nil
}

// read sets what n names, which is what.
func (l *Limits) read(what string, n *yaml.Node) error {
	limits := map[string]func(*yaml.Node) error{
		"runs_at_once": number(&l.RunsAtOnce), "runs_per_minute": number(&l.RunsPerMinute), "run_seconds_per_hour": number(&l.RunSecondsPerHour),
		"bytes": number(&l.Bytes), "pending_runs": number(&l.PendingRuns), "queued_lines": number(&l.QueuedLines), "weight": weight(&l.Weight),
	}
	return policyfile.Fields(what, n, func(key, value *yaml.Node) error { return policyfile.Known(what, key, value, limits) })
}

func number[T int | int64](to *T) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		if err := n.Decode(to); err != nil || *to < 0 || n.ShortTag() != "!!int" {
			return errors.New("want a number, 0 or more")
		}
		return nil
	}
}

// maxWeight bounds a weight.
const maxWeight = 1000

func weight(to *int) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		if err := n.Decode(to); err != nil || *to < 1 || *to > maxWeight || n.ShortTag() != "!!int" {
			return fmt.Errorf("want a number from 1 to %d", maxWeight)
		}
		return nil
	}
}
