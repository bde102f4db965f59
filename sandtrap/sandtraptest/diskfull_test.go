package sandtraptest

import (
	"os"
	"syscall"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A fullFs has room for nothing.
type fullFs struct{ afero.Fs }

func (f fullFs) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	file, err := f.Fs.OpenFile(name, flag, perm)
	return fullFile{file}, err
}

type fullFile struct{ afero.File }

func (f fullFile) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
}

func (f fullFile) WriteAt(p []byte, _ int64) (int, error) { return f.Write(p) }

func (f fullFile) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

// TestDiskFull: a disk of the host that is full is an error like any other for the script, and the
// next run is fine.
func TestDiskFull(t *testing.T) {
	eachMode(t, func(b bench) {
		box := b.Box(sandtrap.Policy{
			Std:   []string{"fmt", "os"},
			Files: &sandtrap.Files{Open: func() (afero.Fs, error) { return fullFs{afero.NewMemMapFs()}, nil }},
		})
		for range 2 {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: `fmt.Print(os.WriteFile("/a", []byte("text"), 0o644))`})
			if want := "write /a: no space left on device"; err != nil || res.Stdout != want {
				b.Errorf("%q, %v", res.Stdout, err)
			}
		}
	})
}
