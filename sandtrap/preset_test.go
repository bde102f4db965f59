package sandtrap

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestPresets: these numbers are a promise. Each that is set has a reason, and no other.
func TestPresets(t *testing.T) {
	want := map[string]Limits{
		"agent":   {Timeout: 30 * time.Second, Memory: 512 << 20, Output: 256 << 10, Tasks: 1000, Depth: 100_000},
		"compute": {Timeout: 5 * time.Second, Ticks: 200_000_000, Memory: 128 << 20, Output: 256 << 10, Tasks: 16, Depth: 10_000},
		"repl":    {Timeout: time.Minute, Memory: 1 << 30, Output: 16 << 20, Tasks: 10_000, Depth: 100_000},
	}
	got := map[string]Limits{}
	for _, name := range Presets() {
		p, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		got[name] = p.Limits
		box, err := New(t.Context(), p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		res, err := box.Run(t.Context(), Script{Text: "x := strings.Repeat(\"ab\", 2)"})
		if err != nil || res.Vars["x"] != "abab" {
			t.Errorf("%s: %v, %v", name, res.Vars, err)
		}
		_, err = box.Run(t.Context(), Script{Text: "err := os.WriteFile(\"a\", nil, 0o600); if err != nil { panic(err) }"})
		if (err == nil) != presets[name].files {
			t.Errorf("%s: a file: %v", name, err)
		}
		box.Close()
		limits := reflect.ValueOf(p.Limits)
		for i := range limits.NumField() {
			field := limits.Type().Field(i).Name
			if why := presets[name].why[field]; (why == "") != limits.Field(i).IsZero() {
				t.Errorf("%s: %s is %v, because %q", name, field, limits.Field(i), why)
			}
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	p, q := must(Preset("agent")), must(Preset("agent"))
	p.Std[0], p.Env["a"], p.Files.Cwd = "x", "b", "/"
	if q.Std[0] == "x" || len(q.Env) > 0 || q.Files.Cwd == "/" {
		t.Error("who changes one changes all")
	}
}

func must(p Policy, err error) Policy {
	if err != nil {
		panic(err)
	}
	return p
}

// TestNoPreset: what there is none of says why, and what to take.
func TestNoPreset(t *testing.T) {
	for name, want := range map[string]string{
		"fetch": "with a Network that lists", "install": "ModuleRoot", "": "there are agent, compute, repl", "Agent": "there are agent",
	} {
		if p, err := Preset(name); !errors.Is(err, ErrPolicy) || !strings.Contains(err.Error(), want) || !cmp.Equal(p.Limits, Limits{}) || p.Std != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestPresetDocs: docs/policy.md has the table.
func TestPresetDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	table := presetTable()
	if !strings.Contains(string(text), table) {
		t.Errorf("docs/policy.md wants these lines:\n%s", table)
	}
}

func presetTable() string {
	var b strings.Builder
	for _, name := range Presets() {
		row := presets[name]
		fmt.Fprintf(&b, "\n`%s`: %s.\n\n| limit | | because |\n|---|---|---|\n", name, row.use)
		limits := reflect.ValueOf(row.limits)
		for i := range limits.NumField() {
			field := limits.Type().Field(i).Name
			if why := row.why[field]; why != "" {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", field, limitText(field, limits.Field(i).Interface()), why)
			}
		}
	}
	for _, name := range []string{"fetch", "install"} {
		fmt.Fprintf(&b, "\nThere is no `%s`: %s.\n", name, presets[name].refused)
	}
	return b.String()
}

func limitText(field string, v any) string {
	n, ok := v.(int64)
	switch {
	case ok && field != "Ticks" && n >= 1<<20:
		return fmt.Sprint(n>>20, " MiB")
	case ok && field != "Ticks":
		return fmt.Sprint(n>>10, " KiB")
	}
	return fmt.Sprint(v)
}
