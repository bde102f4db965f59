package cli_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// TestNoSyscalls: a run that does nothing forbidden leaves no system calls in the record that its worker was refused, however long it goes on.
func TestNoSyscalls(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, dir, "--isolation", "kernel", "--allow-degraded")
	v, err := p.request(t.Context(), http.MethodPost, "/v1/runs", map[string]any{"code": "for began := time.Now(); time.Since(began) < 2500*time.Millisecond; {\n}"})
	if err != nil || v.State != "done" {
		t.Fatalf("%+v, %v", v, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "data", "record.jsonl"))
	if err != nil || !bytes.Contains(text, []byte(v.ID)) {
		t.Fatalf("the record: %v\n%s", err, text)
	}
	for line := range bytes.Lines(text) {
		if bytes.Contains(line, []byte(`"kind":"syscall"`)) {
			t.Errorf("%s", line)
		}
	}
}
