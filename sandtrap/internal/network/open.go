package network

import (
	"context"
	"net/http"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// Packages are the packages of the standard library that scripts have with a network, and not without one.
var Packages = []string{"net/http", "net/http/cookiejar"}

// PackagesOf are the Packages that scripts have with n; none if it is nil.
func PackagesOf(n egress.Network) []string {
	if n == nil {
		return nil
	}
	return Packages
}

// Opener is what scripts have of n; nil if it is nil. With decides, the run of the context decides about requests.
func Opener(n egress.Network, decides bool) func(context.Context) egress.Transport {
	if n == nil {
		return nil
	}
	return func(ctx context.Context) egress.Transport {
		return opened{n.Open(decide.SubjectOf(ctx), watch(ctx, decides))}
	}
}

// An opened Transport sends the secrets of contexts of scripts.
type opened struct{ egress.Transport }

func (o opened) RoundTrip(req *http.Request) (*http.Response, error) {
	if names := script.SecretsOf(req.Context()); len(names) > 0 {
		req = req.WithContext(egress.WithSecret(req.Context(), names...))
	}
	return o.Transport.RoundTrip(req)
}
