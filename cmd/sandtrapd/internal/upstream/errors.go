package upstream

import (
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/sandtrap-go/sandtrap/internal/plaintext"
)

// Faults of a server, which a script sees as errors of the call. The text of each has the name of the member before it.
var (
	ErrTimeout = errors.New("the server did not answer in time")
	ErrClosed  = errors.New("the server has closed the connection, so it is not known whether the call was made")
	ErrFlood   = errors.New("the server sends too many messages that nobody asked for; its connection was closed")
	ErrLarge   = errors.New("the result is too large")
	ErrResult  = errors.New("the result does not fit the schema of the tool")
	ErrChanged = errors.New("the server says something else of the tool than when this service began; its operator has to look at it")
	ErrStarts  = errors.New("the connection to the server was made too often within a minute; try again later")
	ErrTenants = errors.New("the server has too many users at a time; try again later")
	ErrReach   = errors.New("the server cannot be reached")
	ErrOver    = errors.New("the service ends")
)

// maxText bounds what a server says in an error, in bytes.
const maxText = 4 << 10

// said is a text of a server for an error or a log: without control characters, with a bound, and without secrets.
func (s *Server) said(text string) string {
	text = s.secrets.Replace(strings.ToValidUTF8(text, ""))
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return plaintext.Escape(text)
}

// fault is an error of the connection as a script sees it. What the server has answered is told; of all else the log has more.
func (s *Server) fault(err error) error {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return fmt.Errorf("the server refused the call: %s", s.said(e.Message))
	}
	for _, known := range []error{ErrTimeout, ErrClosed, ErrFlood, ErrLarge, ErrResult, ErrChanged, ErrStarts, ErrTenants, ErrOver} {
		if errors.Is(err, known) {
			return known
		}
	}
	s.o.Log.Warn("an upstream server failed", "server", s.c.Name, "error", s.said(err.Error()))
	return ErrReach
}

// redactor takes the secrets of a configuration out of texts.
func redactor(c *Config) *strings.Replacer {
	var pairs []string
	for _, v := range append(c.Env[:len(c.Env):len(c.Env)], c.Headers...) {
		if v.Secret {
			pairs = append(pairs, v.Text, "***")
			if i := strings.LastIndexByte(v.Text, ' '); i >= 0 && i+1 < len(v.Text) { // a token after the name of its scheme
				pairs = append(pairs, v.Text[i+1:], "***")
			}
		}
	}
	return strings.NewReplacer(pairs...)
}
