package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A days is a flag with a time in days; 0 is for ever.
type days time.Duration

const day = 24 * time.Hour

func (d *days) String() string { return fmt.Sprint(int64(time.Duration(*d) / day)) }

func (d *days) Set(text string) error {
	var n int64
	if err := json.Unmarshal([]byte(text), &n); err != nil || n < 0 || n > 36500 {
		return fmt.Errorf("want a number of days, 0 for ever")
	}
	*d = days(n) * days(day)
	return nil
}

// retention has the flags of what is kept.
func (cfg *config) retention(fs *flag.FlagSet) {
	cfg.keepDays, cfg.keepPending = days(30*day), days(90*day)
	fs.Var(&cfg.keepDays, "keep-days", "`days` that runs are kept after their end; 0 for ever")
	fs.IntVar(&cfg.keepRuns, "keep-runs", 100_000, "how many runs of each tenant are kept that have ended; 0 for all")
	fs.Var(&cfg.keepPending, "keep-pending-days", "`days` that a run may wait before it has failed; 0 for ever")
}

// retainEach is how often what need not be kept is removed.
const retainEach = time.Minute

// A retainer keeps runs.
type retainer interface {
	Retain(ctx context.Context, now time.Time, r store.Retention) (removed, failed int64, err error)
}

// retain removes what need not be kept, now and then, until ctx ends. It returns a func that ends it.
func (cfg *config) retain(ctx context.Context, st retainer, log *slog.Logger) (end func()) {
	kind, result := runs.Expired()
	r := store.Retention{Age: time.Duration(cfg.keepDays), Count: cfg.keepRuns, Pending: time.Duration(cfg.keepPending), Kind: kind, Result: result}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(retainEach)
		defer tick.Stop()
		for {
			removed, failed, err := st.Retain(ctx, time.Now(), r)
			if err != nil && ctx.Err() == nil {
				log.Error("what need not be kept could not be removed", "error", err)
			} else if removed+failed > 0 {
				log.Info("runs were removed", "removed", removed, "waited too long", failed)
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}
