//go:build linux

package sandtraptest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestKilledAtStart: a worker that is killed before it is ready has done nothing, so another one takes its
// place. Where all are, the error is of the worker; that one cannot be had is only said of one that ends itself.
func TestKilledAtStart(t *testing.T) {
	for _, tc := range []struct {
		kills, starts int
		want          error
	}{{0, 1, sandtrap.KindIsolation}, {1, 2, sandtrap.KindIsolation}, {50, 3, sandtrap.KindWorker}} {
		dir := t.TempDir()
		program := filepath.Join(dir, "worker")
		text := fmt.Sprintf("#!/bin/sh\necho x >>%[1]s/began\n[ $(wc -l <%[1]s/began) -gt %[2]d ] || kill -9 $$\nexit 7\n", dir, tc.kills)
		if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		p := pure()
		p.Isolation, p.Worker = sandtrap.Process, program
		_, err := sandtrap.New(t.Context(), p)
		began, _ := os.ReadFile(filepath.Join(dir, "began"))
		if starts := strings.Count(string(began), "x"); !errors.Is(err, tc.want) || starts != tc.starts {
			t.Errorf("%d were killed: %d starts, %v, want %d and %v", tc.kills, starts, err, tc.starts, tc.want)
		}
	}
}
