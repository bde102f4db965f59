package live

import (
	"errors"
	"strings"
	"sync"
)

// Ahead is what a worker sends of stdout and stderr before the result, in parts, since that is one message. It is safe for
// concurrent use.
type Ahead struct {
	mu       sync.Mutex
	out, err strings.Builder
}

// Add takes one part more of a stream, which may have room bytes.
func (o *Ahead) Add(err bool, part []byte, room int64) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	to := &o.out
	if err {
		to = &o.err
	}
	if int64(to.Len())+int64(len(part)) > room {
		return errors.New("more than the run may print")
	}
	to.Write(part)
	return nil
}

// Texts are what has come until now.
func (o *Ahead) Texts() (stdout, stderr string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.out.String(), o.err.String()
}
