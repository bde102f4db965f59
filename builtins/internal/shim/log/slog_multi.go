package log

import (
	"context"
	"log/slog"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// maxHandlers bounds the handlers that one of several stands for, in each other or beside:
// each record goes to all of them.
const maxHandlers = 1000

// SlogNewMultiHandler counts before it makes one of them.
func SlogNewMultiHandler(e *shim.Env) func(...slog.Handler) *slog.MultiHandler {
	return func(handlers ...slog.Handler) *slog.MultiHandler {
		own := make([]slog.Handler, len(handlers))
		p := &handlerCount{Context: context.Background(), left: maxHandlers}
		for i, h := range handlers {
			own[i] = &partHandler{h, e}
			own[i].Enabled(p, 0)
		}
		return slog.NewMultiHandler(own...)
	}
}

// A handlerCount is a context by which Enabled counts the handlers below, and says no.
type handlerCount struct {
	context.Context
	left int
}

// A partHandler is one of several.
type partHandler struct {
	slog.Handler
	env *shim.Env
}

func (h *partHandler) Enabled(ctx context.Context, l slog.Level) bool {
	p, counts := ctx.(*handlerCount)
	if !counts {
		return h.Handler.Enabled(ctx, l)
	}
	if p.left--; p.left < 0 {
		panic(shim.RuntimeError("log/slog: too many handlers in one"))
	}
	if m, ok := h.Handler.(*slog.MultiHandler); ok {
		m.Enabled(p, l)
	}
	return false
}

func (h *partHandler) Handle(ctx context.Context, r slog.Record) error {
	h.env.Check()
	return h.Handler.Handle(ctx, r)
}

func (h *partHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &partHandler{h.Handler.WithAttrs(attrs), h.env}
}

func (h *partHandler) WithGroup(name string) slog.Handler {
	return &partHandler{h.Handler.WithGroup(name), h.env}
}
