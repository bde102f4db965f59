package cluster

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
)

// TestUnfit: workers that speak another version, have another isolation or send nothing that can be read give no turns. The log, the status
// and the errors of jobs say why.
func TestUnfit(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	s := start(t)
	conn, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	f, err := NewFront(conn, "none", equal, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	f.noneFor = 50 * time.Millisecond
	beats := map[string][]byte{
		"sandtrap.2.here.newer":  []byte("what version 2 has"),
		"sandtrap.1.here.kernel": encode(beat{Instance: "i", Slots: 2, Level: "kernel", Version: "v1.2.3"}),
		"sandtrap.1.here.liar":   encode(beat{Instance: "i", Slots: 2, Level: "none", Version: "\x1b[2J"}),
	}
	for subject, b := range beats {
		go func() {
			for t.Context().Err() == nil {
				_ = conn.Publish(subject, b) // f may be closed
				time.Sleep(100 * time.Millisecond)
			}
		}()
	}
	until(t, func() bool { return len(f.Workers().List) == 3 })
	want := []string{"its isolation is kernel, and that of this server none", "it sends malformed messages", "it speaks version 2 of the protocol, and this server version 1"}
	for i, name := range []string{"kernel", "liar", "newer"} {
		if one := f.Workers().List[i]; one.Name != name || one.Unfit != want[i] || strings.Contains(one.Version, "\x1b") {
			t.Errorf("%+v, want %s", one, want[i])
		}
	}
	_, err = f.Do(t.Context(), dispatchtest.Job("alpha", "run_1", "{}"), func() error { return nil }, dispatch.Output{})
	if !errors.Is(err, dispatch.ErrNoWorker) || !strings.Contains(err.Error(), "none that fits") {
		t.Errorf("the error of a job: %v", err)
	}
	work(t, client(t, s, "fits"), "fits", 3, nil)
	has(t, f, 3)
	if err := f.noWorker(1); err != dispatch.ErrNoWorker {
		t.Errorf("when one fits: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	for _, why := range want {
		if !strings.Contains(log.String(), why) {
			t.Errorf("the log has no %q:\n%s", why, log.String())
		}
	}
}
