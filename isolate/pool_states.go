package isolate

// A state is that of a worker in a pool.
type state string

const (
	spawning state = "spawning" // it is being started
	warm     state = "warm"     // it waits, and has had no tenant
	busy     state = "busy"     // it does something for its tenant
	tainted  state = "tainted"  // it waits for its tenant, and is given to no other
	dead     state = "dead"     // it is ended, or will be at once
)

// An event is what happens to a worker in a pool.
type event string

const (
	started  event = "started"
	failing  event = "failing" // it did not start, or is of no more use
	hired    event = "hired"
	returned event = "returned"
	expired  event = "expired" // nobody wanted it for long, or its tenant has had it for long
	evicted  event = "evicted" // another tenant needs its place, or its own is gone
	drained  event = "drained" // the pool is closed
)

// A transition is a row of the table: all else must not happen. Nothing leads from tainted or
// busy back to warm.
type transition struct {
	from state
	on   event
	to   state
	why  string
}

var transitions = []transition{
	{spawning, started, warm, "it is locked down, and has its policy"},
	{spawning, failing, dead, "who is the next to get one is told why"},
	{warm, hired, busy, "from now on it has a tenant"},
	{warm, expired, dead, "there are more than are kept ready"},
	{warm, drained, dead, "nobody will come"},
	{busy, returned, tainted, "its tenant may come again"},
	{busy, failing, dead, "it died, or was not given back whole"},
	{busy, expired, dead, "its tenant has had it for long enough when it comes back"},
	{busy, evicted, dead, "its tenant was gone when it came back"},
	{busy, drained, dead, "the pool was closed when it came back"},
	{tainted, hired, busy, "the same tenant came again"},
	{tainted, expired, dead, "its tenant does not come again"},
	{tainted, evicted, dead, "another needs its place, or its tenant is gone"},
	{tainted, drained, dead, "nobody will come"},
}

// next is the state after an event, "" if that must not happen.
func (s state) next(on event) state {
	for _, t := range transitions {
		if t.from == s && t.on == on {
			return t.to
		}
	}
	return ""
}
