package ledger

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestLookIsNotHeldUp: a server whose feed is lost while it gets the ledger again is current later.
func TestLookIsNotHeldUp(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	a.close()
	a = open(t, n, a.dir)
	lose := func() {
		for c := range a.stream.ListConsumers(t.Context()).Info() {
			_ = a.stream.DeleteConsumer(t.Context(), c.Name)
		}
	}
	lose() // NATS starts again
	for i := range 20_000 {
		r := run(fmt.Sprint("run_", i))
		r.State, r.Ended = store.Done, time.Now()
		data, err := encoding.Marshal(entry{Run: r})
		a.must(err)
		_, err = a.js.PublishAsync(subject("acme", r.ID), data)
		a.must(err)
		if i%1000 == 999 {
			<-a.js.PublishAsyncComplete()
		}
	}
	for range 20 { // and again soon
		lose()
		time.Sleep(150 * time.Millisecond)
	}
	time.Sleep(staleFor)
	if !in(60*time.Second, b.Current) {
		all := make([]byte, 1<<20)
		for _, one := range strings.Split(string(all[:runtime.Stack(all, true)]), "\n\n") {
			if strings.Contains(one, ".look(") {
				t.Log(one)
			}
		}
		t.Error("a minute later it is not current")
	}
}
