package api_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/clone"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// oneSession is a tenant with one session.
type oneSession struct {
	afero.Fs
	released int
}

func (s *oneSession) Files(_ context.Context, tenant, session string) (afero.Fs, func() error, error) {
	if tenant != "alpha" || session != "one" {
		return nil, nil, store.ErrNone
	}
	return s.Fs, func() error { s.released++; return nil }, nil
}

// TestCloneRoute: a server without hosts says how to allow them, and the session of another tenant is one that is not there.
func TestCloneRoute(t *testing.T) {
	r := newRig(t)
	cloner, err := clone.New(clone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer cloner.Close()
	files := &oneSession{Fs: afero.NewMemMapFs()}
	r.api.Clone = cloner
	r.api.Files = files
	body := `{"url":"https://example.com/a.git"}`
	if status, text := r.do(t, "alpha", "POST", "/v1/sessions/one/clone", body); status != http.StatusForbidden || !strings.Contains(text, "--clone-hosts") {
		t.Errorf("%d: %s", status, text)
	}
	if files.released != 1 {
		t.Errorf("the files were released %d times", files.released)
	}
	absent, none := r.do(t, "alpha", "POST", "/v1/sessions/two/clone", body)
	if status, text := r.do(t, "beta", "POST", "/v1/sessions/one/clone", body); status != absent || text != none || status != http.StatusNotFound {
		t.Errorf("another tenant's: %d: %s", status, text)
	}
	if _, err := files.Stat("/a"); !errors.Is(err, afero.ErrFileNotFound) {
		t.Error(err)
	}
}
