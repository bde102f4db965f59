package policies

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// List is the policies that a tenant may use, by name.
func (c *Catalog) List(ctx context.Context, tenant string) (list []*Info, err error) {
	names := map[string]bool{}
	for _, n := range builtins() {
		names[n] = true
	}
	who, err := c.tenants()
	if err != nil {
		return nil, err
	}
	files, err := c.fileNames()
	if err != nil {
		return nil, err
	}
	for _, n := range files {
		names[n] = true
	}
	if c.store != nil {
		rows, err := c.store.SentPolicies(ctx)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if i := infoOf(row); !names[row.Name] && i.allows(tenant) {
				list = append(list, i)
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(names)) {
		i, err := c.newest(ctx, tenant, n)
		if errors.Is(err, ErrUnknown) {
			continue // it is not for this tenant, or was removed in between
		}
		if err != nil { // one file that is malformed does not hide the others
			i = &Info{Name: n, Source: store.OfFile, About: "The file is malformed: the log of the server says why.", Tenants: who[n]}
		}
		if i.allows(tenant) {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(a, b *Info) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}
