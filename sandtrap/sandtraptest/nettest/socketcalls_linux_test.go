package nettest

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestNoSocketCalls: while a script in a kernel worker makes requests, the worker has the one socket to its host, makes no system call
// about others, and asks its filter for none. Package isolate tests that the filter refuses those (TestAudit, TestAuditTells).
func TestNoSocketCalls(t *testing.T) {
	if machine.Raced {
		t.Skip("the race detector makes system calls that no worker may make")
	}
	if !slices.Contains(isolations(t), sandtrap.Kernel) {
		cannot(t, "there is no isolation kernel")
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		cannot(t, err.Error())
	}
	var mu sync.Mutex
	var refusals []audit.Refusal
	p := rig.Pure()
	p.Isolation = sandtrap.Kernel
	p.Audit = func(r audit.Refusal) {
		mu.Lock()
		defer mu.Unlock()
		refusals = append(refusals, r)
	}
	before := workers()
	var traced *exec.Cmd
	log := filepath.Join(t.TempDir(), "calls")
	sockets := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if traced == nil { // the first request: its worker is watched from now on
			pids := slices.DeleteFunc(workers(), func(pid string) bool { return slices.Contains(before, pid) })
			if len(pids) != 1 {
				t.Errorf("there are the workers %v", pids)
			}
			sockets = socketsOf(pids)
			traced = trace(t, strace, log, pids)
		}
		fmt.Fprint(w, strings.Repeat("x", 100_000))
	}))
	defer s.Close()
	rule, err := egress.ParseRule("GET,POST " + s.URL + " loopback")
	if err != nil {
		t.Fatal(err)
	}
	g, err := egress.New(egress.Policy{Rules: []egress.Rule{rule}}, egress.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	box := mustBox(t, p, g)
	res, err := box.Run(t.Context(), sandtrap.Script{Args: []string{"x", s.URL}, Text: `
for i := range 20 {
	resp, err := http.Post(os.Args[1], "", strings.NewReader(strings.Repeat("y", 100_000)))
	if err != nil {
		panic(err)
	}
	n, err := io.Copy(io.Discard, resp.Body)
	fmt.Println(i, n, err)
	http.Get("https://other.example/")
}`})
	if err != nil || strings.Count(res.Stdout, " 100000 <nil>") != 20 {
		t.Fatalf("%v: %+v", err, res)
	}
	box.Close()
	traced.Wait() // it ends with the worker
	text, err := os.ReadFile(log)
	if err != nil || strings.Count(string(text), "write(3") < 20 || strings.Count(string(text), "read(3") < 20 {
		t.Fatalf("the worker was not watched, %v: %.2000s", err, text)
	}
	for line := range strings.Lines(string(text)) {
		for _, call := range []string{"socket(", "socketpair(", "connect(", "bind(", "listen(", "accept", "sendto(", "sendmsg(", "sendmmsg(", "getaddrinfo", "setsockopt("} {
			if strings.Contains(line, call) {
				t.Errorf("the worker made the call %s", line)
			}
		}
	}
	if mu.Lock(); len(refusals) > 0 {
		t.Errorf("the filter refused %+v", refusals)
	}
	mu.Unlock()
	if sockets != "3" {
		t.Errorf("the worker has the sockets %q, not 3 alone", sockets)
	}
}

// workers are the processes that this one, and what starts workers for it, have started.
func workers() (pids []string) {
	var below func(pid string)
	below = func(pid string) {
		tasks, _ := filepath.Glob("/proc/" + pid + "/task/*/children")
		for _, task := range tasks {
			text, _ := os.ReadFile(task)
			for _, child := range strings.Fields(string(text)) {
				if args, _ := os.ReadFile("/proc/" + child + "/cmdline"); !strings.Contains(string(args), "\x00spawner") && !strings.HasPrefix(string(args), "strace") {
					pids = append(pids, child)
				}
				below(child)
			}
		}
	}
	below("self")
	return pids
}

// socketsOf are the numbers of the sockets of processes.
func socketsOf(pids []string) string {
	var numbers []string
	for _, pid := range pids {
		files, _ := filepath.Glob("/proc/" + pid + "/fd/*")
		for _, f := range files {
			if to, _ := os.Readlink(f); strings.HasPrefix(to, "socket:") {
				numbers = append(numbers, filepath.Base(f))
			}
		}
	}
	return strings.Join(numbers, " ")
}

// trace writes the system calls of processes to log, once it says that it is attached.
func trace(t *testing.T, strace, log string, pids []string) *exec.Cmd {
	cmd := exec.Command(strace, append([]string{"-f", "-e", "trace=read,write,%network", "-o", log}, strings.Split("-p "+strings.Join(pids, " -p "), " ")...)...)
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Error(err)
		return cmd
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() && !strings.Contains(lines.Text(), "attached") {
	}
	go func() {
		for lines.Scan() {
		}
	}()
	return cmd
}
