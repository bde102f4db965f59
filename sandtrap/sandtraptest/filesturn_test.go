package sandtraptest

import (
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// busyFiles tell how many of their operations there are at a time.
type busyFiles struct {
	afero.Fs
	now, most, reads atomic.Int64
}

func (c *busyFiles) use() (done func()) {
	now := c.now.Add(1)
	for most := c.most.Load(); now > most && !c.most.CompareAndSwap(most, now); most = c.most.Load() {
	}
	time.Sleep(time.Millisecond) // so that others come
	return func() { c.now.Add(-1) }
}

func (c *busyFiles) Open(name string) (afero.File, error) { return c.OpenFile(name, os.O_RDONLY, 0) }

func (c *busyFiles) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	defer c.use()()
	f, err := c.Fs.OpenFile(name, flag, perm)
	return busyFile{f, c}, err
}

type busyFile struct {
	afero.File
	of *busyFiles
}

func (f busyFile) Read(p []byte) (int, error) {
	defer f.of.use()()
	f.of.reads.Add(1)
	return f.File.Read(p)
}

// TestFilesTakeTurns: of one run one operation on files is made at a time, however many of its
// goroutines ask: a worker has threads for few.
func TestFilesTakeTurns(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("goroutines of engine yaegi are those of Go")
		}
		fs := &busyFiles{Fs: vfs.Mem()}
		if err := afero.WriteFile(fs.Fs, "/a.txt", []byte("text"), 0o600); err != nil {
			b.Fatal(err)
		}
		p := pure()
		p.Files = &sandtrap.Files{Open: func() (afero.Fs, error) { return fs, nil }}
		res, err := b.RunOnce(p, `
var wg sync.WaitGroup
n := 0
for range 30 {
	wg.Go(func() {
		d, err := os.ReadFile("/a.txt")
		if err == nil {
			n += len(d)
		}
	})
}
wg.Wait()
fmt.Print(n)`)
		if err != nil || res.Stdout != "120" {
			b.Fatalf("%q, %v", res.Stdout, err)
		}
		if most := fs.most.Load(); most != 1 || fs.reads.Load() < 30 {
			b.Errorf("%d operations at a time, %d reads", most, fs.reads.Load())
		}
	})
}
