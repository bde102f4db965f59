package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/telemetry"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/trail"
)

// A watch is the policies of a server, and where it tells what happens under them.
type watch struct {
	policies  *policies.Catalog
	trail     *trail.Trail
	telemetry *telemetry.Telemetry
	log       *slog.Logger
}

// openWatch opens the policies, the record and the telemetry.
func (cfg *config) openWatch(ctx context.Context, st *store.Store, log *slog.Logger) (w *watch, err error) {
	w = &watch{log: log}
	if w.policies, err = policies.Open(cfg.policies, st); err != nil {
		return nil, fmt.Errorf("--policies: %w", err)
	}
	if w.telemetry, err = telemetry.New(ctx, telemetry.Options{Endpoint: cfg.otlp, Version: version(), Log: log}); err != nil {
		return nil, fmt.Errorf("telemetry: %w", err)
	}
	if w.trail, err = trail.Open(st.Dir(), trail.Options{}); err != nil {
		return nil, errors.Join(err, w.telemetry.Close(ctx))
	}
	w.trail.Watch(w.telemetry.Observe)
	return w, nil
}

// Close sends the last telemetry and signs the end of the record.
func (w *watch) Close() error {
	last, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := w.telemetry.Close(last); err != nil {
		w.log.Warn("the last telemetry was not sent", "error", err)
	}
	return w.trail.Close()
}

// version is that of the program, as the go command has noted it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
