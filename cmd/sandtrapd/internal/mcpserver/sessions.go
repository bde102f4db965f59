package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// OfSessions are the sessions of a manager.
func OfSessions(m *sessions.Manager) Sessions { return named{m} }

// named are sessions by their names, which a model chooses.
type named struct{ m *sessions.Manager }

func (n named) Open(ctx context.Context, tenant, name, policy, tools string) (id string, err error) {
	for {
		if id, err = n.find(ctx, tenant, name); !errors.Is(err, store.ErrNone) {
			return id, err
		}
		view, err := n.m.Create(ctx, tenant, sessions.Request{Name: name, Policy: policy, Tools: tools})
		if !errors.Is(err, store.ErrExists) { // else another call has made it meanwhile
			return view.ID, err
		}
	}
}

// find is the ID of the session with a name. Without a name the list would have all.
func (n named) find(ctx context.Context, tenant, name string) (string, error) {
	if name == "" {
		return "", fmt.Errorf("%w: session: want a name", runs.ErrRequest)
	}
	list, _, err := n.m.List(ctx, store.Page{Tenant: tenant, Name: name, Limit: 1})
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", fmt.Errorf("session: %w", store.ErrNone)
	}
	return list[0].ID, nil
}

// Reset deletes the session: the next use of the name makes one that has nothing.
func (n named) Reset(ctx context.Context, tenant, name string) error {
	id, err := n.find(ctx, tenant, name)
	if err != nil {
		return err
	}
	return n.m.Delete(ctx, tenant, id)
}

func (n named) Files(ctx context.Context, tenant, id string) (list []File, err error) {
	all, err := n.m.Files(ctx, tenant, id)
	for _, f := range all {
		list = append(list, File{Path: f.Path, Size: f.Size, Modified: f.Modified})
	}
	return list, err
}

func (n named) ReadFile(ctx context.Context, tenant, id, path string) ([]byte, error) {
	_, data, release, err := n.m.ReadFile(ctx, tenant, id, path)
	defer release()
	return bytes.Clone(data), err
}

func (n named) WriteFile(ctx context.Context, tenant, id, path string, data []byte) error {
	_, err := n.m.WriteFile(ctx, tenant, id, path, bytes.NewReader(data), 0o644)
	return err
}
