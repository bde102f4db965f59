package yaegi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

var (
	conformanceList = flag.String("conformance", "", "file with a list of programs below GOROOT/test to run; report to stdout")
	conformanceOne  = flag.String("conformance-one", "", "one program of it, in a child")
)

// verdict is what became of one program.
func verdict(path string) (kind, detail string) {
	src, err := os.ReadFile(path)
	if err != nil {
		return "error", err.Error()
	}
	f, err := compiled(string(src))
	if err != nil {
		return "front", strings.SplitN(err.Error(), "\n", 2)[0]
	}
	l, err := Engine{}.Load(f.program, nil, nil)
	if err != nil {
		var rs diag.Rejections
		if errors.As(err, &rs) {
			return "refused", rs[0].Message
		}
		return "refused", err.Error()
	}
	m := gates.NewMeter(context.Background(), gates.Limits{Timeout: 10 * time.Second, Memory: 512 << 20})
	stderr := gates.NewTail(1 << 20)
	o := l.Run(engine.Run{Host: showAll{}, Meter: m, Bind: f.values, Types: f.types, Stderr: stderr})
	switch {
	case o.Stop != nil:
		return "stop", string(o.Stop.Reason) + ": " + o.Stop.Message
	case o.Fault != nil:
		return "fault", o.Fault.Error()
	case o.Panic != nil:
		return "panic", strings.SplitN(o.Panic.Text, "\n", 2)[0]
	}
	want, _ := os.ReadFile(strings.TrimSuffix(path, ".go") + ".out")
	got := f.stdout.Bytes()
	if !bytes.Equal(got, want) && !bytes.Equal([]byte(stderr.String()), want) && !bytes.Equal(append(got, stderr.String()...), want) {
		return "wrong", fmt.Sprintf("got %.60q want %.60q", got, want)
	}
	return "pass", ""
}

func TestConformanceOne(t *testing.T) {
	if *conformanceOne == "" {
		t.Skip("only in a child")
	}
	debug.SetMemoryLimit(4 << 30)
	kind, detail := verdict(*conformanceOne)
	fmt.Printf("VERDICT %s\t%s\n", kind, detail)
}

func TestConformanceSet(t *testing.T) {
	if *conformanceList == "" {
		t.Skip("no list")
	}
	list, err := os.ReadFile(*conformanceList)
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(runtime.GOROOT(), "test")
	var mu sync.Mutex
	counts := map[string]int{}
	var lines []string
	work := make(chan string)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for name := range work {
				kind, detail := child(filepath.Join(root, name))
				mu.Lock()
				counts[kind]++
				lines = append(lines, fmt.Sprintf("%s\t%s\t%s", kind, name, detail))
				mu.Unlock()
			}
		})
	}
	sc := bufio.NewScanner(bytes.NewReader(list))
	for sc.Scan() {
		if f := strings.Fields(sc.Text()); len(f) > 0 {
			work <- f[0]
		}
	}
	close(work)
	wg.Wait()
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
	fmt.Println(counts)
}

func child(path string) (kind, detail string) {
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, os.Args[0], "-test.run", "^TestConformanceOne$", "-conformance-one", path)
	out, err := c.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if v, ok := strings.CutPrefix(line, "VERDICT "); ok {
			kind, detail, _ = strings.Cut(strings.TrimSpace(v), "\t")
			return kind, detail
		}
	}
	if ctx.Err() != nil {
		return "hang", ""
	}
	first, _, _ := strings.Cut(string(out), "\n\n")
	return "crash", fmt.Sprintf("%v %.300q", err, first)
}
