package sandtraptest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestWorkdir: each path of a script is resolved in the same way, for reading and for writing: relative to the working
// directory, and never to a file outside of the listed directories, by no path and no link. Secrets are hidden also where
// a directory far above is listed.
func TestWorkdir(t *testing.T) {
	for _, tc := range []struct {
		name, path string // of which BASE is the directory of the test
		want       string // the text of the file, empty if there is none
	}{
		{"relative", "notes/a.txt", "a"},
		{"dots that stay inside", "notes/../notes/./a.txt", "a"},
		{"absolute", "BASE/work/notes/a.txt", "a"},
		{"another listed directory", "BASE/extra/cache/x", "x"},
		{"up", "../outside/a.txt", ""},
		{"down and up", "notes/../../outside/a.txt", ""},
		{"far up", "../../../../../../../../etc/hostname", ""},
		{"absolute, outside", "BASE/outside/a.txt", ""},
		{"absolute, down and up", "BASE/work/../outside/a.txt", ""},
		{"beside a listed directory of that prefix", "BASE/work2/a.txt", ""},
		{"empty", "", ""},
		{"link to a file outside", "file", ""},
		{"link to a directory outside", "evil/a.txt", ""},
		{"link by an absolute path", "absolute", ""},
		{"secret", ".env", ""},
		{"secret in another directory", "BASE/extra/.ssh/id_rsa", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				b.OnceApart()
				base := b.TempDir()
				kept := map[string]string{
					"work/notes/a.txt": "a", "work/.env": "secret", "extra/cache/x": "x", "extra/.ssh/id_rsa": "secret", "outside/a.txt": "secret", "work2/a.txt": "secret",
				}
				for name, text := range kept {
					name = filepath.Join(base, name)
					if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
						b.Fatal(err)
					}
					if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
						b.Fatal(err)
					}
				}
				for name, to := range map[string]string{"file": "../outside/a.txt", "evil": "../outside", "absolute": filepath.Join(base, "outside/a.txt")} {
					if err := os.Symlink(to, filepath.Join(base, "work", name)); err != nil {
						b.Fatal(err)
					}
				}
				path, work := strings.ReplaceAll(tc.path, "BASE", base), filepath.Join(base, "work")
				listed := [][]string{{work, filepath.Join(base, "extra")}}
				if strings.HasPrefix(tc.name, "secret") {
					listed = append(listed, []string{base}, []string{"/"})
				}
				for _, paths := range listed {
					for i := range paths {
						paths[i] += ":rw"
					}
					box := b.Box(sandtrap.Policy{Std: []string{"os"}, Files: &sandtrap.Files{Paths: paths, Cwd: work}})
					res, err := box.Run(b.Context(), sandtrap.Script{Text: `
text, err := os.ReadFile(name)
werr := os.WriteFile(name, []byte("changed"), 0o644)
got, read, written := string(text), err == nil, werr == nil`, Inputs: map[string]any{"name": path}})
					if err != nil {
						b.Fatal(err)
					}
					if inside := tc.want != ""; res.Vars["got"] != tc.want || res.Vars["read"] != inside || res.Vars["written"] != inside {
						b.Errorf("%v: %v", paths, res.Vars)
					}
				}
				for name, text := range kept {
					if now, err := os.ReadFile(filepath.Join(base, name)); text == "secret" && string(now) != text {
						b.Errorf("%s is %q, %v", name, now, err)
					}
				}
			})
		})
	}
}
