package sandtraptest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// TestLayers: what runs change in a layer over a directory is in the layer alone until the host commits it, and nowhere if
// the host discards it. Later runs see it.
func TestLayers(t *testing.T) {
	eachMode(t, func(b bench) {
		dir := b.TempDir()
		at := filepath.Join(dir, "a.txt")
		if err := os.WriteFile(at, []byte("old"), 0o644); err != nil {
			b.Fatal(err)
		}
		onDisk := func(want string) {
			b.Helper()
			list, err := os.ReadDir(dir)
			if text, _ := os.ReadFile(at); err != nil || len(list) != 1 || string(text) != want {
				b.Errorf("the directory has %v and %q, want %q; %v", list, text, want, err)
			}
		}
		base, err := vfs.Dir(dir)
		if err != nil {
			b.Fatal(err)
		}
		layer, err := vfs.NewLayer(base)
		if err != nil {
			b.Fatal(err)
		}
		box := b.Box(sandtrap.Policy{Std: []string{"os"}, Files: &sandtrap.Files{Open: func() (afero.Fs, error) { return layer, nil }}})
		run := func(text string) {
			b.Helper()
			if _, err := box.Run(b.Context(), sandtrap.Script{Text: text}); err != nil {
				b.Error(err)
			}
		}
		const write = "if err := os.WriteFile(\"a.txt\", []byte(\"new\"), 0o644); err != nil { panic(err) }"
		run(write)
		run("if text, _ := os.ReadFile(\"a.txt\"); string(text) != \"new\" { panic(string(text)) }")
		onDisk("old")
		layer.Discard()
		onDisk("old")
		run("if text, _ := os.ReadFile(\"a.txt\"); string(text) != \"old\" { panic(string(text)) }")
		run(write)
		if err := layer.Commit(); err != nil {
			b.Error(err)
		}
		onDisk("new")
	})
}
