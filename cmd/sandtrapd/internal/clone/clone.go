package clone

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/turns"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// Errors about a clone. Their messages are for clients: they show no address and no file of the machine.
var (
	ErrRequest    = errors.New("malformed request")       // the URL, the ref or the directory
	ErrOff        = errors.New("the host is not listed")  // the server does not clone from there
	ErrRepository = errors.New("the repository")          // it is malformed, has what is refused, or has no such ref
	ErrLimit      = errors.New("the repository is large") // a limit is reached
	ErrServer     = errors.New("the git server")          // it cannot be reached, or does not answer as git servers do
)

// Limits bound one clone. A limit that is 0 has its default.
type Limits struct {
	Received int64         // bytes from the server; default 64 MiB
	Unpacked int64         // bytes of all objects in memory, and of all files; default 128 MiB
	File     int64         // bytes of a file; default 16 MiB
	Files    int           // files and directories; default 20,000
	Time     time.Duration // default 60 s
}

// Options are for all clones of a server.
type Options struct {
	// Hosts allow requests by https. Their methods and paths are set here: see Host.
	Hosts   []egress.Rule
	Network egress.Options
	Limits  Limits
	AtOnce  int          // clones at a time; the others wait; default 2
	Log     *slog.Logger // of what clients are not told: addresses, and errors of the network
}

// Host is the rule for a host of the configuration: a name, with a port if it is not 443, or *.example.com.
func Host(text string) (egress.Rule, error) { return egress.ParseRule("https://" + text + "/**") }

// A Cloner clones. It is safe for concurrent use.
type Cloner struct {
	limits Limits
	gate   *egress.Gate
	turns  *turns.Turns
	off    bool
	log    *slog.Logger
}

// New checks the options. Without hosts all clones are refused.
func New(o Options) (*Cloner, error) {
	l := o.Limits
	l.Received, l.Unpacked, l.File = cmp.Or(l.Received, 64<<20), cmp.Or(l.Unpacked, 128<<20), cmp.Or(l.File, 16<<20)
	l.Files, l.Time = cmp.Or(l.Files, 20_000), cmp.Or(l.Time, time.Minute)
	p := egress.Policy{Limits: egress.Limits{
		Run: egress.Quota{Received: l.Received, Requests: 16}, FirstByte: l.Time + time.Minute, Total: l.Time + time.Minute, // the context of a clone ends it before
	}}
	for _, rule := range o.Hosts {
		if rule.Scheme != "" && rule.Scheme != "https" {
			return nil, fmt.Errorf("%s: repositories are cloned by https alone", rule.Host)
		}
		rule.Methods, rule.Path = []string{http.MethodGet, http.MethodPost}, "/**"
		p.Rules = append(p.Rules, rule)
	}
	gate, err := egress.New(p, o.Network)
	if err != nil {
		return nil, err
	}
	return &Cloner{limits: l, gate: gate, turns: turns.New(cmp.Or(o.AtOnce, 2)), off: len(o.Hosts) == 0, log: cmp.Or(o.Log, slog.New(slog.DiscardHandler))}, nil
}

// Close ends all clones.
func (c *Cloner) Close() error { return c.gate.Close() }

// A Request is a commit of a repository, and where its files go.
type Request struct {
	URL string `json:"url"`           // https, without a user
	Ref string `json:"ref,omitempty"` // a branch, a tag, or the 40 digits of a commit; empty is the server's HEAD
	Dir string `json:"dir,omitempty"` // a directory that is empty or missing, within the files; empty is their root
}

// A Result says what was brought.
type Result struct {
	Commit  string   `json:"commit"`            // its hash
	Files   int      `json:"files"`             // how many were written
	Bytes   int64    `json:"bytes"`             // of all files
	Skipped []string `json:"skipped,omitempty"` // submodules, the first 100
}

// Clone writes the files of one commit into a file system, without .git and submodules. Symbolic links become files that have their
// target as text. When ctx ends, or there is an error, nothing has been written, or what was is removed. into is not closed.
func (c *Cloner) Clone(ctx context.Context, subject decide.Subject, q Request, into afero.Fs) (*Result, error) {
	if c.off {
		return nil, fmt.Errorf("%w: this server clones from no host; sandtrapd serve --clone-hosts HOST,... lists those that it may", ErrOff)
	}
	ep, err := q.check()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.limits.Time)
	defer cancel()
	if !c.turns.Take(ctx, subject.Tenant) {
		return nil, c.reason(ctx, ctx.Err())
	}
	defer c.turns.Give(subject.Tenant)
	if err := empty(into, q.dir()); err != nil {
		return nil, err
	}
	res, err := c.clone(ctx, subject, ep, q, into)
	if err != nil {
		c.log.Info("a clone failed", "tenant", subject.Tenant, "session", subject.Session, "host", ep.Host, "error", err)
		return nil, c.reason(ctx, err)
	}
	return res, nil
}

func (c *Cloner) clone(ctx context.Context, subject decide.Subject, ep *transport.Endpoint, q Request, into afero.Fs) (*Result, error) {
	run := c.gate.Begin(subject)
	defer run.Close()
	objects, commit, err := c.fetch(ctx, run, ep, q.Ref)
	if err != nil {
		return nil, err
	}
	p := plan{limits: c.limits, objects: objects, res: Result{Commit: commit.String()}}
	if err := p.commit(commit); err != nil {
		return nil, err
	}
	if err := p.write(ctx, into, q.dir()); err != nil {
		return nil, err
	}
	return &p.res, nil
}

// reason is the error for the client.
func (c *Cloner) reason(ctx context.Context, err error) error {
	_, isDenied := errors.AsType[*decide.Denied](err)
	limit, isLimit := errors.AsType[*egress.LimitError](err)
	switch {
	case errors.Is(err, ErrRequest), errors.Is(err, ErrRepository), errors.Is(err, ErrLimit):
		return err
	case isDenied:
		return fmt.Errorf("%w: this server may not connect to it, or to where it redirects; sandtrapd serve --clone-hosts lists hosts", ErrOff)
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded), isLimit && limit.Timeout():
		return fmt.Errorf("%w: it was not brought within %s", ErrLimit, c.limits.Time)
	case isLimit:
		return fmt.Errorf("%w: the server sends more than %d bytes", ErrLimit, c.limits.Received)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, transport.ErrRepositoryNotFound):
		return fmt.Errorf("%w has no repository at this URL", ErrServer)
	case errors.Is(err, transport.ErrAuthenticationRequired), errors.Is(err, transport.ErrAuthorizationFailed):
		return fmt.Errorf("%w wants a login; repositories are cloned without one", ErrServer)
	case errors.Is(err, transport.ErrEmptyRemoteRepository):
		return fmt.Errorf("%w: it is empty", ErrRepository)
	}
	return fmt.Errorf("%w cannot be reached, or does not answer as git servers do", ErrServer)
}
