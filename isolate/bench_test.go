//go:build linux

package isolate

import (
	"context"
	"fmt"
	"testing"
)

func BenchmarkStart(b *testing.B) {
	for _, level := range levels {
		b.Run(string(level), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w, err := Start(b.Context(), Spec{Path: worker, Level: level, Memory: 256 << 20})
				if err != nil {
					b.Fatal(err)
				}
				w.Close()
			}
		})
	}
}

func BenchmarkEcho(b *testing.B) {
	w, err := Start(b.Context(), Spec{Path: worker, Level: Maximum, Memory: 256 << 20})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.Do(b.Context(), []byte("echo hello"), Handlers{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCall is one call of the host's by the worker.
func BenchmarkCall(b *testing.B) {
	w, err := Start(b.Context(), Spec{Path: worker, Level: Maximum, Memory: 256 << 20})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	h := Handlers{Call: func(_ context.Context, _ string, body []byte) ([]byte, error) { return body, nil }}
	b.ReportAllocs()
	b.ResetTimer()
	if _, err := w.Do(b.Context(), fmt.Appendf(nil, "ask %d", b.N), h); err != nil {
		b.Fatal(err)
	}
}
