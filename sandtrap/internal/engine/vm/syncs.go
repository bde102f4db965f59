package vm

// The types of package sync are host values to the script, but a host mutex
// would block the one Go goroutine that all tasks share. Their state is here
// instead, by address of the host value.

// lockState is a Mutex or RWMutex.
type lockState struct {
	held    bool
	readers int
	queue   []lockWait
}

type lockWait struct {
	t    *task
	read bool
}

type groupState struct {
	n       int
	waiting []*task
}

type onceState struct {
	running, done bool
	waiting       []*task
}

type condState struct{ waiting []*task }

func syncState[T any](m *machine, key any) *T {
	if key == nil {
		throwNil()
	}
	if m.syncs == nil {
		m.syncs = map[any]any{}
	}
	s, ok := m.syncs[key].(*T)
	if !ok {
		s = new(T)
		m.syncs[key] = s
	}
	return s
}

func init() {
	for name, do := range map[string]func(*machine, *ext){
		"(*sync.Mutex).Lock":      func(m *machine, x *ext) { m.lock(m.R[x.regs[0]], false) },
		"(*sync.Mutex).TryLock":   func(m *machine, x *ext) { m.I[x.a] = b2i(m.tryLock(m.R[x.regs[0]], false)) },
		"(*sync.Mutex).Unlock":    func(m *machine, x *ext) { m.unlock(m.R[x.regs[0]], false, "sync: unlock of unlocked mutex") },
		"(*sync.RWMutex).Lock":    func(m *machine, x *ext) { m.lock(m.R[x.regs[0]], false) },
		"(*sync.RWMutex).TryLock": func(m *machine, x *ext) { m.I[x.a] = b2i(m.tryLock(m.R[x.regs[0]], false)) },
		"(*sync.RWMutex).Unlock": func(m *machine, x *ext) {
			m.unlock(m.R[x.regs[0]], false, "sync: Unlock of unlocked RWMutex")
		},
		"(*sync.RWMutex).RLock": func(m *machine, x *ext) { m.lock(m.R[x.regs[0]], true) },
		"(*sync.RWMutex).RUnlock": func(m *machine, x *ext) {
			m.unlock(m.R[x.regs[0]], true, "sync: RUnlock of unlocked RWMutex")
		},
		"(*sync.WaitGroup).Add":  func(m *machine, x *ext) { m.groupAdd(m.R[x.regs[0]], int(m.I[x.regs[1]])) },
		"(*sync.WaitGroup).Done": func(m *machine, x *ext) { m.groupAdd(m.R[x.regs[0]], -1) },
		"(*sync.WaitGroup).Wait": doGroupWait,
		"(*sync.WaitGroup).Go":   doGroupGo,
		"(*sync.Once).Do":        doOnce,
		"(*sync.Cond).Wait":      doCondWait,
		"(*sync.Cond).Signal":    func(m *machine, x *ext) { m.condWake(m.R[x.regs[0]], 1) },
		"(*sync.Cond).Broadcast": func(m *machine, x *ext) { m.condWake(m.R[x.regs[0]], 1<<30) },
	} {
		intrinsics[name] = do
	}
}

func (m *machine) tryLock(key any, read bool) bool {
	s := syncState[lockState](m, key)
	if s.held || !read && s.readers > 0 || len(s.queue) > 0 {
		return false
	}
	if read {
		s.readers++
	} else {
		s.held = true
	}
	return true
}

func (m *machine) lock(key any, read bool) {
	if m.tryLock(key, read) {
		return
	}
	s := syncState[lockState](m, key)
	s.queue = append(s.queue, lockWait{m.t, read})
	m.park("sync.Mutex.Lock")
}

func (m *machine) unlock(key any, read bool, bad string) {
	s := syncState[lockState](m, key)
	if read && s.readers == 0 || !read && !s.held {
		m.halt(&stopped{text: "fatal error: " + bad})
	}
	if read {
		s.readers--
	} else {
		s.held = false
	}
	for len(s.queue) > 0 && !s.held {
		w := s.queue[0]
		if !w.read && s.readers > 0 {
			break
		}
		s.queue = s.queue[1:]
		if w.read {
			s.readers++
		} else {
			s.held = true
		}
		m.ready(w.t)
	}
	if !s.held && s.readers == 0 && len(s.queue) == 0 {
		delete(m.syncs, key)
	}
}

func (m *machine) groupAdd(key any, n int) {
	s := syncState[groupState](m, key)
	s.n += n
	if s.n < 0 {
		throw("sync: negative WaitGroup counter")
	}
	if s.n == 0 {
		for _, t := range s.waiting {
			m.ready(t)
		}
		delete(m.syncs, key)
	}
}

func doGroupWait(m *machine, x *ext) {
	s := syncState[groupState](m, m.R[x.regs[0]])
	if s.n > 0 {
		s.waiting = append(s.waiting, m.t)
		m.park("sync.WaitGroup.Wait")
	}
}

// doGroupGo starts a task that counts itself off when it ends, by a deferred
// call that is there before its function starts.
func doGroupGo(m *machine, x *ext) {
	key := m.R[x.regs[0]]
	c, _ := m.R[x.regs[1]].(*Closure)
	if c == nil || c.fn == nil {
		throwNil()
	}
	m.groupAdd(key, 1)
	m.spawn(callRec{fn: c.fn, n: 1, cells: &Obj{R: []any{c}}})
	t := m.runq[len(m.runq)-1]
	t.atEnd = func() { m.groupAdd(key, -1) }
}

func doOnce(m *machine, x *ext) {
	s := syncState[onceState](m, m.R[x.regs[0]])
	switch {
	case s.done:
		return
	case s.running:
		s.waiting = append(s.waiting, m.t)
		m.park("sync.Once.Do")
		return
	}
	c, _ := m.R[x.regs[1]].(*Closure)
	if c == nil || c.fn == nil {
		throwNil()
	}
	s.running = true
	defer func() {
		s.done = true
		for _, t := range s.waiting {
			m.ready(t)
		}
	}()
	m.callback(c.fn, c, &Obj{}, 0)
}

func doCondWait(m *machine, x *ext) {
	panic("vm: sync.Cond is not done yet")
}

func (m *machine) condWake(key any, n int) {
	s := syncState[condState](m, key)
	for ; n > 0 && len(s.waiting) > 0; n-- {
		m.ready(s.waiting[0])
		s.waiting = s.waiting[1:]
	}
}
