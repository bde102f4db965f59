package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestLimitsShared: two servers let a tenant have what one of them would, together, and one that is left has all of it again.
func TestLimitsShared(t *testing.T) {
	file := filepath.Join(t.TempDir(), "limits")
	if err := os.WriteFile(file, []byte("default: {runs_at_once: 4, runs_per_minute: 1000}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a, b := fronts(t, "--limits", file)
	for _, p := range []*process{a, b} {
		until(t, "a half of the limit", func() bool { return p.mayRun() == 2 })
	}
	for _, p := range []*process{a, b} {
		for i, want := range []int{202, 202, 429} {
			res, err := p.open(t.Context(), "POST", "/v1/runs", map[string]any{"code": "time.Sleep(time.Minute)"}, "Prefer", "respond-async", "Authorization", "Bearer "+adminToken)
			if err != nil || res.StatusCode != want {
				t.Errorf("run %d: %+v, %v, want %d", i+1, res, err, want)
			}
			res.Body.Close()
		}
	}
	b.kill()
	until(t, "the limit for one that is left", func() bool { return a.mayRun() == 4 })
}

// mayRun is how many runs a tenant may have at once.
func (p *process) mayRun() int {
	p.t.Helper()
	res, err := p.open(p.t.Context(), "GET", "/v1/limits", nil, "Authorization", "Bearer "+adminToken)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	var use struct {
		AtOnce struct{ Limit int } `json:"runs_at_once"`
	}
	if err := json.NewDecoder(res.Body).Decode(&use); err != nil {
		p.t.Fatal(err)
	}
	return use.AtOnce.Limit
}
