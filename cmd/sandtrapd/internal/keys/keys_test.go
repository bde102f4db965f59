package keys_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
)

const secret = "stk_SECRETSECRETSECRET"

func hashOf(token string) string {
	h := sha256.Sum256([]byte(token))
	return hex.EncodeToString(h[:])
}

// TestParse: lines are keys; a token and its hash are the same key, and tokens may have @ and : in them.
func TestParse(t *testing.T) {
	text := "# of the team\n\n" + secret + "@alpha:user\r\n  a@b:c-a-long-token@beta.2:operator  \nsha256:" + strings.ToUpper(hashOf("another token of ours")) + "@gamma:admin"
	list, err := keys.Parse("keys", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		token, tenant string
		role          keys.Role
	}{{secret, "alpha", keys.User}, {"a@b:c-a-long-token", "beta.2", keys.Operator}, {"another token of ours", "gamma", keys.Admin}}
	if len(list) != len(want) {
		t.Fatalf("%d keys", len(list))
	}
	for i, w := range want {
		k := list[i]
		if k.Hash != sha256.Sum256([]byte(w.token)) || k.Tenant != w.tenant || k.Role != w.role || !k.File || k.ID() != hashOf(w.token)[:16] {
			t.Errorf("key %d is %+v", i, k)
		}
	}
}

// malformed are lines that are no keys. Each has the secret in a place where somebody may have put it.
var malformed = []string{
	secret, secret + "@", secret + "@alpha", secret + "@alpha:", secret + "@:user", secret + "@Alpha:user", secret + "@alpha:root", secret + "@alpha:User",
	secret + "@al pha:user", secret + "@alpha:user:admin", secret + "@alpha:user # of me", secret + "@../x:user", secret + "@*:user",
	secret + "@" + strings.Repeat("a", 64) + ":user", "alpha:user@" + secret, "short@" + secret + ":user", "short@alpha:" + secret,
	"@alpha:user#" + secret, "@alpha:user", "fifteen-bytes-x@alpha:user", secret + " " + secret + "@alpha:user", secret + "\t@alpha:user",
	secret + "\x00@alpha:user", secret + "é@alpha:user", secret + "@alpha\x00:user", "sha256:" + secret + "@alpha:user",
	"sha256:" + hashOf(secret)[:62] + "@alpha:user", "sha256:" + hashOf(secret) + "00@alpha:user", "sha256:@alpha:user", "\ufeff" + secret + "@alpha:user",
	secret + strings.Repeat("x", 70_000) + "@alpha:user",
}

// TestMalformed: a malformed line is an error, which has the file and the line, and nothing of the token.
func TestMalformed(t *testing.T) {
	for _, line := range malformed {
		list, err := keys.Parse("the/file", strings.NewReader("# first\ngood-token-of-theirs@alpha:user\n"+line+"\nmore-token-of-theirs@alpha:user\n"))
		if err == nil {
			t.Errorf("%.60q was taken: %+v", line, list)
			continue
		}
		if text := err.Error(); !strings.HasPrefix(text, "the/file:3: ") || strings.Contains(text, "SECRET") || strings.Contains(text, hashOf(secret)[:8]) {
			t.Errorf("%.60q: %v", line, err)
		}
	}
	twice := secret + "@alpha:user\nsha256:" + hashOf(secret) + "@beta:admin\n"
	if _, err := keys.Parse("f", strings.NewReader(twice)); err == nil || err.Error() != "f:2: the token is that of line 1" {
		t.Errorf("a token of two tenants: %v", err)
	}
}

// TestRead: a file that others may read is refused.
func TestRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the mode of a file says nothing here")
	}
	path := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(path, []byte(secret+"@alpha:user\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if list, err := keys.Read(path); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := keys.Read(path); err == nil || !strings.Contains(err.Error(), "can be read by others (mode 0644)") {
		t.Errorf("%v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(secret + "@alpha:user\n")
	f.Add("sha256:" + hashOf(secret) + "@alpha:admin")
	for _, line := range malformed {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := keys.Parse("f", strings.NewReader(text))
		if err != nil {
			if len(list) > 0 {
				t.Error("keys of a malformed file")
			}
			if !strings.HasPrefix(err.Error(), "f:") || strings.Contains(text, "SECRET") && strings.Contains(err.Error(), "SECRET") {
				t.Errorf("%q", err)
			}
			return
		}
		ring := &keys.Ring{}
		ring.SetFile(list)
		for _, k := range list {
			if keys.Check(k.Tenant, k.Role) != nil {
				t.Errorf("%+v", k)
			}
		}
		// Each line that is no comment is a key, found by what is before its last @.
		n := 0
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' {
				continue
			}
			n++
			token := line[:strings.LastIndexByte(line, '@')]
			if strings.HasPrefix(token, "sha256:") {
				continue
			}
			k, ok := ring.Find(token)
			if !ok || token+"@"+k.Tenant+":"+string(k.Role) != line {
				t.Errorf("%q is %+v", line, k)
			}
		}
		if n != len(list) {
			t.Errorf("%d keys of %d lines", len(list), n)
		}
	})
}
