package cluster

import (
	"encoding/base64"
	"maps"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// An auth lets in who has a key that it knows, each with what its name may do.
type auth struct {
	in   func(public string, connection uint64) // tells of each that came in
	more func() []Entry                         // those of the roster, which may have become more; it is not called often

	mu     sync.Mutex
	own    map[string]Entry     // of this process, by their public keys
	listed map[string]Entry     // of the roster
	barred map[string]time.Time // until when, by their names

	looking sync.Mutex
	looked  time.Time
}

// Check is a method of server.Authentication.
func (a *auth) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	e, known := a.entry(o.Nkey)
	if !known {
		a.look(time.Now())
		e, known = a.entry(o.Nkey)
	}
	if !known || !signed(o.Nkey, o.Sig, c.GetNonce()) {
		return false
	}
	u := &server.User{Username: e.Name}
	if e.Role != RoleFront {
		u.Permissions = mayDo(e.Name)
	}
	c.RegisterUser(u)
	a.in(o.Nkey, c.GetID())
	return true
}

func (a *auth) entry(public string) (e Entry, known bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if e, known = a.own[public]; !known {
		e, known = a.listed[public]
		known = known && time.Now().After(a.barred[e.Name])
	}
	return e, known
}

// lookEach bounds how often strangers have the roster be read.
const lookEach = 50 * time.Millisecond

// look lets in those who came to the roster before now, so that who was added can come at once. It waits for that.
func (a *auth) look(now time.Time) {
	a.looking.Lock()
	defer a.looking.Unlock()
	if a.looked.After(now) { // for another one
		return
	}
	time.Sleep(time.Until(a.looked.Add(lookEach)))
	a.looked = time.Now()
	list := a.more()
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range list {
		if _, known := a.listed[e.Public]; !known {
			a.listed[e.Public] = e
		}
	}
}

// signed reports whether who has the key has signed what this server has sent to this connection.
func signed(public, signature string, nonce []byte) bool {
	key, err := nkeys.FromPublicKey(public)
	if err != nil || len(nonce) == 0 {
		return false
	}
	text, err := base64.RawURLEncoding.DecodeString(signature)
	return err == nil && key.Verify(nonce, text) == nil
}

// let has a key of this process come in.
func (a *auth) let(i *Identity) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.own[i.Public()] = Entry{i.Name, i.Role, i.Public()}
}

// set has those of a roster come in, and no others. It returns the keys of those that may not any more.
func (a *auth) set(list []Entry) (gone map[string]Entry) {
	now := map[string]Entry{}
	for _, e := range list {
		now[e.Public] = e
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	gone = maps.Clone(a.listed)
	maps.DeleteFunc(gone, func(public string, e Entry) bool { return now[public] == e })
	a.listed = now
	maps.DeleteFunc(a.barred, func(_ string, until time.Time) bool { return time.Now().After(until) })
	return gone
}

// bar keeps a worker out for a time. It returns its key.
func (a *auth) bar(name string, until time.Time) (public string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range a.listed {
		if e.Name == name && e.Role == RoleWorker {
			a.barred[name] = until
			return e.Public
		}
	}
	return ""
}

// mayDo is all that a worker may: it gets jobs as one of the queue group alone, so that it sees those alone that it does, and speaks in its own name.
func mayDo(worker string) *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: []string{back + worker + ".>", here + worker}},
		Subscribe: &server.SubjectPermission{Allow: []string{jobs + "> " + workers, owns + worker, gives + worker, ends + worker}},
	}
}
