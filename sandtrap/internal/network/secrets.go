package network

import (
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/internal/nearest"
	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A Secret is what a script has of a secret of its host: the name. The value is in no process of a script, and with isolation none
// in no memory that a script reaches.
type Secret struct{ name string }

// Set has r be sent with the secret, in the header that is the secret's, whatever r has there itself.
func (s Secret) Set(r *http.Request) {
	if !slices.Contains(script.SecretsOf(r.Context()), s.name) {
		*r = *r.WithContext(script.WithSecret(r.Context(), s.name))
	}
}

// Format prints the name.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) }

// String is the name, for people.
func (s Secret) String() string { return "secret " + s.name }

// MarshalText is String.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// SecretsPackage is the package with which scripts use the secrets of n; there is none without any.
func SecretsPackage(n egress.Network) []builtins.Package {
	names := Secrets(n)
	if len(names) == 0 {
		return nil
	}
	get := func(name string) (Secret, error) {
		if slices.Contains(names, name) {
			return Secret{name}, nil
		}
		if near := nearest.Name(name, names); near != "" {
			return Secret{}, fmt.Errorf("secrets: there is no secret %.100q; did you mean %q?", name, near)
		}
		return Secret{}, fmt.Errorf("secrets: there is no secret %.100q; there are %q", name, names)
	}
	pkg, err := builtins.Host("secrets", "secrets", map[string]any{"Get": get, "Secret": (*Secret)(nil)})
	if err != nil {
		panic(err) // the members are constant
	}
	return []builtins.Package{pkg}
}

// Secrets are the names of the secrets that scripts can use, nil without a network.
func Secrets(n egress.Network) []string {
	if n == nil {
		return nil
	}
	return n.Secrets()
}
