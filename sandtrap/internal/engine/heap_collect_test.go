package engine

import (
	"context"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
)

// TestCollectLetsAStopThrough: a run waits for the collection, but not when it has to end: then it
// goes on while that goes on, each way that it can be told.
func TestCollectLetsAStopThrough(t *testing.T) {
	for name, tc := range map[string]struct {
		timeout time.Duration
		stop    func(m *gates.Meter, cancel func())
	}{
		"before":    {0, nil},
		"cancelled": {0, func(m *gates.Meter, _ func()) { m.Cancel() }},
		"context":   {0, func(_ *gates.Meter, cancel func()) { cancel() }},
		"time":      {50 * time.Millisecond, func(*gates.Meter, func()) {}},
	} {
		t.Run(name, func(t *testing.T) {
			begun, release := make(chan bool, 1), make(chan bool)
			c := &collector{collect: func() { begun <- true; <-release }}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			m := gates.NewMeter(ctx, gates.Limits{Timeout: tc.timeout})
			if tc.stop == nil {
				m.Cancel()
				c.wait(m)
				if c.begun != 0 {
					t.Error("a run that has to end began a collection")
				}
				return
			}
			gone := make(chan bool)
			go func() { c.wait(m); close(gone) }()
			<-begun
			tc.stop(m, cancel)
			<-gone // the collection has not ended: a run that waits for it stays here for ever
			close(release)
		})
	}
	began := make(chan bool)
	c := &collector{collect: func() { close(began) }}
	c.wait(gates.NewMeter(t.Context(), gates.Limits{}))
	select {
	case <-began:
	default:
		t.Error("a run that has not to end did not wait")
	}
}
