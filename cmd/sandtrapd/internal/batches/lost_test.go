package batches_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// copyLive copies a directory that is written to. A file that goes meanwhile is not in the copy, or the copy is tried again.
func copyLive(t *testing.T, dir string) (to string) {
	t.Helper()
	for try := range 100 {
		to = filepath.Join(t.TempDir(), fmt.Sprint(try))
		if err := os.CopyFS(to, os.DirFS(dir)); err == nil {
			return to
		}
	}
	t.Fatal("the directory cannot be copied")
	return ""
}

const lostLines = 120

// TestLostEnd: the directory of the queue and the ledger is what it was in the middle of a batch, copied while it was written to, as a power cut leaves
// it: each line has one result, and each that a client was told of, before the copy or after it, is the same one.
func TestLostEnd(t *testing.T) {
	t.Parallel() // lines that a server had in the copy are given to another one after a while
	dir, dirs := t.TempDir(), []string{t.TempDir(), t.TempDir()}
	connect, stop := startNATS(t, dir)
	both := []*server{joinFrom(t, connect(), dirs[0]), joinFrom(t, connect(), dirs[1])}
	b := both[0].create(t, slices.Repeat([]string{"time.Sleep(30 * time.Millisecond); fmt.Print(rand.Int64())"}, lostLines)...)
	var told []batches.Result
	early := ""
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for r, err := range both[1].Results(ctx, "alpha", b.ID, 0, true) {
		if err != nil {
			t.Fatal(err)
		}
		if told = append(told, r); len(told) >= lostLines/2 && early == "" {
			early = copyLive(t, dir)
		}
		if len(told) == lostLines*3/4 {
			break
		}
	}
	if now, err := both[0].Get(ctx, "alpha", b.ID); err != nil || now.Counts.Done == lostLines {
		t.Errorf("%+v, %v: nothing was in work", now, err)
	}
	for _, s := range both {
		s.stop()
	}
	stop()

	connect, _ = startNATS(t, early)
	both = []*server{joinFrom(t, connect(), dirs[0]), joinFrom(t, connect(), dirs[1])}
	ctx, cancel = context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	for _, s := range both {
		now, err := s.Wait(ctx, "alpha", b.ID)
		if err != nil || now.State != batches.Done || now.Counts != (batches.Counts{Done: lostLines}) {
			t.Errorf("%+v, %v", now, err)
		}
		for i, r := range s.results(t, b.ID, lostLines) {
			if r.State != store.Done || i < len(told) && (r.Run != told[i].Run || string(r.Result) != string(told[i].Result)) {
				t.Errorf("line %d has %s, and had %s", i+1, r.Result, told[min(i, len(told)-1)].Result)
			}
		}
	}
	if first, second := both[0].results(t, b.ID, lostLines), both[1].results(t, b.ID, lostLines); len(first) == len(second) {
		for i := range first {
			if first[i].Run != second[i].Run || string(first[i].Result) != string(second[i].Result) {
				t.Errorf("line %d: %+v, %+v", i+1, first[i], second[i])
			}
		}
	}
	if strings.Contains(string(told[0].Result), `"stdout":""`) {
		t.Error("nothing was printed")
	}
}
