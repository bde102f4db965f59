package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

func TestParseSize(t *testing.T) {
	for _, tc := range []struct {
		text string
		want int64
		fail bool
	}{
		{text: "64MiB", want: 64 << 20},
		{text: "1.5GB", want: 1_500_000_000},
		{text: "512KB", want: 512_000},
		{text: "512MB", want: 512_000_000},
		{text: "1gib", want: 1 << 30},
		{text: "10 MiB", want: 10 << 20},
		{text: "4096", want: 4096},
		{text: "7B", want: 7},
		{text: "0", want: 0},
		{text: "0MiB", want: 0},
		{text: "", fail: true},
		{text: "MiB", fail: true},
		{text: "-1", fail: true},
		{text: "-1KB", fail: true},
		{text: "NaN", fail: true},
		{text: "inf", fail: true},
		{text: "1e30GB", fail: true},
		{text: "0.1", fail: true},
		{text: "0x10", fail: true},
		{text: "12 parsecs", fail: true},
	} {
		t.Run(tc.text, func(t *testing.T) {
			got := int64(-1)
			err := parseSize(tc.text, &got)
			if (err != nil) != tc.fail {
				t.Fatalf("error %v, want one: %v", err, tc.fail)
			}
			if !tc.fail && got != tc.want {
				t.Errorf("got %d, want %d", got, tc.want)
			}
		})
	}
}

func TestParseProcessors(t *testing.T) {
	for text, want := range map[string]float64{"2": 2, "0.5": 0.5, "1.5": 1.5, "0": 0, "": -1, "-1": -1, "NaN": -1, "inf": -1, "0x1p1": -1, "half": -1, "2 cpus": -1} {
		var got processors
		if err := got.Set(text); (err != nil) != (want < 0) || err == nil && float64(got) != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestParseTimeout(t *testing.T) {
	for _, tc := range []struct {
		text string
		want time.Duration
		fail bool
	}{
		{text: "5s", want: 5 * time.Second},
		{text: "1m30s", want: 90 * time.Second},
		{text: "0", want: sandtrap.Forever},
		{text: "0s", want: sandtrap.Forever},
		{text: "5", fail: true},
		{text: "-5s", fail: true},
	} {
		t.Run(tc.text, func(t *testing.T) {
			var got timeout
			err := got.Set(tc.text)
			if (err != nil) != tc.fail {
				t.Fatalf("error %v, want one: %v", err, tc.fail)
			}
			if time.Duration(got) != tc.want {
				t.Errorf("got %v, want %v", time.Duration(got), tc.want)
			}
		})
	}
}

func TestDecodeInput(t *testing.T) {
	for _, tc := range []struct {
		text string
		want any
		fail bool
	}{
		{text: `3`, want: 3},
		{text: `-9223372036854775808`, want: -9223372036854775808},
		{text: `3.0`, want: 3.0},
		{text: `1e2`, want: 100.0},
		{text: `"x"`, want: "x"},
		{text: `true`, want: true},
		{text: `[1,2]`, want: []int{1, 2}},
		{text: `[1,2.5]`, want: []float64{1, 2.5}},
		{text: `["a"]`, want: []string{"a"}},
		{text: `[true,false]`, want: []bool{true, false}},
		{text: `[1,"a"]`, want: []any{1, "a"}},
		{text: `[]`, want: []any{}},
		{text: `[[1],[2,3]]`, want: [][]int{{1}, {2, 3}}},
		{text: `{"a":{"b":[1]}}`, want: map[string]any{"a": map[string]any{"b": []int{1}}}},
		{text: `[{"a":1}]`, want: []map[string]any{{"a": 1}}},
		{text: `9223372036854775808`, fail: true},
		{text: `hello`, fail: true},
		{text: `1 2`, fail: true},
		{text: ``, fail: true},
		{text: `null`, fail: true},
	} {
		t.Run(tc.text, func(t *testing.T) {
			got, err := decodeInput(tc.text)
			if (err != nil) != tc.fail {
				t.Fatalf("error %v, want one: %v", err, tc.fail)
			}
			if diff := cmp.Diff(tc.want, got); !tc.fail && diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestLargeFile: a file of which not all is read is named, and not run or measured in part.
func TestLargeFile(t *testing.T) {
	var stderr strings.Builder
	in := strings.NewReader(strings.Repeat(" ", maxFile+1))
	if code := Main([]string{"run", "-"}, in, io.Discard, &stderr); code != exitUsage || stderr.String() != "sandtrap: stdin.go is larger than 64MiB\n" {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
}

// TestPrecedence: a flag goes before the environment, that before the policy file, and that before what the command does by
// itself.
func TestPrecedence(t *testing.T) {
	file := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(file, []byte("limits: {timeout: 2s}\nisolation: process\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name      string
		env       bool
		args      []string
		timeout   time.Duration
		isolation sandtrap.Isolation
	}{
		{"default", false, nil, 5 * time.Second, ""},
		{"file", false, []string{"--policy", file}, 2 * time.Second, sandtrap.Process},
		{"environment", true, nil, 3 * time.Second, sandtrap.Kernel},
		{"environment and file", true, []string{"--policy", file}, 3 * time.Second, sandtrap.Kernel},
		{"flags and all", true, []string{"--timeout", "4s", "--policy", file, "--isolation", "none"}, 4 * time.Second, sandtrap.None},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.env {
				t.Setenv("SANDTRAP_TIMEOUT", "3s")
				t.Setenv("SANDTRAP_ISOLATION", "kernel")
			}
			o, err := (&call{}).parse("run", append(tc.args, "x.go"))
			if err != nil {
				t.Fatal(err)
			}
			if o.policy.Limits.Timeout != tc.timeout || o.policy.Isolation != tc.isolation {
				t.Errorf("timeout %v, isolation %q; want %v, %q", o.policy.Limits.Timeout, o.policy.Isolation, tc.timeout, tc.isolation)
			}
		})
	}
	t.Setenv("SANDTRAP_MAX_OUTPUT", "much")
	if _, err := (&call{}).parse("run", []string{"x.go"}); err == nil || !strings.Contains(err.Error(), `invalid value "much" of SANDTRAP_MAX_OUTPUT: want a size`) {
		t.Errorf("error %v", err)
	}
}
