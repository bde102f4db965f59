package sandtrap

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/spf13/afero"
)

func ExamplePlan_Explain() {
	plan, err := Compile(Policy{
		Std:       []string{"fmt", "strings", "time"},
		Funcs:     map[string]any{"fetch": Member{Value: func(url string) string { return "" }, Network: true}},
		Isolation: Kernel,
		Level:     isolate.Strict,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range plan.Explain() {
		fmt.Printf("%s: %s\n", h.Cause, h.Opens)
	}
	// Output:
	// Std time: functions that need: clock
	// Funcs fetch: the host runs it, or shares it if it is a value; granted: network
	// Level strict: the worker runs without no_write_exec
}

// TestExplain: what opens something is said, with its cause, and what opens nothing is not.
func TestExplain(t *testing.T) {
	dir := t.TempDir()
	mem := func() (afero.Fs, error) { return afero.NewMemMapFs(), nil }
	for _, tc := range []struct {
		field  string
		policy Policy
		want   string // all exposures, but for those of an isolation
	}{
		{"Limits", Policy{Limits: Limits{Memory: 1 << 20}}, ""},
		{"Std", Policy{Std: []string{"strings", "math/..."}}, "Std math/rand: functions that need: random; Std math/rand/v2: functions that need: random"},
		{"Exclude", Policy{Std: []string{"math/rand"}, Exclude: []string{"math/rand"}}, ""},
		{"Packages", Policy{Packages: []Package{{Path: "corp/p", Members: map[string]any{"F": func() {}}, HostFiles: true}}},
			"Packages corp/p: the host runs its functions and methods, and shares its variables; granted: hostfiles"},
		{"Funcs", Policy{Funcs: map[string]any{"f": func() {}}}, "Funcs f: the host runs it, or shares it if it is a value"},
		{"Docs", Policy{Funcs: map[string]any{"f": func() {}}, Docs: map[string]string{"f": "does"}}, "Funcs f: the host runs it, or shares it if it is a value"},
		{"Files", Policy{Files: &Files{Open: mem, ModuleRoot: "/lib"}},
			"Files.Open: files of the file system that it returns, which the host reads and changes for scripts, within Files.Quota; Files.ModuleRoot /lib: source below it is imported, under the rules of the script"},
		{"Env", Policy{Env: map[string]string{"A": "1"}}, "Env: 1 variables to read, and to change for the run itself"},
		{"Network", Policy{Network: &egress.Gate{}}, "Network: requests by package net/http, which the gate of the host makes if its policy lists them"},
		{"Wrappers", Policy{Wrappers: []any{func(v Value) fmt.Stringer { return nil }}}, "Wrappers: the host has methods of scripts called, on the time and memory of the run"},
		{"Echo", Policy{Echo: EchoAll}, ""},
		{"Seed", Policy{Seed: 1}, ""},
		{"Epoch", Policy{}, ""},
		{"Engine", Policy{Engine: "vm"}, ""},
		{"Isolation", Policy{Isolation: Process}, "Isolation process: no wall: who finds a defect of the engine has all that the user of the host may do"},
		{"Level", Policy{Isolation: Kernel, Level: isolate.Maximum}, ""},
		{"Worker", Policy{Isolation: Kernel, Worker: "/no/worker"}, ""},
		{"Audit", Policy{Isolation: Kernel, Audit: func(audit.Refusal) {}}, "Audit: a worker that makes a forbidden system call goes on, with an error of the kernel's"},
		{"AllowDegraded", Policy{Isolation: Kernel, AllowDegraded: true}, "AllowDegraded: scripts run where layers are missing; Result.Isolation says which"},
		{"Files.Paths", Policy{Isolation: Kernel, Files: &Files{Paths: []string{dir + ":rw"}}},
			"Files.Open: files of the file system that it returns, which the host reads and changes for scripts, within Files.Quota; Files.Paths " + dir +
				":rw: what is below it to read, but for secrets such as .env and keys, by the worker itself: the kernel lets it open files there, of any name, by a descriptor, and no others; the host changes it for scripts, within Files.Quota"},
		{"Files.Paths of a process", Policy{Isolation: Process, Files: &Files{Paths: []string{dir}}}, // which no kernel holds to them
			"Files.Open: files of the file system that it returns, which the host reads and changes for scripts, within Files.Quota; Files.Paths " + dir +
				": what is below it to read, but for secrets such as .env and keys; Isolation process: no wall: who finds a defect of the engine has all that the user of the host may do"},
		{"Files.Secrets", Policy{Files: &Files{Paths: []string{dir}, Secrets: true}},
			"Files.Open: files of the file system that it returns, which the host reads and changes for scripts, within Files.Quota; Files.Paths " + dir +
				": what is below it to read; Files.Secrets: files with keys, passwords and tokens are there in Files.Paths"},
	} {
		t.Run(tc.field, func(t *testing.T) {
			plan, err := Compile(tc.policy)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, h := range plan.Explain() {
				if h.Cause != "Isolation none" {
					got = append(got, h.Cause+": "+h.Opens)
				}
			}
			if text := strings.Join(got, "; "); text != tc.want {
				t.Errorf("got  %s\nwant %s", text, tc.want)
			}
		})
	}
}

// TestEachFieldOpensOrNot: a new field of the policy has to say what it opens, or that it opens nothing.
func TestEachFieldOpensOrNot(t *testing.T) {
	nothing := []string{"Limits", "Exclude", "Docs", "Echo", "Seed", "Epoch", "Engine", "Worker", "Cwd", "Quota", "Uncalled", "Guard"}
	var rows []string
	for _, row := range exposureRows {
		rows = append(rows, row.field)
	}
	for prefix, typ := range map[string]reflect.Type{"": reflect.TypeFor[Policy](), "Files.": reflect.TypeFor[Files]()} {
		for f := range typ.Fields() {
			if f.Name != "Files" && !slices.Contains(rows, prefix+f.Name) && !slices.Contains(nothing, f.Name) {
				t.Errorf("%s%s is in no row", prefix, f.Name)
			}
		}
	}
}
