package batches

import (
	"context"
	"fmt"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// Adopt moves lines to the queue that are in a store, of batches of before its server has joined a cluster. A line that is there twice begins
// one run.
func (q *Shared) Adopt(ctx context.Context, st *store.Store) error {
	tenants, err := st.BatchTenants(ctx)
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		for after := int64(0); ; {
			list, err := st.OpenBatches(ctx, tenant, after, 100)
			if err != nil {
				return err
			}
			if len(list) == 0 {
				break
			}
			for _, b := range list {
				after = b.Seq
				if err := q.adopt(ctx, st, Name{tenant, b.ID}); err != nil {
					return fmt.Errorf("the lines of %s: %w", b.ID, err)
				}
			}
		}
	}
	return nil
}

func (q *Shared) adopt(ctx context.Context, st *store.Store, of Name) error {
	moved := 0
	for last := 0; ; {
		lines, err := st.LinesOf(ctx, of.Tenant, of.Batch, last, packLines)
		if err != nil {
			return err
		}
		for _, line := range lines { // there may be gaps
			last = line.Number
			if err := q.Add(ctx, of, line.Number, [][]byte{line.Data}); err != nil {
				return err
			}
			moved++
		}
		if len(lines) == 0 {
			break
		}
	}
	if moved == 0 {
		return nil
	}
	return st.RemoveLines(of.Tenant, of.Batch)
}
