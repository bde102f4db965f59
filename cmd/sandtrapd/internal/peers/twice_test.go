package peers

import (
	"fmt"
	"log/slog"
	"testing"
	"time"
)

// copies are processes that say that they are one server, each of which hears all others. Some have begun before the others.
type copies struct {
	list  []*Group
	ended map[string]bool
	done  chan string
}

func (c *copies) begins(instance string, since time.Time) {
	g := &Group{own: "own", log: slog.New(slog.DiscardHandler), others: map[string]int{}, says: beat{Instance: instance, Since: since, Rank: -1}}
	g.twice = func() { c.done <- instance }
	c.list = append(c.list, g)
}

// beat has each process tell that it is there, and the others hear it.
func (c *copies) beat() {
	for _, from := range c.list {
		if c.ended[from.says.Instance] {
			continue
		}
		b := beatOf(from.beat(0))
		for _, to := range c.list {
			if to != from && !c.ended[to.says.Instance] {
				to.second(b)
			}
		}
	}
	for {
		select {
		case instance := <-c.done:
			c.ended[instance] = true
		case <-time.After(5 * time.Millisecond):
			return
		}
	}
}

// TestTwice: of copies of a data directory the one that was there first stays, whatever their clocks say; of those that meet later one does.
func TestTwice(t *testing.T) {
	now := time.Now()
	for _, apart := range []bool{false, true} {
		for _, first := range []string{"a", "m", "z"} {
			for _, ahead := range []time.Duration{-time.Hour, 0, time.Hour} {
				t.Run(fmt.Sprint(first, ahead, apart), func(t *testing.T) {
					c := &copies{ended: map[string]bool{}, done: make(chan string, 10)}
					c.begins(first, now.Add(ahead))
					for range rankAfter + 1 {
						c.beat()
					}
					for i, other := range []string{"k", "p", "c"} {
						c.begins(other, now.Add(time.Duration(i)*time.Second))
						for apart && c.list[i+1].says.Rank < 0 {
							c.list[i+1].beat(0) // nobody hears it
						}
					}
					for range rankAfter + 3 {
						c.beat()
					}
					stays := first
					if apart {
						stays = min(first, "c")
					}
					if len(c.ended) != len(c.list)-1 || c.ended[stays] {
						t.Errorf("%v have ended, want all but %s", c.ended, stays)
					}
				})
			}
		}
	}
}

// TestTwiceLate: a beat of the process that was there before this one ends nothing, nor do many processes that are made up fill the memory.
func TestTwiceLate(t *testing.T) {
	c := &copies{ended: map[string]bool{}, done: make(chan string, 10)}
	c.begins("z", time.Now())
	for range rankAfter + 1 {
		c.beat()
	}
	c.list[0].second(beat{Instance: "a", Rank: 1})
	if c.beat(); len(c.ended) > 0 {
		t.Error("it ends")
	}
	for i := range 10 * maxOthers {
		c.list[0].second(beat{Instance: fmt.Sprint(i), Rank: 1})
	}
	if n := len(c.list[0].others); n > maxOthers {
		t.Errorf("%d are noted", n)
	}
}
