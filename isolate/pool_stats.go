package isolate

// PoolStats say what a pool does now, and what it has done.
type PoolStats struct {
	Starting int // workers that are being started
	Ready    int // workers that wait, and have had no tenant
	Busy     int // workers that do something for a tenant, or keep a session or functions for him
	Waiting  int // workers that wait for their tenant to come again

	Queued  int   // runs that wait for a worker
	Tenants int   // that have joined and not left
	Hired   int64 // times that a worker was given to a tenant, since the pool was made
}

// Add adds those of another pool.
func (s *PoolStats) Add(o PoolStats) {
	s.Starting, s.Ready, s.Busy, s.Waiting = s.Starting+o.Starting, s.Ready+o.Ready, s.Busy+o.Busy, s.Waiting+o.Waiting
	s.Queued, s.Tenants, s.Hired = s.Queued+o.Queued, s.Tenants+o.Tenants, s.Hired+o.Hired
}

// Stats are those of now.
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
