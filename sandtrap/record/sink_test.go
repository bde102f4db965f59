package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// TestSlog: the attributes are the fields as encoding/json names them, and the level tells what failed.
func TestSlog(t *testing.T) {
	var out bytes.Buffer
	s := record.Slog(slog.New(slog.NewJSONHandler(&out, nil)))
	e := full()
	if err := s.Write(e); err != nil {
		t.Fatal(err)
	}
	var got, want map[string]any
	text, err := json.Marshal(e)
	if err := errors.Join(err, json.Unmarshal(out.Bytes(), &got), json.Unmarshal(text, &want)); err != nil {
		t.Fatal(err)
	}
	if got["level"] != "WARN" || got["msg"] != "sandtrap" {
		t.Error(got)
	}
	delete(got, "level")
	delete(got, "msg")
	want["args"] = string(e.Args)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	out.Reset()
	if err := s.Write(record.Event{Kind: record.KindStart}); err != nil || !bytes.Contains(out.Bytes(), []byte(`"level":"INFO"`)) {
		t.Error(out.String(), err)
	}
}

// TestTee: all sinks get the event, and all errors are told.
func TestTee(t *testing.T) {
	one, two, n := errors.New("one"), errors.New("two"), 0
	fails := func(err error) record.Sink {
		return record.Func(func(record.Event) error { n++; return err })
	}
	err := record.Tee(fails(one), fails(nil), fails(two)).Write(record.Event{Kind: record.KindStart})
	if n != 3 || !errors.Is(err, one) || !errors.Is(err, two) {
		t.Error(n, err)
	}
}

// TestSyscall: the event of a refused system call.
func TestSyscall(t *testing.T) {
	at := time.Now()
	e := record.Syscall(decide.Subject{Run: "r"}, audit.Refusal{Time: at, Call: "openat", Number: 257, Args: [6]uint64{1, 2, 3, 4, 5, 1<<64 - 1}, Path: "/etc/passwd", Thread: 7})
	const args = `{"number":257,"args":[1,2,3,4,5,18446744073709551615],"path":"/etc/passwd"}`
	if string(e.Args) != args || e.Kind != record.KindSyscall || e.Member != "openat" || e.Decision != record.Deny || e.Process != 7 || e.Run != "r" || e.Time != at {
		t.Errorf("%+v", e)
	}
	if e := record.Syscall(decide.Subject{}, audit.Refusal{Number: 999}); e.Member != "syscall 999" {
		t.Error(e.Member)
	}
}
