package mutate

// loadRows are defences of the service against a disk that is full, and against tenants that take what is for all.
func loadRows() []Mutation {
	return []Mutation{
		{
			ID: "load/unwritten", Defence: "an outcome that the disk does not take is written when it does",
			File: "cmd/sandtrapd/internal/runs/finish.go", Old: "if !errors.Is(err, store.ErrDisk) {", New: "if err != nil {",
			Package: "./cmd/sandtrapd/internal/cli", Test: "TestFullDisk",
		},
		{
			ID: "load/ready", Defence: "a server whose disk is full is not ready",
			File: "cmd/sandtrapd/internal/store/stats.go", Old: "c.failing.Store(err != nil)", New: "c.failing.Store(false)",
			Package: "./cmd/sandtrapd/internal/cli", Test: "TestFullDisk",
		},
		{
			ID: "load/record", Defence: "a record that could not be written goes on when it can",
			File: "cmd/sandtrapd/internal/trail/reopen.go", Old: "if t.closed || time.Since(t.tried) < reopenEach {", New: "if !t.closed {",
			Package: "./cmd/sandtrapd/internal/trail", Test: "TestWriteAgain",
		},
		{
			ID: "load/last-turn", Defence: "no tenant has the last one of several turns",
			File: "cmd/sandtrapd/internal/runs/turns.go", Old: "return t.free > 0 && t.had[tenant] < t.most", New: "return t.free > 0",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestLastTurn",
		},
		{
			ID: "load/held-turn", Defence: "a run whose outcome is not written keeps another one from its turn",
			File: "cmd/sandtrapd/internal/runs/turns.go", Old: "	defer t.mu.Unlock()\n	t.has(tenant)\n", New: "	defer t.mu.Unlock()\n",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestHold",
		},
	}
}
