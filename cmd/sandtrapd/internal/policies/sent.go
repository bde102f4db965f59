package policies

import (
	"context"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A Sender keeps policies that are sent: the store, or the ledger that several servers share.
type Sender interface {
	SendPolicy(p *store.Policy) error
}

// Share has policies be kept by a sender from now on, and reads those of the store again.
func (c *Catalog) Share(ctx context.Context, by Sender) error {
	c.put.Lock()
	defer c.put.Unlock()
	c.sender = by
	return c.readSent(ctx)
}

// readSent reads who may use the policies of the store.
func (c *Catalog) readSent(ctx context.Context) error {
	rows, err := c.store.SentPolicies(ctx)
	if err != nil {
		return err
	}
	sent := map[string][]string{}
	for _, row := range rows {
		sent[row.Name] = row.Tenants
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = sent
	return nil
}
