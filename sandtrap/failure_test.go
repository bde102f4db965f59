package sandtrap

import (
	"context"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// TestLateRefusal is an engine that refuses when the run begins.
func TestLateRefusal(t *testing.T) {
	r := &diag.Rejection{Code: diag.EngineCannot, Pos: diag.Position{Line: 3}, Message: "cannot", Hint: "use another"}
	e := failure(context.Background(), engine.Outcome{Fault: diag.Rejections{r}}, false)
	if e.Kind != KindRejected || e.Pos.Line != 3 || e.Hint != "use another" || !e.refused {
		t.Errorf("got %+v, want a rejection at line 3", e)
	}
}
