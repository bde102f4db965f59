package context

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

func (c emptyCtx) String() string          { return c.name }
func (c *valueCtx) String() string         { return ctxName(c, 0) }
func (c *cancelCtx) String() string        { return ctxName(c, 0) }
func (c *timerCtx) String() string         { return ctxName(c, 0) }
func (c *withoutCancelCtx) String() string { return ctxName(c, 0) }

// ctxName is how a context shows itself: its parents first, each with what made the next
// of it. One of the host's is named by its type alone, for it has values that are not for
// scripts. It is the value of as many others as deep says.
func ctxName(c context.Context, deep int) string {
	if deep > maxCtxTexts {
		panic(shim.RuntimeError("contexts are nested too deeply to print"))
	}
	var made []string // from c to its first parent
	for {
		switch p := c.(type) {
		case *valueCtx:
			text := ".WithValue(" + ctxText(p.env, p.key, deep) + ", " + ctxText(p.env, p.val, deep) + ")"
			p.env.Charge(2 * int64(len(text)))
			made, c = append(made, text), p.parent
		case *cancelCtx:
			p.env.Charge(int64(len(".WithCancel")))
			made, c = append(made, ".WithCancel"), p.parent
		case *timerCtx:
			made, c = append(made, p.ctxMade()), p.parent
		case *withoutCancelCtx:
			made, c = append(made, ".WithoutCancel"), p.c
		default:
			made = append(made, ctxFirst(c))
			slices.Reverse(made)
			return strings.Join(made, "")
		}
	}
}

const maxCtxTexts = 100

// ctxFirst is how a context without a parent shows itself.
func ctxFirst(c context.Context) string {
	switch c := c.(type) {
	case script.Viewer:
		return c.ScriptView().Text()
	case emptyCtx:
		return c.name
	}
	return reflect.TypeOf(c).String()
}

func (c *timerCtx) ctxMade() string {
	return ".WithDeadline(" + c.deadline.String() + " [" + c.deadline.Sub(c.env.Now()).String() + "])"
}

// ctxText is how the name of a context shows a key or value.
func ctxText(e *shim.Env, v any, deep int) string {
	switch v := v.(type) {
	case nil:
		return "<nil>"
	case string:
		return v
	case script.Viewer:
		return v.ScriptView().Text()
	case *valueCtx, *cancelCtx, *timerCtx, *withoutCancelCtx:
		return ctxName(v.(context.Context), deep+1)
	case fmt.Stringer:
		if e.Showing(reflect.TypeOf(v)).Has["String"] {
			return v.String()
		}
	}
	return e.NameOf(reflect.TypeOf(v))
}
