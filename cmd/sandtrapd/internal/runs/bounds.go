package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// The bounds of what a client or a script can have the server keep of a run, in bytes. Its memory bounds what it makes, and of that there are
// several copies while it is written down and sent.
const (
	maxKey     = 256      // of a key that a client gives a run
	maxText    = 32 << 10 // of output in one event
	maxMessage = 64 << 10 // of an error
	maxStream  = 1 << 20  // of an output, in a result that is too long
	maxResult  = 16 << 20 // of a result in JSON
	maxPending = 4 << 20  // of the calls that wait, with their arguments, in JSON
	maxJournal = 64 << 20
	maxFork    = 64 << 20 // of all forks that one request makes, if they are more than one
)

// errLarge is matched by errors about a run that waits and has too much to keep.
var errLarge = errors.New("too much to keep")

// resultText is a result in JSON. One that is too long is without the values of the script, and says so.
func resultText(r runjson.Result) json.RawMessage {
	if r.Error != nil {
		e := *r.Error
		e.Message, e.Hint = head(e.Message, maxMessage), head(e.Hint, maxMessage)
		r.Error = &e
	}
	text := encode(r)
	if len(text) <= maxResult {
		return text
	}
	r.Vars, r.Types, r.Echo, r.Artifacts = map[string]json.RawMessage{}, map[string]string{}, []runjson.Echo{}, []runjson.Artifact{}
	r.Warnings, r.Reminders, r.Refused = []string{fmt.Sprintf("the result has %d bytes, and %d are the limit: the values of the script are left out", len(text), maxResult)}, []string{}, nil
	r.Stdout, r.Stderr = tail(r.Stdout, maxStream), tail(r.Stderr, maxStream)
	if text = encode(r); len(text) > maxResult && r.Error != nil {
		r.Error = &sandtrap.Error{Kind: r.Error.Kind, Message: r.Error.Message}
		text = encode(r)
	}
	return text
}

// head is the beginning of a text, up to about n bytes.
func head(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return fmt.Sprintf("%s... (%d bytes)", text[:runeEnd(text, n)], len(text))
}

// tail is the end of a text, of n bytes at most.
func tail(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return text[runeEnd(text, len(text)-n+utf8.UTFMax-1):]
}

// runeEnd is the greatest end of a character of text up to n, or n if there is none nearby.
func runeEnd(text string, n int) int {
	for at := n; at > n-utf8.UTFMax && at > 0; at-- {
		if at == len(text) || utf8.RuneStart(text[at]) {
			return at
		}
	}
	return n
}
