package isolate

// PoolStats describe the state of a pool.
type PoolStats struct {
	Starting int // workers that are being started
	Ready    int // workers that wait, and have had no tenant
	Busy     int // workers that run something for a tenant, or keep its session or functions
	Waiting  int // workers that wait for the next run of their tenant

	Queued  int   // runs that wait for a worker
	Tenants int   // tenants that have joined and not left
	Hired   int64 // number of hires since the pool was made
}

// Add adds the statistics of another pool.
func (s *PoolStats) Add(o PoolStats) {
	s.Starting, s.Ready, s.Busy, s.Waiting = s.Starting+o.Starting, s.Ready+o.Ready, s.Busy+o.Busy, s.Waiting+o.Waiting
	s.Queued, s.Tenants, s.Hired = s.Queued+o.Queued, s.Tenants+o.Tenants, s.Hired+o.Hired
}

// Stats returns the current statistics.
func (p *Pool[W]) Stats() (s PoolStats) {
	p.mu.Lock()
	defer p.mu.Unlock()
	count := map[state]*int{spawning: &s.Starting, warm: &s.Ready, busy: &s.Busy, tainted: &s.Waiting}
	for _, m := range p.members {
		if n := count[m.state]; n != nil {
			*n++
		}
	}
	s.Queued, s.Tenants, s.Hired = len(p.queue), len(p.tenants), p.served
	return s
}
