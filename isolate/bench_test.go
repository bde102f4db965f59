//go:build linux

package isolate

import "testing"

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
