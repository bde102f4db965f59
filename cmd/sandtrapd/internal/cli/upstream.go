package cli

import (
	"context"
	"log/slog"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/upstream"
)

// servers are the upstream servers of the configuration, nil if there is none.
func (cfg *config) servers(ctx context.Context, log *slog.Logger) (*upstream.Set, error) {
	if cfg.upstream == "" {
		return nil, nil
	}
	list, err := upstream.Read(cfg.upstream)
	if err != nil {
		return nil, err
	}
	return upstream.Open(ctx, list, upstream.Options{Log: log})
}
