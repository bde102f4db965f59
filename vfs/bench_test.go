package vfs

import (
	"io"
	"testing"
)

// BenchmarkReadFile and BenchmarkWriteFile are what a script pays for a small file.
func BenchmarkReadFile(b *testing.B) {
	benchBases(b, func(b *testing.B, f *FS) {
		if err := f.WriteFile("a.txt", make([]byte, 1<<10), 0o644); err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := f.ReadFile("a.txt"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkWriteFile(b *testing.B) {
	data := make([]byte, 1<<10)
	benchBases(b, func(b *testing.B, f *FS) {
		b.ReportAllocs()
		for b.Loop() {
			if err := f.WriteFile("a.txt", data, 0o644); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func benchBases(b *testing.B, bench func(b *testing.B, f *FS)) {
	dir, err := Dir(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer dir.(io.Closer).Close()
	layer, err := NewLayer(Mem())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("mem", func(b *testing.B) { bench(b, view(b, Mem(), Options{})) })
	b.Run("dir", func(b *testing.B) { bench(b, view(b, dir, Options{})) })
	b.Run("layer", func(b *testing.B) { bench(b, view(b, layer, Options{})) })
}
