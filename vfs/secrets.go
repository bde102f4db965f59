package vfs

import (
	"os"

	"github.com/spf13/afero"
)

// secretNames are names, as Hide takes them, of files and directories that hold keys, passwords and
// tokens. A name that sources use too, like a package credentials, is none of them.
var secretNames = []string{
	// Settings of programs, with passwords in them.
	".env", ".env.*", "*.env", ".envrc", ".htpasswd", "*.tfstate", "*.tfvars", "secrets.json", "secrets.toml", "secrets.yaml", "secrets.yml",
	// Accounts of tools and services.
	".aws", ".azure", ".docker", ".kube", "gcloud", "credentials.json", "service-account*.json", ".git-credentials",
	".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".vault-token", ".terraformrc", ".cargo-credentials",
	// Keys, and what keeps them.
	".ssh", ".gnupg", "id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk",
	"*.pem", "*.key", "*.p12", "*.pfx", "*.ppk", "*.jks", "*.keystore", "*.kdbx", ".password-store", "shadow",
}

var secrets = must(newNames(secretNames))

func must(n nameSet, err error) nameSet {
	if err != nil {
		panic(err)
	}
	return n
}

// Secret reports whether a path has an element that Dir hides: the name, in any case, of what usually holds keys,
// passwords or tokens, such as .env, .ssh, id_rsa, *.pem or .netrc.
func Secret(path string) bool { return secrets.match(path) }

// Dir returns the files beneath a directory of the host, without those of which Secret reports that they are
// secret and all below them: Hide says how. Devices, pipes and sockets in it cannot be opened. The result is
// an io.Closer; Close ends its use.
func Dir(path string) (afero.Fs, error) {
	whole, err := WholeDir(path)
	if err != nil {
		return nil, err
	}
	return hide(whole, secrets), nil
}

// WholeDir is Dir with secrets.
func WholeDir(path string) (afero.Fs, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &dirFs{root}, nil
}
