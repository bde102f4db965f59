package sandtraptest

import (
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// TestSameFile: a script is told of the same files that they are the same, and of no others, whichever way it
// has looked at them.
func TestSameFile(t *testing.T) {
	for name, open := range map[string]func() (afero.Fs, error){
		"memory":    func() (afero.Fs, error) { return vfs.Mem(), nil },
		"directory": func() (afero.Fs, error) { return vfs.Dir(t.TempDir()) },
	} {
		t.Run(name, func(t *testing.T) {
			p := pure()
			p.Files = &sandtrap.Files{Open: open}
			eachMode(t, func(b bench) {
				res, err := b.Box(p).Run(b.Context(), sandtrap.Script{Text: `
os.WriteFile("/a", []byte("x"), 0o600)
a, _ := os.Stat("/a")
again, _ := os.Lstat("/a")
os.WriteFile("/a", []byte("longer"), 0o600)
os.WriteFile("/b", []byte("x"), 0o600)
b, _ := os.Stat("/b")
f, _ := os.Open("/a")
opened, _ := f.Stat()
list, _ := os.ReadDir("/")
entry, _ := list[0].Info()
other, _ := list[1].Info()
os.Rename("/a", "/c")
renamed, _ := os.Stat("/c")
fmt.Print(os.SameFile(a, a), os.SameFile(a, again), os.SameFile(a, opened), os.SameFile(a, entry), os.SameFile(a, renamed),
	os.SameFile(a, b), os.SameFile(a, other), os.SameFile(b, renamed), os.SameFile(b, other))
`})
				if want := "true true true true true false false false true"; err != nil || res.Stdout != want {
					b.Errorf("%q, want %q, %v", res.Stdout, want, err)
				}
			})
		})
	}
}
