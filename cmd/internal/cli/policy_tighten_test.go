package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// TestPolicyTighten: of a record the command prints a policy file with which the script runs, and no other one.
func TestPolicyTighten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "r.jsonl")
	log, err := record.Open(path, record.Options{MaxBytes: 1}) // one event in each file
	if err != nil {
		t.Fatal(err)
	}
	p := policyfile.Default()
	p.Files, p.Guard = nil, &guard.Policy{Record: log}
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	const script = `fmt.Println(strings.ToUpper("a"))`
	if _, err := box.Run(t.Context(), sandtrap.Script{Text: script}); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := Main([]string{"policy", "tighten", path}, nil, &out, &errs); code != exitOK {
		t.Fatalf("%d: %s", code, errs.String())
	}
	policy := filepath.Join(dir, "p.yaml")
	if err := os.WriteFile(policy, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		script:                    exitOK,
		`fmt.Println(math.Pi)`:    exitRefused,
		`os.ReadFile("/a")`:       exitRefused,
		`for { fmt.Sprint("a") }`: exitStopped,
	} {
		var got, errs bytes.Buffer
		if code := Main([]string{"run", "--policy", policy, "-"}, strings.NewReader(text), &got, &errs); code != want || want == exitOK && got.String() != "A\n" {
			t.Errorf("%s: %d, %q, %s", text, code, got.String(), errs.String())
		}
	}
	for _, tc := range []struct {
		file, text string
		want       int
	}{
		{"none", "", exitUsage}, {"bad", "x\n", exitPanic}, {"empty", `{"kind":"start"}` + "\n", exitPanic},
		{"forged", `{"kind":"use","args":{"standard":{"math/...":1}}}` + "\n", exitPanic},
	} {
		path := filepath.Join(dir, tc.file)
		if tc.text != "" {
			if err := os.WriteFile(path, []byte(tc.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var out, errs bytes.Buffer
		if code := Main([]string{"policy", "tighten", path}, nil, &out, &errs); code != tc.want || out.Len() > 0 || errs.Len() == 0 {
			t.Errorf("%s: %d, %q, %q", tc.file, code, out.String(), errs.String())
		}
	}
}
