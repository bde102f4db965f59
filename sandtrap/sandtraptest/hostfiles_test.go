package sandtraptest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// TestHostFiles: a function that is granted files of the host reads one, and the script that
// called it still has none but its own.
func TestHostFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "host.txt")
	if err := os.WriteFile(path, []byte("of the host"), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func(ctx context.Context, path string) (string, error) {
		if !sandtrap.CallInfoFrom(ctx).HostFiles {
			return "", errors.New("not granted")
		}
		text, err := os.ReadFile(path)
		return string(text), err
	}
	p := pure()
	p.Funcs = map[string]any{"read": sandtrap.Member{Value: read, HostFiles: true}, "plain": read}
	p.Files = &sandtrap.Files{Open: func() (afero.Fs, error) { return vfs.Mem(), nil }}
	eachMode(t, func(b bench) {
		res, err := b.Box(p).Run(b.Context(), sandtrap.Script{
			Text: `
				granted, err := read(path)
				_, own := os.ReadFile(path)
				absent := errors.Is(own, fs.ErrNotExist)
				_, refused := plain(path)
				why := refused.Error()`,
			Inputs: map[string]any{"path": path},
		})
		if err != nil || res.Vars["granted"] != "of the host" || res.Vars["absent"] != true || res.Vars["why"] != "not granted" {
			b.Errorf("%v, %v", res.Vars, err)
		}
	})
}
