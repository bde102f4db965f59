package early_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"testing"

	. "github.com/sandtrap-go/sandtrap/isolate/early"
)

const tells = "EARLY_TEST_TELLS" // in the environment of the program that this test starts

func TestMain(m *testing.M) {
	if os.Getenv(tells) != "" {
		fmt.Print(runtime.GOMAXPROCS(0))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// start starts this program again, by a name.
func start(t *testing.T, name string, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &exec.Cmd{Path: self, Args: []string{name}, Env: append(env, tells+"=1")}
}

func TestWorkersHaveOneProcessor(t *testing.T) {
	for name, want := range map[string]string{WorkerName: "1", "a program": "3"} {
		out, err := start(t, name, "GOMAXPROCS=3").Output()
		if string(out) != want || err != nil {
			t.Errorf("%s begins with %s processors instead of %s, %v", name, out, want, err)
		}
	}
}

// TestComesFirst: what makes tables when a program starts comes later.
func TestComesFirst(t *testing.T) {
	trace, err := start(t, WorkerName, "GODEBUG=inittrace=1").CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	order := []string{}
	for _, line := range regexp.MustCompile(`(?m)^init (\S+) @`).FindAllStringSubmatch(string(trace), -1) {
		order = append(order, line[1])
	}
	own := slices.Index(order, "github.com/sandtrap-go/sandtrap/isolate/early")
	if own < 1 || order[own-1] != "os" {
		t.Errorf("it comes in this order: %v", order)
	}
}
