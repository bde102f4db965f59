package worker

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"
	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/confine"
	"github.com/sandtrap-go/sandtrap/isolate/early"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
)

// TestMain makes the program of these tests its own worker, one that lies where a script tells it to.
func TestMain(m *testing.M) {
	isolate.Serves()
	if early.Worker() {
		if err := serveLies(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if what := os.Getenv("WORKER_TEST_HOST"); what != "" {
		os.Exit(hostOfLiars(what))
	}
	os.Exit(m.Run())
}

func serveLies() error {
	if len(os.Args) > 1 {
		return confine.Spawn()
	}
	l, j := new(liar), &worker{slots: newSlots()}
	do := func(ctx context.Context, body []byte, host *wire.Host) ([]byte, error) {
		var task jobs.Task
		if wire.Decode(body, &task) == nil {
			l.hear(&task)
		}
		script := task.Run
		if task.Cell != nil {
			script = task.Cell.Script
		}
		if script != nil {
			for prefix, forge := range forgers {
				if rest, ok := strings.CutPrefix(script.Text, prefix); ok {
					return forge(ctx, rest, host)
				}
			}
		}
		return j.do(ctx, body, host)
	}
	s := &wire.Server{Lock: confine.Apply, Do: do, Tell: j.tell, Ask: j.asked}
	return s.Serve(l)
}

// forgers are what a worker does in place of running a script that begins so.
var forgers = map[string]func(ctx context.Context, rest string, host *wire.Host) ([]byte, error){
	"//late": func(ctx context.Context, _ string, _ *wire.Host) ([]byte, error) {
		<-ctx.Done() // the host has told it to end
		return wire.Encode(jobs.Result{Stdout: "forged"})
	},
	"//idle": func(ctx context.Context, _ string, host *wire.Host) ([]byte, error) {
		args, err := (&carry.Handles{}).Encode([]any{"x"})
		if err == nil {
			_, _ = host.Call(ctx, wire.CallFunc+"twice", args)
		}
		select {} // and does not end
	},
	"//flood": flood,
	"//stop": func(context.Context, string, *wire.Host) ([]byte, error) {
		time.AfterFunc(20*time.Millisecond, func() { unix.Kill(os.Getpid(), unix.SIGSTOP) })
		return wire.Encode(jobs.Result{})
	},
}

// A lie is a change of one frame of those that a worker sends from the job on that tells it to: of the
// node of that number, or at that path, of what the frame says.
type lie struct {
	frame int // or outcomes
	node  int
	path  string // instead of node, if not empty: keys and indexes, such as 4/6/9/0
	with  int    // which of forgeries
}

// outcomes is in place of the number of a frame: each that ends a job.
const outcomes = 255

// text is the first line of a script.
func (l lie) text() string {
	return fmt.Sprintf("//lie %d %d %s %d\n", l.frame, l.node, cmp.Or(l.path, "-"), l.with)
}

// A liar is the link of a worker to its host. It changes what it is told to change.
type liar struct {
	confine.Link

	mu sync.Mutex
	lie
	armed bool
}

// hear looks for a lie in the script of a task.
func (l *liar) hear(task *jobs.Task) {
	script := cmp.Or(task.Run, task.Check)
	if task.Cell != nil {
		script = task.Cell.Script
	}
	if script == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n, _ := fmt.Sscanf(script.Text, "//lie %d %d %s %d", &l.frame, &l.node, &l.path, &l.with)
	l.armed = n == 4
}

// Write gets each frame whole.
func (l *liar) Write(p []byte) (int, error) {
	l.mu.Lock()
	lies := l.armed && l.frame == 0
	if l.frame == outcomes {
		lies = bytes.HasPrefix(p[5:], []byte{1, byte(wire.Outcome)})
	} else {
		l.frame--
	}
	l.mu.Unlock()
	if !lies {
		return l.Link.Write(p)
	}
	body := l.forge(p[4:])
	_, err := l.Link.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...))
	return len(p), err
}

// absent is a forgery that takes the node away.
var absent = new(int)

// forgeries are what takes the place of a node.
var forgeries = []func(any) any{
	func(any) any { return nil },
	func(any) any { return []any{nil} },
	func(any) any { return absent },
	func(any) any { return cbor.SimpleValue(23) },
	func(any) any { return map[any]any{1: nil} },
	func(any) any { return uint64(0) },
	func(any) any { return -1 },
	func(any) any { return uint64(1<<63 + 1) },
	func(any) any { return "" },
	func(any) any { return "none" },
	func(any) any { return "func.f" },
	func(any) any { return strings.Repeat("x", 70_000) },
	func(any) any { return []byte{} },
	func(any) any { return bytes.Repeat([]byte{0xf6}, 100) },
	func(any) any { return []any{} },
	func(any) any { return map[any]any{} },
	func(any) any { return true },
	func(any) any { return 1.5 },
	func(v any) any { return []any{v, v, v} },
	func(v any) any { return []any{[]any{[]any{v}}} },
	func(v any) any { return map[any]any{1: v, 2: v, 4: v, 9: []any{v}} },
	func(v any) any { return slices.Repeat([]any{v}, 1000) },
}

// forge changes the body of a frame.
func (l *liar) forge(body []byte) []byte {
	var root any
	if err := cbor.Unmarshal(body, &root); err != nil {
		panic(err)
	}
	count := &tree{}
	count.walk(root, "")
	t := &tree{at: l.node % count.seen, path: strings.Trim(l.path, "-"), with: forgeries[l.with%len(forgeries)]}
	return encoded(t.walk(root, ""))
}

func encoded(v any) []byte {
	mode, err := cbor.CoreDetEncOptions().EncMode()
	if err == nil {
		var data []byte
		if data, err = mode.Marshal(v); err == nil {
			return data
		}
	}
	panic(err)
}

// A tree is a walk over what a frame says, in which one node is replaced. Bytes that say something
// themselves are nodes, too.
type tree struct {
	at   int
	path string
	with func(any) any // nil to count
	seen int
}

func (t *tree) walk(v any, path string) any {
	here := t.path == "" && t.seen == t.at || t.path != "" && t.path == path
	t.seen++
	if here && t.with != nil {
		return t.with(v)
	}
	switch v := v.(type) {
	case []byte:
		return t.bytes(v, path)
	case []any:
		list := []any{}
		for i, e := range v {
			if e = t.walk(e, path+"/"+strconv.Itoa(i)); e != any(absent) {
				list = append(list, e)
			}
		}
		return list
	case map[any]any:
		changed := map[any]any{}
		for _, k := range slices.SortedFunc(maps.Keys(v), func(a, b any) int { return bytes.Compare(encoded(a), encoded(b)) }) {
			if e := t.walk(v[k], strings.TrimPrefix(path+"/"+fmt.Sprint(k), "/")); e != any(absent) {
				changed[k] = e
			}
		}
		return changed
	}
	return v
}

func (t *tree) bytes(v []byte, path string) any {
	var inner any
	if len(v) < 2 || cbor.Unmarshal(v, &inner) != nil {
		return v
	}
	switch inner.(type) {
	case []any, map[any]any:
		return encoded(t.walk(inner, path))
	}
	return v
}
