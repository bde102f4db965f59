package page

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"sync"
	"time"
)

// loginTime bounds how long a login lasts.
const loginTime = 12 * time.Hour

// maxLogins bounds how many logins a key has at a time. The oldest gives way, so no key takes the place of another's.
const maxLogins = 16

// A digest is a SHA-256.
type digest = [sha256.Size]byte

// A login is one browser that has shown a key. Its ID is known to the browser alone.
type login struct {
	owner  digest // of the token
	sealed []byte // the token, which the ID opens
	began  time.Time
}

// logins are those of a server, by the hashes of their IDs. They end with the process. It is safe for concurrent use.
type logins struct {
	mu   sync.Mutex
	byID map[digest]login
}

// add begins a login with a token, which a key has.
func (l *logins) add(token string) (id string, err error) {
	id = rand.Text()
	box, err := sealer(id)
	if err != nil {
		return "", err
	}
	now := time.Now()
	one := login{owner: sha256.Sum256([]byte(token)), sealed: box.Seal(nil, nil, []byte(token), nil), began: now}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.makeRoom(one.owner, now)
	l.byID[sha256.Sum256([]byte(id))] = one
	return id, nil
}

// makeRoom removes logins that are over, and the oldest of an owner who has as many as there may be.
func (l *logins) makeRoom(owner digest, now time.Time) {
	var oldest digest
	count := 0
	for hash, other := range l.byID {
		switch {
		case now.Sub(other.began) >= loginTime:
			delete(l.byID, hash)
		case other.owner == owner:
			if count++; count == 1 || other.began.Before(l.byID[oldest].began) {
				oldest = hash
			}
		}
	}
	if count >= maxLogins {
		delete(l.byID, oldest)
	}
}

// token is that of a login.
func (l *logins) token(id string) (token string, ok bool) {
	l.mu.Lock()
	one, ok := l.byID[sha256.Sum256([]byte(id))]
	l.mu.Unlock()
	if !ok || time.Since(one.began) >= loginTime {
		return "", false
	}
	box, err := sealer(id)
	if err != nil {
		return "", false
	}
	text, err := box.Open(nil, nil, one.sealed, nil)
	return string(text), err == nil
}

// end ends a login.
func (l *logins) end(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byID, sha256.Sum256([]byte(id)))
}

// sealer seals with a key that is made of the ID of a login.
func sealer(id string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, []byte(id), nil, "sandtrapd login", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
