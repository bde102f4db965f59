package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What was measured; docs/scale.md says how.
const (
	frontCPU  = 0.634e-3 // seconds of a processor for a run of one line, with its commits
	natsCPU   = 0.262e-3
	workerCPU = 0.265e-3
	message   = 4.92e-6 // seconds for a message of NATS, from one connection to another
	heardCPU  = 1.67e-6 // for a beat, with 1,000 workers
	frontDisk = 2330.0  // bytes for a run, in the database and the record
	natsDisk  = 680.0   // of each replica
	syncedPut = 1.92e-3 // seconds for a value in a bucket that is on disk before it is acknowledged
)

// model is the table of docs/scale.md: what so many workers and runs need.
func model(workers, runs, fronts float64) string {
	var b strings.Builder
	row := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "| %s | %s |\n", what, fmt.Sprintf(format, args...))
	}
	beats := workers / beatEach.Seconds()
	row("runs a second", "%.0f", runs)
	row("processors of all fronts", "%.1f", runs*frontCPU)
	row("processors of NATS for runs", "%.1f", runs*natsCPU)
	row("processors of workers, for a run of one line", "%.1f", runs*workerCPU)
	row("processors of workers, for a run that computes 100 ms", "%.0f", runs*(workerCPU+0.1))
	row("beats a second that each front gets", "%.0f", beats)
	row("processors of each front for beats", "%.2f", beats*(heardCPU+message/2))
	row("beats a second that NATS delivers", "%.0f", beats*fronts)
	row("processors of NATS for beats", "%.2f", beats*fronts*message/2)
	row("connections", "%.0f", workers+fronts)
	row("disk of all fronts for their own runs, MB a second", "%.0f", runs*frontDisk/1e6)
	row("disk of three replicas of NATS, MB a second", "%.0f", 3*runs*natsDisk/1e6)
	row("values a second that one bucket takes, each synced alone", "%.0f", 1/syncedPut)
	return b.String()
}

// TestScale: the table of docs/scale.md is that of the model.
func TestScale(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "scale.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := model(1000, 1e6/60, 5); !strings.Contains(string(text), want) {
		t.Errorf("docs/scale.md does not have\n%s", want)
	}
	if 1000 > maxMembers {
		t.Error("a front does not know so many workers")
	}
}
