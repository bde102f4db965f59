package cli_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

const adminToken = token + "-admin"

// fronts starts two servers of one cluster, each with a key of an admin in its file.
func fronts(t *testing.T, flags ...string) (a, b *process) {
	t.Helper()
	dirs, at := []string{t.TempDir(), t.TempDir()}, freePort(t)
	file := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(file, []byte(adminToken+"@root:admin\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	flags = append([]string{"--keys", file}, flags...)
	a = serve(t, dirs[0], append([]string{"--cluster", "embedded", "--cluster-listen", at}, flags...)...)
	key := filepath.Join(t.TempDir(), "f2.key")
	if out, err := run(t, "cluster", "add-front", "f2", "--data", filepath.Join(dirs[0], "data"), "--out", key); err != nil {
		t.Fatal(err, out)
	}
	return a, serve(t, dirs[1], append([]string{"--cluster", "nats://" + at, "--cluster-key", key}, flags...)...)
}

// status is that of a request with a token.
func (p *process) status(token, method, path string, body any) int {
	p.t.Helper()
	res, err := p.open(context.Background(), method, path, body, "Authorization", "Bearer "+token)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}

type madeKey struct{ ID, Token string }

func makeKey(t *testing.T, p *process) (made madeKey) {
	t.Helper()
	res, err := p.open(t.Context(), "POST", "/v1/keys", map[string]string{"tenant": "gamma", "role": "user"}, "Authorization", "Bearer "+adminToken)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil || made.Token == "" {
		t.Fatal(err, made)
	}
	return made
}

// TestKeysShared: a key that one server of a cluster makes is good at the other one, and is not when that has revoked it.
func TestKeysShared(t *testing.T) {
	a, b := fronts(t)
	made := makeKey(t, a)
	hello := map[string]any{"code": "fmt.Println(`hello`)"}
	until(t, "the key at the other server", func() bool { return b.status(made.Token, "POST", "/v1/runs", hello) < 300 })
	if got := a.status(adminToken, "PUT", "/v1/policies/mine", map[string]any{"std": []string{"fmt"}}); got != 201 {
		t.Fatal(got)
	}
	hello["policy"] = "mine"
	until(t, "the policy at the other server", func() bool { return b.status(made.Token, "POST", "/v1/runs", hello) < 300 })
	if got := b.status(adminToken, "DELETE", "/v1/keys/"+made.ID, nil); got != 204 {
		t.Fatal(got)
	}
	if got := b.status(made.Token, "GET", "/v1/runs", nil); got != 401 {
		t.Errorf("where it was revoked: %d", got)
	}
	until(t, "the end of the key at the other server", func() bool { return a.status(made.Token, "GET", "/v1/runs", nil) == 401 })
}

// TestKeysCutOff: a server that does not reach its cluster takes keys of its file alone, since others may have been revoked.
func TestKeysCutOff(t *testing.T) {
	a, b := fronts(t)
	made := makeKey(t, b)
	if got := b.status(made.Token, "GET", "/v1/runs", nil); got != 200 {
		t.Fatal(got)
	}
	a.kill() // the server of NATS is in it
	until(t, "a server that does not take the key", func() bool { return b.status(made.Token, "GET", "/v1/runs", nil) == 503 })
	if got := b.status(adminToken, "GET", "/v1/keys", nil); got != 200 {
		t.Errorf("the key of the file: %d", got)
	}
	if got := b.status("", "GET", "/readyz", nil); got != 503 { // so that a load balancer asks another one
		t.Errorf("ready: %d", got)
	}
}
