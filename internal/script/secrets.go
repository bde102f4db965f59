package script

import (
	"context"
	"slices"
)

type secretsKey struct{}

// WithSecret is the context of requests that are to be sent with secrets of some names too.
func WithSecret(ctx context.Context, names ...string) context.Context {
	return context.WithValue(ctx, secretsKey{}, slices.Concat(SecretsOf(ctx), names))
}

// SecretsOf are the names of the secrets of ctx.
func SecretsOf(ctx context.Context) []string {
	names, _ := ctx.Value(secretsKey{}).([]string)
	return names
}
