package client

import (
	"context"
	"encoding/json"
	"net/http"
)

// Health is nil if the server lives.
func (c *Client) Health(ctx context.Context) error {
	return c.call(ctx, request{method: http.MethodGet, path: "/healthz"}, nil)
}

// Ready is nil if the server takes runs.
func (c *Client) Ready(ctx context.Context) error {
	return c.call(ctx, request{method: http.MethodGet, path: "/readyz", once: true}, nil)
}

// OpenAPI is the document of the server's API.
func (c *Client) OpenAPI(ctx context.Context) (json.RawMessage, error) {
	text, _, err := c.bytes(ctx, request{method: http.MethodGet, path: "/openapi.json"})
	return text, err
}
