package vfs

import "testing"

// TestSecret: names that programs give to keys and passwords are secret in any directory and case; names of ordinary
// sources are not.
func TestSecret(t *testing.T) {
	for path, want := range map[string]bool{
		"/home/x/.ssh/config": true, "/app/.env": true, "app/.ENV.local": true, "prod.env": true, "a/id_ed25519": true,
		"a/id_ed25519.pub": false, "tls/server.PEM": true, "tls/server.key": true, ".aws/credentials": true, ".kube/config": true,
		"x/gcloud/y": true, ".netrc": true, ".git-credentials": true, "infra/terraform.tfstate": true, "secrets.yaml": true,
		"credentials/credentials.go": false, "env.go": false, "environment": false, "key.go": false, "keys/main.go": false,
		".git/HEAD": false, "secret.go": false, "": false, "/": false,
	} {
		if got := Secret(path); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}
