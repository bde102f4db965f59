package resident

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// nearly are innocent scripts that hold four fifths of what they may, and let go of much more.
var nearly = map[string]string{
	"blocks":      "var l [][]byte\nfor range 51 { l = append(l, block()) }\nn := 0\nfor range 100 { n += len(block()) }\n_ = l[n%51]",
	"small ones":  "var l [][]int\nfor range 51 << 10 { l = append(l, make([]int, 125)) }\nn := 0\nfor range 100 << 10 { n += len(make([]int, 125)) }\n_ = l[n%51]",
	"large texts": "var l []string\nfor range 17 { l = append(l, strings.Repeat(\"x\", 3*MiB)) }\nn := 0\nfor range 100 { n += len(strings.Repeat(\"x\", 2*MiB)) }\n_ = l[n%17]",
	"small texts": "var l []string\nfor range 25 << 10 { l = append(l, strings.Repeat(\"x\", 2000)) }\nn := 0\nfor range 50 << 10 { n += len(strings.Repeat(\"x\", 2000)) }\n_ = l[n%17]",
	"in a list":   "l := list.New()\nfor range 51 { l.PushBack(json.RawMessage(block())) }\nn := 0\nfor range 100 { n += len(block()) }\n_ = l.Len() + n",
	"numbers":     "var l []*big.Int\nfor range 51 { l = append(l, new(big.Int).SetBytes(block())) }\nn := 0\nfor range 100 { n += new(big.Int).SetBytes(block()).BitLen() }\n_ = l[n%51]",
}

// TestHostBusy: a host that makes some hundred MiB of garbage in a second, and comes to hold a GiB,
// stops no innocent run that is near its limit.
func TestHostBusy(t *testing.T) {
	rounds := 4
	if testing.Short() {
		rounds = 1
	}
	var mine [][]byte
	var garbage []byte
	over := make(chan bool)
	var host, runs sync.WaitGroup
	host.Go(func() {
		for {
			select {
			case <-over:
				return
			case <-time.After(10 * time.Millisecond):
				garbage = make([]byte, 4<<20)
				garbage[0] = 1
				if len(mine) < 256 {
					mine = append(mine, make([]byte, 4<<20))
				}
			}
		}
	})
	for name, text := range nearly {
		runs.Go(func() {
			for range rounds {
				if err := run(t, helpers+text, nil); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
	runs.Wait()
	close(over)
	host.Wait()
	runtime.KeepAlive(mine)
	runtime.KeepAlive(garbage)
}
