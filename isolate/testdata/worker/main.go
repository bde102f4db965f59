// A worker for tests: its jobs are words.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/confine"
	"github.com/sandtrap-go/sandtrap/isolate/early"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// On a busy machine timers of the runtime may have begun before main.
func init() { time.Sleep(time.Nanosecond) }

func main() {
	if len(os.Args) == 3 && os.Args[1] == "unconfined" { // what comes of an attack where nothing holds it
		fmt.Println(attack(os.Args[2]))
		return
	}
	if !early.Worker() {
		os.Exit(64)
	}
	serve := confine.Spawn
	if len(os.Args) == 1 {
		s := &wire.Server{Lock: lock, Do: do, Ask: ask}
		serve = func() error { return s.Serve(confine.Link{}) }
	}
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// without is a layer that the worker leaves out, and says that it has. It is set when the program is built.
var without string

func lock(p posture.Profile) (posture.Report, error) {
	p.Layers = slices.DeleteFunc(p.Layers, func(name string) bool { return name == without })
	report, err := confine.Apply(p)
	for i := range report.Layers {
		if report.Layers[i].Name == without {
			report.Layers[i].State = posture.Applied
		}
	}
	return report, err
}

// frames are none.
var frames = map[string]string{
	"half": "\x00\x00\x00\x64 and no more", "huge": "\xff\xff\xff\xff", "empty": "\x00\x00\x00\x00", "garbage": "\x00\x00\x00\x05\xff\x00\xff\x00\xff",
}

// ask gives back what it is asked, twice.
func ask(ctx context.Context, body []byte) ([]byte, error) {
	if string(body) == "wait" {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return append(body, body...), nil
}

func do(ctx context.Context, job []byte, host *wire.Host) ([]byte, error) {
	word, rest, _ := strings.Cut(string(job), " ")
	switch word {
	case "echo":
		return []byte(rest), nil
	case "frame":
		confine.Link{}.Write([]byte(frames[rest]))
		if rest == "half" {
			os.Exit(1)
		}
		<-ctx.Done()
	case "slow": // a frame, a byte at a time
		confine.Link{}.Write([]byte{1, 0, 0, 0})
		for {
			confine.Link{}.Write([]byte{0})
			time.Sleep(10 * time.Millisecond)
		}
	case "call":
		return host.Call(ctx, rest, []byte("from the worker"))
	case "ask": // so many calls, one after the other
		var n int
		var then string
		fmt.Sscan(rest, &n, &then)
		for range n {
			if _, err := host.Call(context.WithoutCancel(ctx), "x", []byte("of ten or twenty bytes")); err != nil {
				return nil, err
			}
		}
		if then == "wait" {
			<-ctx.Done()
		}
		return []byte("asked"), nil
	case "outcomes": // of a second job, and others, again and again
		conn := wire.NewConn(confine.Link{})
		go func() {
			for id := uint64(2); ; id++ {
				conn.Send(&wire.Message{Kind: wire.Outcome, ID: 2 + id%2, Body: []byte("x")}) // in one write, which no other comes in between
			}
		}()
		time.Sleep(100 * time.Millisecond)
		return []byte("done"), nil
	case "large":
		return make([]byte, wire.MaxFrame), nil
	case "flood":
		for range 2000 {
			go host.Call(ctx, rest, nil)
		}
		<-ctx.Done()
		return nil, ctx.Err()
	case "calls": // so many at once, of so many bytes, without waiting for answers
		var n, size uint64
		var then string
		fmt.Sscan(rest, &n, &size, &then)
		conn := wire.NewConn(confine.Link{})
		body := make([]byte, size)
		for i := range n {
			conn.Send(&wire.Message{Kind: wire.Call, ID: 1<<32 + i, Job: wire.JobOf(ctx), Name: "x", Body: body})
		}
		if then == "answer" || then == "answer-and-wait" { // what it is asked during them, each by so many bytes
			if _, err := host.Call(ctx, "asked", nil); err != nil {
				return nil, err
			}
			for i := range n {
				conn.Send(&wire.Message{Kind: wire.Answer, ID: 1<<32 + i, Body: make([]byte, 16<<20)})
			}
			if then == "answer-and-wait" {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return host.Call(ctx, "answered", nil)
		}
		if then == "wait" {
			<-ctx.Done()
		}
		return []byte("called"), ctx.Err()
	case "unknown": // messages of a later version
		conn := wire.NewConn(confine.Link{})
		for kind := range 200 {
			if k := wire.Kind(100 + kind%100); conn.Send(&wire.Message{Kind: k, ID: 1, Name: "x", Body: []byte("y")}) != nil {
				return nil, wire.ErrGone
			}
		}
		return host.Call(ctx, "x", nil)
	case "sleep":
		d, _ := time.ParseDuration(rest)
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
		return []byte("slept"), ctx.Err()
	case "spin":
		for {
		}
	case "eat":
		var all [][]byte
		for {
			all = append(all, bytes.Repeat([]byte{1}, 1<<20))
		}
	case "open":
		_, err := os.ReadFile(rest)
		return []byte(survived(err)), nil
	case "attacks":
		return []byte(attackNames()), nil
	case "attack":
		return []byte(survived(attack(rest))), nil
	case "syscall":
		var nr uintptr
		fmt.Sscan(rest, &nr)
		return []byte(survived(call(nr)())), nil
	case "read":
		return readGiven(rest)
	case "dirattacks":
		return []byte(dirAttackNames()), nil
	case "dir":
		return []byte(survived(dirAttack(rest))), nil
	case "dial":
		return []byte(survived(dial(strings.Fields(rest)))), nil
	case "probe":
		return []byte(survived(probes[rest]())), nil
	case "listen":
		return listen()
	case "heard":
		return fmt.Append(nil, heard.Load()), nil
	case "kill":
		var pid uintptr
		fmt.Sscan(rest, &pid)
		return []byte(survived(call(unix.SYS_KILL, pid, uintptr(unix.SIGKILL))())), nil
	case "leave": // the socket to a process that stays
		null := os.NewFile(0, "null")
		_, err := os.StartProcess("/bin/sleep", []string{"sleep", "30"}, &os.ProcAttr{Files: []*os.File{null, null, null, os.NewFile(confine.Socket, "socket")}})
		if err != nil {
			return nil, err
		}
		os.Exit(1)
	case "past": // what the job before may have left, and a call of this one
		conn, before := wire.NewConn(confine.Link{}), wire.JobOf(ctx)-1
		conn.Send(&wire.Message{Kind: wire.Call, ID: 1 << 32, Job: before, Name: "past"})
		conn.Send(&wire.Message{Kind: wire.Call, ID: 1<<32 + 1, Name: "past"})
		conn.Send(&wire.Message{Kind: wire.Stream, ID: before, Name: "past"})
		conn.Send(&wire.Message{Kind: wire.Stream, Name: "past"})
		host.Stream(ctx, "now", nil)
		return host.Call(ctx, "now", nil)
	case "stream":
		host.Stream(ctx, "x", nil)
		_, err := host.Call(ctx, "x", nil) // which comes after it
		return nil, err
	case "words": // on its standard error, without end
		go func() {
			for line := bytes.Repeat([]byte("x"), 4<<10); ; {
				os.Stderr.Write(line)
			}
		}()
		if rest == "wait" {
			<-ctx.Done()
		}
		return nil, nil
	case "idle": // and then not what one does that is idle
		return nil, misbehave(rest)
	case "panic":
		go panic("at the disco")
		select {}
	}
	return nil, fmt.Errorf("no word %q", word)
}
