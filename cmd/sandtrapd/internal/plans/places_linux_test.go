package plans_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// children are the processes that this one has started, as the kernel lists them.
func children(t *testing.T) (list []string) {
	t.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		text, err := os.ReadFile("/proc/self/task/" + task.Name() + "/children")
		if err != nil && task.Name() == fmt.Sprint(os.Getpid()) {
			t.Skip("this kernel does not list the children of a process")
		}
		list = append(list, strings.Fields(string(text))...)
	}
	slices.Sort(list)
	return list
}

// settled waits until no worker starts or ends, and as many wait for their tenants.
func settled(t *testing.T, s *plans.Set, waiting int) (list []string) {
	t.Helper()
	var now isolate.PoolStats
	for range 6000 {
		before := list
		list = children(t)
		now = plans.Workers(s.Stats())
		if now.Starting == 0 && now.Busy == 0 && now.Waiting == waiting && slices.Equal(before, list) {
			return list
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%+v; want %d that wait", now, waiting)
	return nil
}

// TestPlaces: the runs of a tenant have the same process, one after the other, and those of another tenant another one. Of many tenants
// those that came last keep theirs. None is left at the end.
func TestPlaces(t *testing.T) {
	s := plans.New(plans.Options{Isolation: sandtrap.Kernel, MaxTimeout: time.Minute, Kept: 2, Workers: 4})
	defer s.Close()
	box, err := s.Get(t.Context(), policies.Default+"@builtin", "")
	if e, ok := err.(*sandtrap.Error); ok && e.Kind == sandtrap.KindIsolation {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := func(tenant string) {
		t.Helper()
		if res, err := box.Run(t.Context(), tenant, sandtrap.Script{Text: "fmt.Println(1)"}); err != nil || res.Stdout != "1\n" {
			t.Fatal(res, err)
		}
	}
	keeps(t, s, run)
	for i := range 4 {
		run(fmt.Sprint("other", i))
	}
	run("alpha")
	settled(t, s, 2)
	box.Release()
	s.Close()
	none(t)
}

// TestPlacesOfTools is TestPlaces for runs that wait for tools: no process is there before the first run, a run goes on in the process that it
// began in, another tenant has another one, and no more tenants keep theirs than there are places. A box that is closed leaves none.
func TestPlacesOfTools(t *testing.T) {
	s := plans.New(plans.Options{Isolation: sandtrap.Kernel, MaxTimeout: time.Minute, Kept: 1, Workers: 4})
	defer s.Close()
	box, err := s.Get(t.Context(), policies.Default+"@builtin", "package tools\nfunc Ask() int")
	if err != nil {
		t.Fatal(err)
	}
	if now := children(t); len(now) > 0 {
		t.Errorf("before the first run there are %v", now)
	}
	run := func(tenant string) {
		t.Helper()
		var journal bytes.Buffer
		if err := box.Begin(sandtrap.Script{Text: "n := rand.IntN(1000)\nfmt.Println(n, Ask(), n, time.Now())"}, &journal); err != nil {
			t.Fatal(err)
		}
		_, pause, err := box.Resume(t.Context(), tenant, &journal)
		if e, ok := err.(*sandtrap.Error); ok && e.Kind == sandtrap.KindIsolation {
			t.Skip(err)
		}
		if err != nil || pause == nil {
			t.Fatal(pause, err)
		}
		if err := pause.Save(&journal); err != nil {
			t.Fatal(err)
		}
		res, _, err := box.Resume(t.Context(), tenant, &journal, durable.Answer{ID: 1, Result: []byte("7")})
		var n, seven, again int
		if _, scan := fmt.Sscan(res.Stdout, &n, &seven, &again); err != nil || scan != nil || seven != 7 || n != again {
			t.Fatal(res.Stdout, err, scan)
		}
	}
	keeps(t, s, run)
	run("gamma")
	settled(t, s, 2)
	box.Release()
	other, err := s.Get(t.Context(), policies.Default+"@builtin", "package tools\nfunc Other() int")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Release()
	none(t)
}

// keeps runs scripts of two tenants: each keeps its process from one run to the next.
func keeps(t *testing.T, s *plans.Set, run func(tenant string)) {
	t.Helper()
	run("alpha")
	first := settled(t, s, 1)
	for range 5 {
		run("alpha")
	}
	if now := settled(t, s, 1); !slices.Equal(now, first) {
		t.Errorf("the processes were %v, and now %v", first, now)
	}
	run("beta")
	if now := settled(t, s, 2); len(now) != len(first)+1 {
		t.Errorf("the processes were %v, and with another tenant %v", first, now)
	}
}

// none waits until no process is left.
func none(t *testing.T) {
	t.Helper()
	for n := 0; len(children(t)) > 0; n++ {
		if n == 6000 {
			t.Fatalf("processes that are left: %v", children(t))
		}
		time.Sleep(10 * time.Millisecond)
	}
}
