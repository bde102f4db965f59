package resident

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

const (
	childIs = "SANDTRAP_RESIDENT_CHILD"
	allIs   = "SANDTRAP_RESIDENT" // set to all for the whole table, or to a part of the names
)

// TestMain runs what a parent asks for on the standard input of a child.
func TestMain(m *testing.M) {
	if os.Getenv(childIs) == "" {
		os.Exit(m.Run())
	}
	var j job
	if err := json.NewDecoder(os.Stdin).Decode(&j); err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	j.run()
	fmt.Println("done")
	_, _ = io.Copy(io.Discard, os.Stdin) // the parent looks at the memory first
}

// A job is what one child runs: all texts at once.
type job struct {
	Texts    []string
	Innocent string
	Timeout  time.Duration
}

func (j *job) run() {
	ended := make(chan string)
	for _, text := range j.Texts {
		go func() { ended <- attempt(text, j.Timeout) }()
	}
	if j.Innocent != "" {
		fmt.Println("innocent:", attempt(j.Innocent, time.Hour))
	}
	for range j.Texts {
		fmt.Println("ended:", <-ended)
	}
}

func attempt(text string, timeout time.Duration) string {
	p := sandtrap.Policy{
		Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Memory: limit, Timeout: timeout},
		Files: &sandtrap.Files{Open: func() (afero.Fs, error) { return vfs.Mem(), nil }, Quota: vfs.Quota{Bytes: 1 << 40, Files: 1 << 30}},
	}
	box, err := sandtrap.New(context.Background(), p)
	if err != nil {
		return err.Error()
	}
	defer box.Close()
	_, err = box.Run(context.Background(), sandtrap.Script{Text: text})
	for _, want := range []struct {
		err  error
		name string
	}{{nil, "ok"}, {sandtrap.KindMemory, "memory"}, {sandtrap.KindTimeout, "timeout"}} {
		if errors.Is(err, want.err) {
			return want.name
		}
	}
	return err.Error()
}

// A measured child is what it has said, and the most that it had in memory.
type measured struct {
	lines []string
	peak  int64
	err   error
}

// child runs a job in a process of its own.
func child(t *testing.T, j job) measured {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childIs+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer guard(cmd)()
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(text); err != nil {
		t.Fatal(err)
	}
	var m measured
	for s := bufio.NewScanner(out); s.Scan(); {
		if s.Text() == "done" {
			m.peak = residentPeak(cmd.Process.Pid)
			break
		}
		m.lines = append(m.lines, s.Text())
	}
	_ = in.Close()
	m.err = cmd.Wait()
	return m
}

// fatal is what a child may take of the machine before it is ended.
const fatal = 3 << 30

// guard ends a child that takes too much, until the function it returns is called.
func guard(cmd *exec.Cmd) func() {
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
				if residentPeak(cmd.Process.Pid) > fatal {
					_ = cmd.Process.Kill()
				}
			}
		}
	}()
	return func() { close(stop) }
}

// residentPeak is the most that a process has had in memory, in bytes.
func residentPeak(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	field, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kb, _ := strconv.ParseInt(field, 10, 64)
	return kb << 10
}

// sample are scripts for each way in which a host comes to hold memory of a script.
var sample = []string{
	"list of raw message", "pool of sorted texts", "context of durations", "map of array", "slog of map", "ring of url values",
	"bufio.Scanner.Buffer", "bytes.Reader reset", "base64.NewEncoding", "strconv errors", "memory files, one", "small slices",
	"texts joined", "text template, in itself",
}

// chosen are the scripts to run: the sample, or those that the environment names.
func chosen(t *testing.T) []script {
	which := os.Getenv(allIs)
	list := slices.DeleteFunc(scripts(), func(s script) bool {
		return which == "" && !slices.Contains(sample, s.name) || which != "all" && !strings.Contains(s.name, which)
	})
	if len(list) == 0 || which == "" && len(list) != len(sample) {
		t.Fatalf("%d scripts are chosen", len(list))
	}
	return list
}

// TestTable: there are as many scripts as documented.
func TestTable(t *testing.T) {
	if n := len(scripts()); n < 170 {
		t.Errorf("there are %d scripts", n)
	}
}

// TestAlone: a process with one script that holds what it can stays near the limit of that.
func TestAlone(t *testing.T) {
	for _, s := range chosen(t) {
		t.Run(s.name, func(t *testing.T) {
			m := child(t, job{Texts: []string{s.text}, Timeout: 3 * time.Second})
			t.Logf("%d MiB: %v", m.peak>>20, m.lines)
			if m.err != nil || len(m.lines) != 1 {
				t.Fatalf("the process ended: %v, %q", m.err, m.lines)
			}
			if m.lines[0] != "ended: memory" && m.lines[0] != "ended: timeout" {
				t.Errorf("got %q, want a stop for memory or time", m.lines[0])
			}
			if m.peak == 0 || m.peak > limit+128<<20 {
				t.Errorf("%d MiB in memory", m.peak>>20)
			}
		})
	}
}

// TestAtOnce: sixteen scripts that hold what they can stay near the sum of their limits, and one
// beside them that holds little ends well.
func TestAtOnce(t *testing.T) {
	const many = 16
	all := scripts()
	rounds := len(all) / many
	for round := range rounds {
		if os.Getenv(allIs) != "all" && round != 3 {
			continue
		}
		j := job{Innocent: innocent, Timeout: 5 * time.Second}
		for i := range many {
			j.Texts = append(j.Texts, all[round+i*rounds].text)
		}
		m := child(t, j)
		t.Logf("round %d: %d MiB: %v", round, m.peak>>20, m.lines)
		if m.err != nil || len(m.lines) != many+1 {
			t.Fatalf("the process ended: %v, %q", m.err, m.lines)
		}
		for _, line := range m.lines {
			if line != "innocent: ok" && line != "ended: memory" && line != "ended: timeout" {
				t.Errorf("round %d: got %q", round, line)
			}
		}
		if m.peak == 0 || m.peak > (many+1)*limit+256<<20 {
			t.Errorf("round %d: %d MiB in memory", round, m.peak>>20)
		}
	}
}
