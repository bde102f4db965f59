package record_test

import (
	crand "crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

var kills = flag.Int("kills", 10, "how many processes TestKilled kills")

// TestKilled: processes are killed while 8 goroutines write. Each time all lines are whole but maybe the last one, the record
// verifies up to there, it has what was written before the kill, and the next process goes on with it.
func TestKilled(t *testing.T) {
	if path := os.Getenv("RECORD_KILLED"); path != "" {
		writeUntilKilled(t, path)
		return
	}
	path := filepath.Join(t.TempDir(), "r")
	private, public, err := note.GenerateKey(crand.Reader, "test")
	if err != nil {
		t.Fatal(err)
	}
	by, err := note.NewVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("RECORD_KEY", private)
	torn, lastSeen := 0, int64(0)
	for i := range *kills {
		acknowledged := killOne(t, path)
		if info, err := os.Stat(path); acknowledged == 0 && (errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0) {
			continue // it was killed before it had begun the record
		}
		_, err := record.VerifyFiles(path, nil)
		var bad *record.BadLine
		cut := errors.As(err, &bad) && strings.Contains(bad.Reason, "not whole")
		if cut {
			torn++
		} else if err != nil {
			t.Fatalf("kill %d: %v", i, err)
		}
		all := lines(t, path)
		for n, line := range all {
			if !json.Valid([]byte(line)) && !(cut && n == len(all)-1) {
				t.Fatalf("kill %d: line %d is %q", i, n+1, line)
			}
		}
		l := openKilled(t, path)
		if err := l.Close(); err != nil {
			t.Fatalf("kill %d: %v", i, err)
		}
		s, err := record.VerifyFiles(path, checkpoint(t, path, by))
		if err != nil || s.Last < lastSeen+acknowledged {
			t.Fatalf("kill %d: %+v, %v; %d lines before, and %d were written", i, s, err, lastSeen, acknowledged)
		}
		lastSeen = s.Last
		damage(t, path)
	}
	t.Logf("%d processes killed, %d lines were not whole, %d lines", *kills, torn, lastSeen)
}

func openKilled(t *testing.T, path string) *record.Log {
	key, err := record.ParseKey(os.Getenv("RECORD_KEY"))
	if err != nil {
		t.Fatal(err)
	}
	return open(t, path, record.Options{MaxBytes: 1 << 20, Keep: 2, Key: key, Every: 100})
}

// writeUntilKilled writes events, and tells how many were.
func writeUntilKilled(t *testing.T, path string) {
	l := openKilled(t, path)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for {
				if err := l.Write(full()); err != nil {
					t.Error(err)
					return
				}
				fmt.Println("written")
			}
		})
	}
	all.Wait()
}

// killOne starts a process that writes to path, kills it, and gives how many events it had written for certain.
func killOne(t *testing.T, path string) int64 {
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "RECORD_KILLED="+path)
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	return int64(strings.Count(out.String(), "written\n"))
}

// damage flips a bit in a copy of the record, and wants it found at its line.
func damage(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := rand.IntN(len(text))
	text[at] ^= 1 << rand.IntN(8)
	_, err = record.Verify(strings.NewReader(string(text)), nil)
	if want := int64(strings.Count(string(text[:at]), "\n") + 1); badLine(t, err) != want {
		t.Fatalf("byte %d of %d: %v, want line %d", at, len(text), err, want)
	}
}
