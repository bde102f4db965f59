package sessions_test

import (
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestFairServers: a session that is used at one server all the time goes to another one that asks for it, and back.
func TestFairServers(t *testing.T) {
	list := together(t, 3)
	id := list[0].create("x")
	list[0].prints("x", id, "n := 0", "")
	stop := make(chan struct{})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if state, result := list[0].run("x", id, "n++"); state != store.Done {
					t.Error(state, result)
					return
				}
			}
		})
	}
	var worst time.Duration
	for i := range 20 {
		began := time.Now()
		if state, result := list[1+i%2].run("x", id, "n += 0"); state != store.Done {
			t.Error(state, result)
		}
		worst = max(worst, time.Since(began))
	}
	close(stop)
	all.Wait()
	t.Logf("the longest wait of 20 is %v", worst)
	if worst > 2*time.Second {
		t.Errorf("a cell at another server has waited %v", worst)
	}
}
