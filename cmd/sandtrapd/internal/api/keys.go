package api

import (
	"errors"
	"net/http"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

func keyRoutes() []route {
	return []route{
		{"POST", "/v1/keys", keys.Admin, "addKey", "Make a key; its token is shown this once.", nil, newKey{}, reply{http.StatusCreated, keyView{}}, (*Server).addKey},
		{"GET", "/v1/keys", keys.Admin, "listKeys", "List the keys, without their tokens.", nil, nil, keyList{}, (*Server).listKeys},
		{"DELETE", "/v1/keys/{id}", keys.Admin, "deleteKey", "Revoke a key at once: its open requests end, and so do the runs that end when their client disconnects.", []parameter{
			{"last", "true to revoke even the last key with the role admin"},
		}, nil, nil, (*Server).deleteKey},
	}
}

type newKey struct {
	Tenant string    `json:"tenant"`
	Role   keys.Role `json:"role"`
}

// A keyView is a key as admins see it.
type keyView struct {
	ID      string     `json:"id"` // the first 16 digits of the SHA-256 of its token
	Tenant  string     `json:"tenant"`
	Role    keys.Role  `json:"role"`
	Created *time.Time `json:"created,omitempty"` // not of those of the file
	File    bool       `json:"file"`              // it is of the file of keys
	Token   string     `json:"token,omitempty"`   // in the response that makes it
}

type keyList struct {
	Keys []keyView `json:"keys"`
}

func viewOf(k keys.Key) keyView {
	v := keyView{ID: k.ID(), Tenant: k.Tenant, Role: k.Role, File: k.File}
	if !k.Created.IsZero() {
		v.Created = &k.Created
	}
	return v
}

// A KeyStore keeps keys.
type KeyStore interface {
	AddKey(store.Key) error
	RemoveKey(hash [32]byte) error
}

func (s *Server) addKey(c *call) error {
	var in newKey
	if err := c.read(&in, false); err != nil {
		return err
	}
	token, key, err := keys.New(in.Tenant, in.Role)
	if err != nil {
		return problem.New(problem.Invalid, err.Error())
	}
	row := store.Key{Hash: key.Hash, Tenant: key.Tenant, Role: string(key.Role), Created: key.Created}
	if err := s.Keys.Make(key, func() error { return s.KeyStore.AddKey(row) }); err != nil {
		return err
	}
	s.Log.Info("a key was made", "key", key.ID(), "tenant", key.Tenant, "role", key.Role, "by", c.key.ID())
	v := viewOf(key)
	v.Token = token
	return c.answer(http.StatusCreated, v)
}

func (s *Server) listKeys(c *call) error {
	list := keyList{Keys: []keyView{}}
	for _, k := range s.Keys.List() {
		list.Keys = append(list.Keys, viewOf(k))
	}
	return c.answer(http.StatusOK, list)
}

func (s *Server) deleteKey(c *call) error {
	id := c.q.PathValue("id")
	err := s.Keys.Remove(id, c.q.URL.Query().Get("last") == "true", func(k keys.Key) error { return s.KeyStore.RemoveKey(k.Hash) })
	switch {
	case errors.Is(err, keys.ErrNone):
		return notFound()
	case errors.Is(err, keys.ErrFile):
		return problem.New(problem.Conflict, "the key is of the file of keys: take its line away there and send SIGHUP to the server")
	case errors.Is(err, keys.ErrLast):
		return problem.New(problem.Conflict, "it is the last key with the role admin: make another one before, or add ?last=true")
	case err != nil:
		return err
	}
	s.Log.Info("a key was revoked", "key", id, "by", c.key.ID())
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}
