package sandtrap

import (
	"errors"
	"strings"
	"testing"
)

// TestEchoesAreBounded wants many large echoes to be cut, and to say so.
func TestEchoesAreBounded(t *testing.T) {
	box, err := New(t.Context(), Policy{Std: StdDefault(), Echo: EchoAll})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, err := box.Run(t.Context(), Script{Text: "s := strings.Repeat(\"x\", 60_000)\n" + strings.Repeat("s\n", 1000)})
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, e := range res.Echo {
		size += len(e.Text)
	}
	if n := len(res.Echo); n < 100 || n > 500 || size > maxEchoes+len(echoCut) || res.Echo[n-1].Text != echoCut {
		t.Errorf("%d echoes of %d bytes are kept, the last is %.50q", n, size, res.Echo[n-1].Text)
	}
}

// TestEchoesCost wants the time to be asked for that printing a number takes.
func TestEchoesCost(t *testing.T) {
	src := "x := new(big.Float).SetPrec(1 << 18).SetInt64(2)\nx.Quo(x, big.NewFloat(3))"
	for mode, wantStop := range map[EchoMode]bool{EchoAll: true, EchoLast: true, EchoNone: false} {
		box, err := New(t.Context(), Policy{Std: StdDefault(), Echo: mode, Limits: Limits{Ticks: 1_000_000}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = box.Run(t.Context(), Script{Text: src})
		box.Close()
		if stopped := errors.Is(err, KindTicks); stopped != wantStop {
			t.Errorf("echo %s: got %v, stopped: %v", mode, err, stopped)
		}
	}
}
