package plans

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// decides puts the guard of the policy before its calls and those of upstream servers, or one that only records, with the record of the server: if that cannot be
// written no call is made, whatever the policy says.
func (s *Set) decides(d *draft, ref policies.Ref) {
	p := guard.Policy{Deny: d.file.Closed(), MaxRisk: decide.Critical, Default: guard.DenyByDefault} // what it does not list it denies
	if d.file.Guard != nil {
		p = *d.file.Guard
	}
	has := s.o.Upstream.Guard(d.name, &p)
	if d.file.Guard == nil && !has && s.o.Record == nil {
		return
	}
	p.Record, p.RecordMayFail = s.o.Record, false
	p.Approver = later{}
	p.Counts = func(who decide.Subject) *guard.Counts { return s.counts.of(who.Tenant, ref) }
	if why := holds(&d.box.Policy); why != "" {
		p.Approver = nobody{why}
	}
	d.guard = d.file.GuardOf(p)
	d.box.Policy.Guard = d.guard
	if s.o.Record != nil && d.box.Policy.Isolation == sandtrap.Kernel {
		d.box.Policy.Audit = (&syscalls{s.o.Record, rate.NewLimiter(rate.Every(100*time.Millisecond), 100)}).refused
	}
}

// counts are what the runs of a tenant have used of the rates and the budget of a version of a policy, whichever tools they have, until
// the server ends: no tenant uses up those of another one, and none has them anew with other tools.
type counts struct {
	mu sync.Mutex
	by map[spender]*guard.Counts
}

type spender struct {
	tenant string
	policy policies.Ref
}

func (c *counts) of(tenant string, ref policies.Ref) *guard.Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := spender{tenant, ref}
	own := c.by[key]
	if own == nil {
		if c.by == nil {
			c.by = map[spender]*guard.Counts{}
		}
		own = new(guard.Counts)
		c.by[key] = own
	}
	return own
}

// later is the approver of runs that wait: who answers comes later.
type later struct{}

func (later) Ask(_ context.Context, requests []decide.Request) (answers []decide.Answer, err error) {
	for _, r := range requests {
		answers = append(answers, decide.Answer{ID: r.ID, Verdict: decide.Later})
	}
	return answers, nil
}

// nobody is the approver of runs that cannot wait, because the policy has something that no journal repeats.
type nobody struct{ why string }

func (n nobody) Ask(_ context.Context, requests []decide.Request) (answers []decide.Answer, err error) {
	for _, r := range requests {
		answers = append(answers, decide.Answer{ID: r.ID, Verdict: decide.Deny, Reason: "it needs approval, and a run whose policy has " + n.why + " cannot wait for that"})
	}
	return answers, nil
}

// syscalls has refused system calls of workers in the record. A worker that was taken over can make them as fast as the machine can:
// above ten a second only the first ones are there.
type syscalls struct {
	to    record.Sink
	limit *rate.Limiter
}

// ownStat is read by the server of NATS, which this program links, once a second in each process of it: it has a timer for that from its init.
// A worker is process 1 of its namespace.
const ownStat = "/proc/1/stat"

func (s *syscalls) refused(r audit.Refusal) {
	if r.Call == "openat" && r.Path == ownStat {
		return
	}
	if s.limit.Allow() {
		_ = s.to.Write(record.Syscall(decide.Subject{}, r)) // a sink that has failed gives the error to the next call
	}
}
