package runs

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestBusy: a tenant whose runs wait in great number, or with many bytes, is refused, and another is not, until all have no room.
func TestBusy(t *testing.T) {
	for _, size := range []int{1, 1 << 20} {
		l := load{tenants: map[string]burden{}}
		var rows []*store.Run
		fill := func(tenant string) {
			for range maxLive + 1 {
				row := &store.Run{Tenant: tenant, Code: string(make([]byte, size))}
				if err := l.room(row); err != nil {
					if b, ok := errors.AsType[*Busy](err); !ok || !errors.Is(err, ErrBusy) || !b.Tenant || b.After < time.Second || b.After > time.Minute {
						t.Errorf("%+v", err)
					}
					return
				}
				l.add(row)
				rows = append(rows, row)
			}
			t.Errorf("%s has no bound", tenant)
		}
		for i := range 4 {
			before := len(rows)
			fill(fmt.Sprint("tenant", i))
			if n := len(rows) - before; n != min(maxTenantLive, maxTenantBytes/size) {
				t.Errorf("tenant %d has %d runs of %d bytes", i, n, size)
			}
		}
		err := l.room(&store.Run{Tenant: "another", Code: string(make([]byte, size))})
		if b, ok := errors.AsType[*Busy](err); !ok || !errors.Is(err, ErrBusy) || b.Tenant || b.After < time.Second || b.After > time.Minute {
			t.Errorf("all have no room: %+v", err)
		}
		for _, row := range rows {
			l.remove(row)
		}
		if len(l.tenants) != 0 || l.all.runs != 0 || l.all.bytes != 0 {
			t.Errorf("after all: %+v", l)
		}
	}
}
