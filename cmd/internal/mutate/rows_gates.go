package mutate

// gatesRows are what stops a run, and keeps it stopped.
func gatesRows() []Mutation {
	return []Mutation{
		{
			ID: "meter/ticks", Defence: "no more ticks are granted than the limit allows",
			File:    "gates/meter.go",
			Old:     `n = min(n, l-m.granted.Load())`,
			New:     `n = min(n, l)`,
			Package: "./gates", Test: "TestTicksAreExact",
		}, {
			ID: "meter/alloc", Defence: "garbage counts for Limits.Alloc",
			File:    "gates/alloc.go",
			Old:     `m.limits.Alloc > 0 && all > m.limits.Alloc`,
			New:     `m.limits.Alloc > all && all > m.limits.Alloc`,
			Package: "./sandtrap/sandtraptest", Test: "TestAllocLimit",
		}, {
			ID: "meter/time", Defence: "a grant after the deadline is refused",
			File:    "gates/meter.go",
			Old:     `case !m.deadline.IsZero() && time.Until(m.deadline) <= 0 && time.Until(m.Deadline()) <= 0:`,
			New:     `case !m.deadline.IsZero() && m.started.IsZero():`,
			Package: "./gates", Test: "TestOrderOfStops|TestCredit",
		}, {
			ID: "meter/stood", Defence: "the clock of a run stands for a day at most, whoever is asked",
			File:    "gates/credit.go",
			Old:     `min(stood, MostStood)`,
			New:     `max(stood, 0*MostStood)`,
			Package: "./gates", Test: "TestStandBounded",
		}, {
			ID: "meter/context", Defence: "a cancelled context ends the run",
			File:    "gates/meter.go",
			Old:     `case m.cancelled.Load() || err == context.Canceled:`,
			New:     `case m.cancelled.Load() && err != context.Canceled:`,
			Package: "./gates", Test: "TestCancelAnyTime",
		}, {
			ID: "meter/sticks", Defence: "the first stop of a run stays its stop",
			File:    "gates/meter.go",
			Old:     "if old := m.stop.Load(); old != nil {\n\t\treturn old",
			New:     "if old := m.stop.Load(); old != nil && s == nil {\n\t\treturn old",
			Package: "./gates", Test: "TestStopSticks",
		}, {
			ID: "meter/after-stop", Defence: "nothing is granted after a stop",
			File:    "gates/meter.go",
			Old:     "if s := m.stop.Load(); s != nil {\n\t\treturn s\n\t}\n\terr := m.ctx.Err()",
			New:     "err := m.ctx.Err()",
			Package: "./gates", Test: "TestStopSticks",
		}, {
			ID: "meter/spend-ticks", Defence: "work that cannot be interrupted is refused if there are not enough ticks for it",
			File:    "gates/meter.go",
			Old:     `used-maxGrant > m.limits.Ticks`,
			New:     `used < 0`,
			Package: "./gates", Test: "TestSpend",
		}, {
			ID: "meter/afford", Defence: "work that cannot be interrupted is refused if there is not enough time for it",
			File:    "gates/meter.go",
			Old:     `time.Until(m.Deadline()) < d {`,
			New:     `time.Until(m.Deadline()) < 0 {`,
			Package: "./gates", Test: "TestSpend",
		}, {
			ID: "meter/memory", Defence: "memory beyond the limit stops the run before it is allocated",
			File:    "gates/alloc.go",
			Old:     "if m.live > limit {\n\t\t\treturn m.Trip",
			New:     "if m.live < 0 {\n\t\t\treturn m.Trip",
			Package: "./gates", Test: "TestCharge|TestHolds",
		}, {
			ID: "meter/negative", Defence: "a negative size gives no credit",
			File:    "gates/alloc.go",
			Old:     `if n < 0 || (limit > 0 && n > limit) {`,
			New:     `if limit > 0 && n > limit {`,
			Package: "./gates", Test: "TestCharge",
		}, {
			ID: "meter/held-before", Defence: "memory that a session held before a run counts",
			File:    "gates/alloc.go",
			Old:     `func (m *Meter) Holds(n int64) { m.live += n }`,
			New:     `func (m *Meter) Holds(n int64) {}`,
			Package: "./gates", Test: "TestHolds",
		}, {
			ID: "meter/large", Defence: "a large block is refused if there is not enough time to fill it",
			File:    "gates/alloc.go",
			Old:     `if n >= largeBlock {`,
			New:     `if n < 0 && n >= largeBlock {`,
			Package: "./gates", Test: "TestChargeTakesTime",
		}, {
			ID: "meter/output", Defence: "output that is kept is bounded by the memory limit of the run",
			File:    "gates/alloc.go",
			Old:     `m.limits.Memory > 0 && kept > m.limits.Memory {`,
			New:     `m.limits.Memory > 0 && kept < 0 {`,
			Package: "./gates", Test: "TestKeep",
		}, {
			ID: "meter/credit", Defence: "the time in host functions that does not count is bounded",
			File:    "gates/credit.go",
			Old:     `return min(d, c.most) + min(`,
			New:     `return d + min(`,
			Package: "./gates", Test: "TestCredit",
		}, {
			ID: "meter/credit-host", Defence: "time in host functions does not extend a deadline of the host's context",
			File:    "gates/meter.go",
			Old:     `m.credit.most, m.credit.others = 0, true`,
			New:     `m.credit.most = l.HostTime`,
			Package: "./gates", Test: "TestCredit",
		}, {
			ID: "meter/tail", Defence: "no more output is held than the limit allows",
			File:    "gates/tail.go",
			Old:     `if o.limit > 0 && int64(len(o.buf)) > 2*o.limit {`,
			New:     `if o.limit > 0 && int64(len(o.buf)) < 0 {`,
			Package: "./gates", Test: "TestTail.*",
		}, {
			ID: "meter/recover", Defence: "the script's recover does not get a stop",
			File:    "gates/bind.go",
			Old:     `if s, ok := v.(*Stop); ok {`,
			New:     `if s, ok := v.(*Stop); ok && s == nil {`,
			Package: "./gates", Test: "TestRecover",
		}, {
			ID: "meter/bound-twice", Defence: "a gate cannot be bound twice",
			File:    "gates/bind.go",
			Old:     "case b.values[i].IsValid() || b.types[i] != nil:\n\t\treturn fmt.Errorf(\"gate %d: %w\", i, errBound)\n\t}\n\tb.values[i] = f",
			New:     "case b.values == nil:\n\t\treturn fmt.Errorf(\"gate %d: %w\", i, errBound)\n\t}\n\tb.values[i] = f",
			Package: "./gates", Test: "TestBind.*",
		},
	}
}
