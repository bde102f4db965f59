package api

import (
	"context"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// sees is whose things the key may see.
func (c *call) sees() string { return c.orAll(keys.Operator) }

// changes is whose things the key may change.
func (c *call) changes() string { return c.orAll(keys.Admin) }

// orAll is the tenant of the key, or all of them from a role on.
func (c *call) orAll(from keys.Role) string {
	if c.key.Role.May(from) {
		return store.All
	}
	return c.key.Tenant
}

// tenantParameter is read by ofTenant.
var tenantParameter = parameter{"tenant", "whose: a tenant, or * for all; other ones than that of the key need the role operator"}

// ofTenant is the tenant that the query asks for: that of the key if it names none. To users every other one is forbidden, whether or
// not there is such a tenant.
func (c *call) ofTenant() (string, error) {
	name := c.q.URL.Query().Get("tenant")
	switch {
	case name == "" || name == c.key.Tenant:
		return c.key.Tenant, nil
	case !c.key.Role.May(keys.Operator):
		return "", problem.New(problem.Forbidden, "tenant: other tenants are seen with the role operator; the key has "+string(c.key.Role)).About("tenant")
	case name != store.All && keys.Check(name, keys.User) != nil:
		return "", problem.New(problem.Invalid, "tenant: want the name of a tenant, or * for all").About("tenant")
	}
	return name, nil
}

// untilRevoked is a context that ends when ctx ends, or when a key is revoked.
func untilRevoked(ctx context.Context, key *keys.Held) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(key.Revoked(), func() { cancel(context.Cause(key.Revoked())) })
	return ctx, func() { stop(); cancel(nil) }
}
