package worker

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/confine"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/network"
)

// big is more than any frame needs under the policy of these tests, and no more than a frame may ever have.
const big = 60 << 20

// head is the head of an item of CBOR.
func cborHead(major byte, n int) []byte {
	return binary.BigEndian.AppendUint32([]byte{major<<5 | 26}, uint32(n))
}

// send sends a frame of a kind whose last part has size bytes, of which it only sends some; the worker holds
// nothing of it. Parts are what stands before these, each with the number of bytes that it counts.
func send(kind wire.Kind, name string, size, some int, before ...byte) {
	body := append(slices.Clip(before), cborHead(3, size)...)
	if len(before) == 0 {
		body = nil
	}
	all := []byte{0xa4, 1, byte(kind), 2, 2, 3, 0x78, byte(len(name))} // the second job is the first run
	all = append(append(all, name...), 4)
	all = append(append(all, cborHead(2, len(body)+size)...), body...)
	confine.Link{}.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(all)+size)), all...))
	for piece := bytes.Repeat([]byte("x"), 64<<10); some > 0; some -= len(piece) {
		confine.Link{}.Write(piece[:min(len(piece), some)])
	}
}

// request sends an operation on an HTTP request, with some bytes that say nothing, and waits for no answer.
func request(op network.Op, padding int) {
	body, err := wire.Encode(struct {
		network.Op
		Padding []byte `cbor:"99,keyasint,omitempty"`
	}{op, make([]byte, padding)})
	if err != nil {
		panic(err)
	}
	wire.NewConn(confine.Link{}).Send(&wire.Message{Kind: wire.Call, ID: op.ID + 1, Job: 2, Name: network.Call, Body: body})
}

// silentNet is a network whose server never answers, and whose host has not decided yet about requests.
func silentNet() egress.Network {
	g, err := egress.New(egress.Policy{Rules: []egress.Rule{{Host: "a.example", Scheme: "http", Methods: []string{"GET", "POST"}}}}, egress.Options{
		Decide: func(ctx context.Context, _ egress.Event) error { <-ctx.Done(); return ctx.Err() },
	})
	if err != nil {
		panic(err)
	}
	return g
}

// floods are what a worker does to have its host hold much; after some of them it ends the run.
var floods = map[string]func(ctx context.Context, host *wire.Host) bool{
	"streams":       func(context.Context, *wire.Host) bool { send(wire.Stream, "event.stdout", big, big); return true },
	"half a stream": func(context.Context, *wire.Host) bool { send(wire.Stream, "event.stdout", big, big-1); select {} },
	"small streams": func(ctx context.Context, host *wire.Host) bool {
		for range 3_000 {
			host.Stream(ctx, "event.stdout", bytes.Repeat([]byte("x"), 32<<10))
		}
		return true
	},
	"text of an error": func(context.Context, *wire.Host) bool {
		send(wire.Outcome, "", 50<<20, 50<<20, 0xa1, 6, 0xa2, 1, 0x65, 'p', 'a', 'n', 'i', 'c', 4)
		select {}
	},
	"many reasons": func(context.Context, *wire.Host) bool {
		text := strings.Repeat("x", 4<<20)
		e := &jobs.Error{Kind: "type", Message: text}
		for range 12 {
			e.More = append(e.More, &jobs.Error{Kind: "type", Message: text})
		}
		body, _ := wire.Encode(jobs.Result{Error: e})
		wire.NewConn(confine.Link{}).Send(&wire.Message{Kind: wire.Outcome, ID: 2, Body: body})
		select {}
	},
	"text of a job": func(context.Context, *wire.Host) bool {
		wire.NewConn(confine.Link{}).Send(&wire.Message{Kind: wire.Outcome, ID: 2, Error: strings.Repeat("x", 50<<20)})
		select {}
	},
	"output":       func(context.Context, *wire.Host) bool { send(wire.Outcome, "", big, big, 0xa1, 1); select {} },
	"print":        func(context.Context, *wire.Host) bool { send(wire.Call, wire.CallPrint, big, big); select {} },
	"ahead":        func(context.Context, *wire.Host) bool { send(wire.Call, wire.CallAhead, big, big); select {} },
	"file":         func(context.Context, *wire.Host) bool { send(wire.Call, wire.CallFile, big, big); select {} },
	"file that is": func(context.Context, *wire.Host) bool { send(wire.Call, "none", big, big); select {} },
	"argument":     func(context.Context, *wire.Host) bool { send(wire.Call, wire.CallFunc+"twice", big, big); select {} },
	"arguments that fit": func(context.Context, *wire.Host) bool {
		for range 20 {
			send(wire.Call, wire.CallFunc+"twice", memory<<20, memory<<20)
		}
		select {}
	},
	"calls of nothing": func(context.Context, *wire.Host) bool {
		for range 100_000 {
			send(wire.Call, "none", 1000, 1000)
		}
		select {}
	},
	"output that fit": func(context.Context, *wire.Host) bool {
		send(wire.Outcome, "", memory<<20, memory<<20, 0xa1, 1)
		select {}
	},
	"requests": func(_ context.Context, host *wire.Host) bool {
		for i := range uint64(100_000) {
			request(network.Op{Op: "send", ID: i, Head: &network.Header{URL: "http://a.example/"}}, 0)
		}
		select {}
	},
	"headers of requests": func(_ context.Context, host *wire.Host) bool {
		for _, names := range []int{7_000, 40_000} {
			var header network.Fields
			for i := range names {
				header = append(header, 3, byte(i), byte(i>>7), byte(i>>14), 0) // a name without a value
			}
			for i := range uint64(wire.MaxCalls/2 - 1) {
				request(network.Op{Op: "send", ID: uint64(names) + i, Head: &network.Header{URL: "http://a.example/", Header: header}}, 0)
			}
		}
		select {}
	},
	"bodies of requests": func(_ context.Context, host *wire.Host) bool {
		for i := range uint64(wire.MaxCalls / 2) {
			request(network.Op{Op: "send", ID: i, More: true, Head: &network.Header{URL: "http://a.example/"}}, 0)
			request(network.Op{Op: "body", ID: i, More: true, Data: make([]byte, 32<<10)}, 0)
		}
		select {}
	},
	"padded requests": func(_ context.Context, host *wire.Host) bool {
		request(network.Op{Op: "send", ID: 1, Head: &network.Header{URL: "http://a.example/"}}, 0)
		for i := range uint64(wire.MaxCalls - 2) {
			request(network.Op{Op: "send", ID: i, Head: &network.Header{URL: "http://a.example/"}}, 190<<10)
			request(network.Op{Op: "body", ID: 1, More: true}, 190<<10)
		}
		select {}
	},
	"an answer":  func(context.Context, *wire.Host) bool { send(wire.Answer, "", big, big); select {} },
	"of no kind": func(context.Context, *wire.Host) bool { send(200, "", big, big); select {} },
	"half, idle": func(context.Context, *wire.Host) bool {
		time.AfterFunc(50*time.Millisecond, func() { send(wire.Stream, "", big, big-1) })
		return true
	},
	"outcomes, idle": func(context.Context, *wire.Host) bool {
		time.AfterFunc(50*time.Millisecond, func() { send(wire.Outcome, "", big, big) })
		return true
	},
}

func flood(ctx context.Context, rest string, host *wire.Host) ([]byte, error) {
	if floods[rest](ctx, host) {
		return wire.Encode(jobs.Result{})
	}
	return nil, nil
}

// memory is how many MiB a run may hold under the policy of these tests.
const memory = 8

// bound is by how many MiB the host may grow, with a quarter of garbage: by next to nothing, or by what the policy
// lets runs return or give its functions, as a frame, as a message, and as a value.
func bound(flood string, n int) int {
	if strings.HasSuffix(flood, "that fit") {
		return 16 + n*3*memory
	}
	if strings.HasSuffix(flood, "of requests") { // 256 parts of 32 KiB, or headers of 4 MiB
		return 24 + 10*n
	}
	return 24 + 4*n
}

// hostOfLiars has so many workers flood it at once in one way, and says by how many KiB it grew.
func hostOfLiars(what string) int {
	name, number, _ := strings.Cut(what, "/")
	n, _ := strconv.Atoi(number)
	plan, err := sandtrap.Compile(sandtrap.Policy{
		Isolation: sandtrap.Process, Limits: sandtrap.Limits{Memory: memory << 20, Output: 64 << 10, Timeout: 500 * time.Millisecond},
		Files: &sandtrap.Files{Open: func() (afero.Fs, error) { return afero.NewMemMapFs(), nil }},
		Funcs: map[string]any{"twice": func(s string) string { return s + s }}, Network: silentNet(),
	})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	var all sync.WaitGroup
	boxes := []*sandtrap.Sandbox{}
	for range n {
		box, err := plan.New(context.Background())
		if err != nil {
			fmt.Println(err)
			return 1
		}
		boxes = append(boxes, box)
	}
	debug.SetGCPercent(25) // how much garbage there is for how long is not what is asked
	debug.FreeOSMemory()
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the most is what it is now
	before := resident("VmRSS:")
	for _, box := range boxes {
		all.Go(func() {
			box.Run(context.Background(), sandtrap.Script{Text: "//flood" + name, Stdout: io.Discard, Events: make(chan sandtrap.Event, 1)})
			if strings.Contains(name, "idle") {
				time.Sleep(time.Second)
			}
			box.Close()
		})
	}
	all.Wait()
	fmt.Println(resident("VmHWM:") - before)
	isolate.Rest()
	return 0
}

// resident is a size in KiB that the kernel shows of this process.
func resident(what string) int {
	text, _ := os.ReadFile("/proc/self/status")
	_, after, _ := strings.Cut(string(text), what)
	n, _ := strconv.Atoi(strings.Fields(after)[0])
	return n
}

// TestHostMemory: whatever workers send, one or eight at once, their host does not grow by more than follows
// from what their policy lets a run hold.
func TestHostMemory(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(floods)) {
		for _, n := range []int{1, 8} {
			if testing.Short() && n > 1 {
				continue // each of them takes seconds
			}
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
				t.Parallel()
				host := exec.Command("/proc/self/exe")
				host.Env = []string{fmt.Sprintf("WORKER_TEST_HOST=%s/%d", name, n)}
				text, err := host.CombinedOutput()
				grown, wrong := strconv.Atoi(strings.TrimSpace(string(text)))
				if err != nil || wrong != nil {
					t.Fatalf("%v: %s", err, text)
				}
				t.Logf("%d MiB", grown>>10)
				if most := bound(name, n); !machine.Raced && grown>>10 > most { // the race detector has memory of its own for each byte
					t.Errorf("it grew by %d MiB; the most are %d", grown>>10, most)
				}
			})
		}
	}
}
