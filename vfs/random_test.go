package vfs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/spf13/afero"
)

// walk does operations that follow from a seed on a few paths, so that most meet something
// that others have left: files, directories, links and nothing.
func walk(r *record, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 0))
	elements := []string{"a", "b", "c", "d"}
	name := func() string {
		at := elements[rnd.IntN(len(elements))]
		for range rnd.IntN(3) {
			at = path.Join(at, elements[rnd.IntN(len(elements))])
		}
		switch rnd.IntN(12) {
		case 0:
			at += "/../" + elements[rnd.IntN(len(elements))]
		case 1:
			at += "/"
		case 2:
			at = "/w/" + at
		}
		return at
	}
	for i := range 60 {
		switch at := name(); rnd.IntN(15) {
		case 0, 1:
			r.write(at, fmt.Sprint("text ", i))
		case 2:
			r.add("mkdir "+at, r.fs.Mkdir(at, 0o755))
		case 3:
			at = path.Clean(at)
			r.add("mkdirall "+at, r.fs.MkdirAll(at, 0o755))
		case 4:
			r.add("remove "+at, r.fs.Remove(at))
		case 5:
			r.add("removeall "+at, r.fs.RemoveAll(at))
		case 6, 7:
			at = strings.TrimSuffix(at, "/")
			to := name()
			r.add("rename "+at+" "+to, r.fs.Rename(at, to))
		case 8, 9:
			if at = strings.TrimSuffix(at, "/"); r.links {
				to := path.Clean(name())
				r.add("symlink "+to+" "+at, r.fs.Symlink(to, at))
			}
		case 10:
			r.read(at)
		case 11:
			r.list(at)
		case 12:
			r.add("chmod "+at, r.fs.Chmod(at, []os.FileMode{0o644, 0o755, 0o700}[rnd.IntN(3)]))
		case 13:
			r.add("truncate "+at, r.fs.Truncate(at, int64(rnd.IntN(9))))
		case 14:
			r.stat(at)
		}
	}
	for _, at := range elements {
		r.stat(at)
		r.list(at)
		r.read(at)
	}
}

// TestRandomSteps does what no table thinks of on every implementation, and with package os.
// With links what fails is to fail: loops and links to nothing have many names.
func TestRandomSteps(t *testing.T) {
	for seed := range uint64(60) {
		links := seed%2 == 1
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			want := onSystem(t, func(r *record) { r.links, r.rough = links, links; walk(r, seed) })
			for name, base := range implementations(t) {
				if _, ok := base.(afero.Linker); links && !ok {
					continue
				}
				t.Run(name, func(t *testing.T) {
					r := &record{fs: ours{view(t, base, Options{Cwd: "/w"})}, links: links, rough: links}
					walk(r, seed)
					compare(t, r.lines, want)
				})
			}
		})
	}
}

// TestRandomCommits changes a random tree at random through a layer, and cuts the commit off
// somewhere: the base is as it was or as the layer showed it. Or others change the base
// meanwhile: then it is committed whole, or the base is as they left it.
func TestRandomCommits(t *testing.T) {
	for seed := range uint64(150) {
		under := Mem()
		change := func(b afero.Fs, seed uint64) {
			walk(&record{fs: ours{view(t, b, Options{Cwd: "/w"})}, links: true}, seed)
		}
		change(under, seed)
		before, left := tree(t, under), 1<<30
		l := layer(t, cutOff{under, &left})
		change(l, seed+1000)
		after := tree(t, l)
		switch seed % 3 {
		case 1:
			left = int(seed / 3)
		case 2:
			change(under, seed+2000)
			before = tree(t, under)
		}
		err := l.Commit()
		layer(t, under) // finishes it
		got := tree(t, under)
		var conflict *ConflictError
		switch {
		case err != nil && got == before, err == nil && seed%3 == 2:
		case got != after || errors.As(err, &conflict):
			t.Errorf("seed %d: %v\n%swant\n%s", seed, err, got, after)
		}
	}
}
