package cluster

import (
	"testing"
	"time"
)

// TestMembers: a front tells of the workers that are there, those of another isolation too, and gives these no jobs.
func TestMembers(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	work(t, client(t, s, "b"), "b", 3, honest)
	conn := client(t, s, "a")
	if err := conn.Publish(here+"a", encode(beat{Instance: "i1", Slots: 2, Running: 1, Level: "kernel", Version: "v1", Memory: 10, Free: 4, Load: 50})); err != nil {
		t.Fatal(err)
	}
	until(t, func() bool { return len(f.Members()) == 2 })
	list := f.Members()
	a, b := list[0], list[1]
	if since := time.Since(a.Seen); since < 0 || since > time.Minute {
		t.Errorf("seen %s ago", since)
	}
	a.Seen = time.Time{}
	if want := (Member{Name: "a", Version: "v1", Level: "kernel", Slots: 2, Running: 1, Memory: 10, Free: 4, Load: 50}); a != want {
		t.Errorf("%+v, want %+v", a, want)
	}
	if b.Name != "b" || b.Slots != 3 || b.Memory <= 0 || b.Free != b.Memory {
		t.Errorf("%+v", b)
	}
	has(t, f, 3)
	until(t, func() bool { return len(f.Members()) == 1 })
	has(t, f, 3)
}
