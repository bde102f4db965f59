//go:build linux

package isolate

import (
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// TestNoNetwork: not even without the filter and Landlock does a worker say anything to what listens
// on this machine, which it does as soon as it has no network namespace of its own.
func TestNoNetwork(t *testing.T) {
	var heard atomic.Int64
	stream, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	go func() {
		for {
			conn, err := stream.Accept()
			if err != nil {
				return
			}
			heard.Add(1)
			conn.Close()
		}
	}()
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer packets.Close()
	go func() {
		for {
			if _, _, err := packets.ReadFrom(make([]byte, 10)); err != nil {
				return
			}
			heard.Add(1)
		}
	}()
	front := []string{posture.Seccomp, posture.Landlock, posture.Rlimits}
	for _, with := range []bool{true, false} {
		without := slices.Clone(front)
		if !with {
			without = append(without, posture.NetNamespace)
		}
		w := mustStart(t, Spec{Path: worker, Level: Maximum, AllowDegraded: true, without: without})
		for _, to := range []string{"tcp " + stream.Addr().String(), "udp " + packets.LocalAddr().String()} {
			got, err := w.Do(t.Context(), []byte("dial "+to), Handlers{})
			if held := string(got) != "survived: <nil>"; err != nil || held != with {
				t.Errorf("%s, with a network of its own %v: %s, %v", to, with, got, err)
			}
		}
		if with && heard.Load() > 0 {
			t.Error("it was heard")
		}
	}
	until(t, "what it says without one", func() bool { return heard.Load() == 2 })
}

// TestForkBomb: a worker without a filter has as many processes as its group may have, and they end
// with it.
func TestForkBomb(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Maximum, Memory: 256 << 20, AllowDegraded: true, without: []string{posture.Seccomp}})
	group := w.proc.memory.group
	if group == nil || !strings.Contains(group.holds(), "pids") {
		cannotBe(t, "control groups for processes", machine.Groups("pids"))
	}
	got, err := w.Do(t.Context(), []byte("probe bomb"), Handlers{})
	if err != nil || string(got) != "survived: resource temporarily unavailable" {
		t.Errorf("%s, %v", got, err)
	}
	pids := strings.Fields(readText(group.parts[0].dir, "cgroup.procs"))
	if len(pids) < 20 || len(pids) > maxThreads {
		t.Errorf("there are %d processes, at most %d with their threads", len(pids), maxThreads)
	}
	began := time.Now()
	w.Close()
	for _, pid := range pids {
		if runs(pid) {
			t.Errorf("process %s is left after %v", pid, time.Since(began))
		}
	}
}
