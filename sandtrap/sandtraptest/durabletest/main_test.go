package durabletest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/paused"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

// TestMain makes the program of the tests its own worker.
func TestMain(m *testing.M) {
	worker.Init()
	paused.Init()
	os.Exit(m.Run())
}

// isolations are those of the machine.
var isolations = sync.OnceValue(func() []sandtrap.Isolation {
	list := []sandtrap.Isolation{sandtrap.None, sandtrap.Process}
	if machine.Raced { // the race detector makes system calls that no worker of isolation kernel may make
		return list
	}
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{Isolation: sandtrap.Kernel})
	if err != nil {
		return list
	}
	box.Close()
	return append(list, sandtrap.Kernel)
})

// TestIsolations: the tests of this package have all isolations, or skip the one that the machine lacks.
func TestIsolations(t *testing.T) {
	if machine.Raced {
		t.Skip("the race detector makes system calls that no worker of isolation kernel may make")
	}
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Isolation: sandtrap.Kernel})
	rig.NoKernel(t, err)
	if err != nil {
		t.Fatal(err)
	}
	box.Close()
	if len(isolations()) != 3 {
		t.Error(isolations())
	}
}

func mustBox(t testing.TB, p sandtrap.Policy) *durable.Box {
	t.Helper()
	b, err := durable.New(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// oneBox is a box with functions that need no import.
func oneBox(t testing.TB, mode sandtrap.Isolation, funcs map[string]any) *durable.Box {
	t.Helper()
	return mustBox(t, sandtrap.Policy{
		Isolation: mode, Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: timeout}, Funcs: funcs,
	})
}

// timeout is that of runs which have to end without it.
const timeout = time.Minute

func saved(t testing.TB, p *durable.Pause) []byte {
	t.Helper()
	if p == nil {
		t.Fatal("the run does not wait")
	}
	var b bytes.Buffer
	if err := p.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asJSON(t testing.TB, v any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func mustRead(t testing.TB, text json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}
