package sandtraptest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// leaking tries to get at secrets in the ways that scripts have: by name, by links, by a move, by the whole tree.
const leaking = `package main

import ("fmt"; "io/fs"; "os"; "path/filepath"; "strings"; "sync")

var all sync.WaitGroup

func read(name string) {
	if b, err := os.ReadFile(name); err == nil {
		fmt.Println(name, string(b))
	}
}

func main() {
	for _, name := range []string{".env", "./.env", "sub/../.env", "sub/.ENV", ".env.production", ".ssh/config", "sub/server.pem", "sub/id_rsa", "alias", "deep/id_rsa", "deep/plain"} {
		read(name)
	}
	os.Symlink(".env", "mine")
	read("mine")
	os.Rename(".env", "moved")
	read("moved")
	os.Rename("sub/id_rsa", "key")
	read("key")
	os.Link(".env", "hard")
	read("hard")
	filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			read(name)
		}
		return nil
	})
	if b, err := fs.ReadFile(os.DirFS("."), ".env"); err == nil {
		fmt.Println("tree", string(b))
	}
	swap()
	os.WriteFile(".env", []byte("overwritten"), 0o644)
	os.Remove(".ssh/config")
	os.RemoveAll("sub")
}
`

// swapping has goroutines move a link to a secret to where others read a file.
const swapping = `
func swap() {
	os.MkdirAll("d", 0o755)
	os.WriteFile("d/f", []byte("open"), 0o644)
	os.MkdirAll("e", 0o755)
	os.Symlink("../alias", "e/f")
	for range 4 {
		all.Go(func() {
			for range 25 {
				os.Rename("d", "x"); os.Rename("e", "d"); os.Rename("x", "e")
			}
		})
		all.Go(func() {
			for range 50 {
				if b, _ := os.ReadFile("d/f"); strings.Contains(string(b), "secret") {
					fmt.Println("swapped", string(b))
				}
			}
		})
	}
	all.Wait()
}
`

// secretFiles are files of a directory, and whether Dir hides them.
var secretFiles = map[string]bool{
	".env": true, ".env.production": true, ".ssh/config": true, "sub/server.pem": true, "sub/id_rsa": true, "sub/.ENV": true, "main.go": false, "sub/environment": false,
}

func secretDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, hidden := range secretFiles {
		text := "plain"
		if hidden {
			text = "secret " + name
		}
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"alias": ".env", "deep": "sub"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSecrets: no way of a script leads to a secret in a directory of the host, in each mode, and none is changed
// or lost; with Secrets, and in a whole directory, they are files like others.
func TestSecrets(t *testing.T) {
	eachMode(t, func(b bench) {
		for name, files := range map[string]func(dir string) *sandtrap.Files{
			"paths":          func(dir string) *sandtrap.Files { return &sandtrap.Files{Paths: []string{dir}, Cwd: dir} },
			"writable paths": func(dir string) *sandtrap.Files { return &sandtrap.Files{Paths: []string{dir + ":rw"}, Cwd: dir} },
			"directory": func(dir string) *sandtrap.Files {
				return &sandtrap.Files{Open: func() (afero.Fs, error) { return vfs.Dir(dir) }}
			},
			"layer": func(dir string) *sandtrap.Files {
				return &sandtrap.Files{Open: func() (afero.Fs, error) {
					base, err := vfs.Dir(dir)
					if err != nil {
						return nil, err
					}
					return vfs.NewLayer(base)
				}}
			},
		} {
			b.In(name, func(b bench) {
				dir := secretDir(b.T)
				swap := swapping
				if b.Engine == "yaegi" { // has no goroutines
					swap = "func swap() { _ = strings.ToUpper }"
				}
				box := b.Box(sandtrap.Policy{Std: []string{"fmt", "io/fs", "os", "path/filepath", "strings", "sync"}, Files: files(dir)})
				res, err := box.Run(b.Context(), sandtrap.Script{Text: leaking + swap})
				if err != nil || strings.Contains(res.Stdout, "secret") || !strings.Contains(res.Stdout, "main.go plain") {
					b.Errorf("%v: %s", err, res.Stdout)
				}
				for name, hidden := range secretFiles {
					if text, err := os.ReadFile(filepath.Join(dir, name)); hidden && (err != nil || string(text) != "secret "+name) {
						b.Errorf("%s: %q, %v", name, text, err)
					}
				}
			})
		}
		for name, files := range map[string]func(dir string) *sandtrap.Files{
			"shown paths": func(dir string) *sandtrap.Files {
				return &sandtrap.Files{Paths: []string{dir}, Cwd: dir, Secrets: true}
			},
			"whole directory": func(dir string) *sandtrap.Files {
				return &sandtrap.Files{Open: func() (afero.Fs, error) { return vfs.WholeDir(dir) }}
			},
		} {
			b.In(name, func(b bench) {
				box := b.Box(sandtrap.Policy{Std: []string{"os"}, Files: files(secretDir(b.T))})
				var text string
				res, err := box.Run(b.Context(), sandtrap.Script{Text: `b, err := os.ReadFile("alias"); if err != nil { return err }; return string(b)`, Result: &text})
				if err != nil || text != "secret .env" {
					b.Errorf("%v: %q %s", err, text, res.Stdout)
				}
			})
		}
	})
}
