package turns

import (
	"container/heap"
	"container/list"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// came reports whether a turn has come.
func came(at *list.Element) bool {
	if at == nil {
		return true
	}
	select {
	case <-at.Value.(waiter).turn:
		return true
	default:
		return false
	}
}

// TestWeights: while all wait, each tenant gets as many turns as its weight says, spread over the others'.
func TestWeights(t *testing.T) {
	weights := map[string]int{"one": 1, "two": 2, "five": 5, "none": 0}
	q := New(1)
	q.Weigh(func(tenant string) int { return weights[tenant] })
	q.Hold("first")
	places := map[string][]*list.Element{}
	for name := range weights {
		for range 1000 {
			places[name] = append(places[name], q.enter(name, foreground))
		}
	}
	had := map[string]int{}
	for last, i := "first", 1; i <= 900; i++ {
		q.Give(last)
		for name, list := range places {
			if came(list[0]) {
				places[name] = list[1:]
				had[name]++
				last = name
			}
		}
		if i%90 == 0 {
			for name, w := range weights {
				if want := i * max(1, w) / 9; had[name] < want-1 || had[name] > want+1 {
					t.Fatalf("after %d turns %s has had %d, want %d", i, name, had[name], want)
				}
			}
		}
	}
}

// TestIdle: a tenant that did not use its turns has no more of them later, and one that used those of others no fewer.
func TestIdle(t *testing.T) {
	q := New(1)
	for range 1000 {
		q.enter("busy", foreground)
		q.Give("busy")
	}
	q.enter("busy", foreground)
	var busy, idle []*list.Element
	for range 20 {
		busy, idle = append(busy, q.enter("busy", foreground)), append(idle, q.enter("idle", foreground))
	}
	last, had := "busy", map[string]int{}
	for range 10 {
		q.Give(last)
		switch {
		case came(busy[0]):
			busy, last = busy[1:], "busy"
		case came(idle[0]):
			idle, last = idle[1:], "idle"
		}
		had[last]++
	}
	if had["busy"] != 5 || had["idle"] != 5 {
		t.Error(had)
	}
}

// An end is that of a job in virtual time.
type end struct {
	at     float64
	tenant string
}

type ends []end

func (e ends) Len() int           { return len(e) }
func (e ends) Less(i, j int) bool { return e[i].at < e[j].at }
func (e ends) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(x any)        { *e = append(*e, x.(end)) }
func (e *ends) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// simulate has a tenant begin jobs at random times, so that it uses a quarter of eight turns, while another one has a number of jobs that wait. A job takes
// from half a unit of time to one and a half. It is how long the jobs of the first one took, with their wait, in order.
func simulate(jobs int) (took []float64) {
	type job struct {
		place *list.Element
		came  float64
	}
	random := rand.New(rand.NewPCG(1, 2))
	q := New(8)
	var running ends
	now := 0.0
	begin := func(tenant string) float64 {
		at := now + 0.5 + random.Float64()
		heap.Push(&running, end{at, tenant})
		return at
	}
	var many []*list.Element
	for range jobs {
		if at := q.enter("many", foreground); at != nil {
			many = append(many, at)
		} else {
			begin("many")
		}
	}
	var few []job
	next := 0.0
	for len(took) < 5000 {
		if len(running) > 0 && running[0].at <= next {
			e := heap.Pop(&running).(end)
			now = e.at
			q.Give(e.tenant)
		} else {
			now = next
			few = append(few, job{q.enter("few", foreground), now})
			next += random.ExpFloat64() / 2
		}
		for len(many) > 0 && came(many[0]) {
			many = many[1:]
			begin("many")
		}
		for len(few) > 0 && came(few[0].place) {
			took = append(took, begin("few")-few[0].came)
			few = few[1:]
		}
	}
	slices.Sort(took)
	return took
}

// TestManyWait: a hundred thousand jobs of a tenant that wait at most double how long the slowest one of a hundred of another tenant takes.
func TestManyWait(t *testing.T) {
	p99 := func(jobs int) float64 {
		took := simulate(jobs)
		return took[len(took)*99/100]
	}
	alone, beside := p99(0), p99(100_000)
	t.Logf("99th percentile: %.3f alone, %.3f beside 100,000 jobs", alone, beside)
	if beside > 2*alone {
		t.Errorf("%.3f alone, %.3f beside 100,000 jobs", alone, beside)
	}
}

// TestManyGiveUp: a hundred thousand that give up while they wait leave nothing behind.
func TestManyGiveUp(t *testing.T) {
	q := New(1)
	q.Hold("first")
	type place struct {
		tenant string
		at     *list.Element
	}
	var places []place
	for i := range 100_000 {
		name := fmt.Sprint("tenant", i%100)
		places = append(places, place{name, q.enter(name, foreground)})
	}
	rand.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	for _, p := range places {
		if !q.giveUp(p.tenant, foreground, p.at) {
			t.Fatal("a turn was given")
		}
	}
	q.Give("first")
	if !q.rests(1) {
		t.Errorf("after all: %+v", q)
	}
}
