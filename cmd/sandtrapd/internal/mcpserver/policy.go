package mcpserver

import (
	"context"
	"errors"
	"fmt"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/search"
)

// ByPolicy is o for a tenant and a policy that it names as a run does, for NewHTTP.
func ByPolicy(set *plans.Set, o Options) func(ctx context.Context, tenant, policy string) (*Options, error) {
	return func(ctx context.Context, tenant, policy string) (*Options, error) {
		box, err := boxOf(ctx, set, tenant, policy)
		if err != nil {
			if !errors.Is(err, runs.ErrRequest) {
				o.Log.Error("the policy of an address cannot be used", "tenant", tenant, "policy", policy, "error", err)
			}
			return nil, err
		}
		defer box.Release()
		own := o
		if policy != "" {
			own.Policies = []string{policy}
		}
		find, about, err := SearchOf(box)
		if find != nil {
			own.About = about
			own.Search = func(query string, limit int) []search.Hit { return searchNow(set, tenant, policy, query, limit) }
		}
		return &own, err
	}
}

// boxOf is the box of a policy of a tenant as it is now. The error matches runs.ErrRequest if the tenant has none.
func boxOf(ctx context.Context, set *plans.Set, tenant, policy string) (*plans.Box, error) {
	ref, err := set.Resolve(ctx, tenant, policy)
	if errors.Is(err, policies.ErrUnknown) {
		return nil, fmt.Errorf("%w: policy: %w", runs.ErrRequest, err)
	}
	if err != nil {
		return nil, err
	}
	return set.Get(ctx, ref, "")
}

// searchNow searches what a policy adds to Go as it is now: a newer version may have come since its clients did.
func searchNow(set *plans.Set, tenant, policy, query string, limit int) []search.Hit {
	box, err := boxOf(context.Background(), set, tenant, policy)
	if err != nil {
		return nil
	}
	defer box.Release()
	find, _, err := SearchOf(box)
	if find == nil || err != nil {
		return nil
	}
	return find(query, limit)
}

// SearchOf is the search of what the policy of a box adds to Go, and what it can find; nil if that is nothing.
func SearchOf(box *plans.Box) (find func(string, int) []search.Hit, about string, err error) {
	if len(box.Policy.Packages) == 0 && len(box.Policy.Funcs) == 0 {
		return nil, "", nil
	}
	index, err := box.Index()
	if err != nil {
		return nil, "", err
	}
	return index.Find, index.Describe(), nil
}
