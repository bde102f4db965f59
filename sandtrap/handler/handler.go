package handler

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/sandtrap-go/sandtrap/internal/nearest"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Options are the bounds of requests and responses. Zero is the default.
type Options struct {
	MaxHeader   int   // bytes of names and values of a header, of a request or a response; default 64 KiB
	MaxBody     int64 // bytes of the body of a request; default 1 MiB
	MaxResponse int64 // bytes of the body of a response; default 4 MiB
	Waiting     int   // how many requests may wait while one is served; default 64

	// Done, if not nil, is called after each call of the script, with what the script printed and used, and with the
	// error of the call if there is one: it is not in the response. It may be called concurrently.
	Done func(Request, *sandtrap.Result, error)
}

func (o Options) withDefaults() Options {
	if o.MaxHeader <= 0 {
		o.MaxHeader = 64 << 10
	}
	if o.MaxBody <= 0 {
		o.MaxBody = 1 << 20
	}
	if o.MaxResponse <= 0 {
		o.MaxResponse = 4 << 20
	}
	if o.Waiting <= 0 {
		o.Waiting = 64
	}
	return o
}

// A Handler serves requests with a handler of a script. It is safe for concurrent use: requests are served one at a time,
// as the functions of a session run, and others wait.
type Handler struct {
	serve *sandtrap.Func
	more  *sandtrap.Func // a part of the body of the last response
	o     Options
	turns chan struct{} // of the request that is served and those that wait
	turn  chan struct{} // of the one that is served
}

var (
	// ErrBusy is the error of a request that came while too many waited.
	ErrBusy = errors.New("handler: too many requests wait")

	// ErrTooLarge is the error of a request or a response beyond the bounds of Options.
	ErrTooLarge = errors.New("handler: too large")

	// ErrInvalid is the error of a request that the script cannot get, or of a response that cannot be sent.
	ErrInvalid = errors.New("handler: invalid")
)

// New returns a Handler for what a cell of the session has declared by this name. That is evaluated now: if it is a
// function that returns a handler, it is called once. The policy of the session lists net/http in Std, or has a
// Network.
//
// The Handler works until the session is closed; the host may run other cells meanwhile, which wait for their turn.
func New(ctx context.Context, s *sandtrap.Session, name string, o Options) (*Handler, error) {
	text, err := cell(name)
	if err != nil {
		return nil, err
	}
	res, err := s.Run(ctx, sandtrap.Script{Text: text, Name: "handler.go"})
	if err != nil {
		return nil, unnamed(s, name, err)
	}
	if problem, _ := res.Vars[problemName].(string); problem != "" {
		return nil, fmt.Errorf("handler: %s %s", name, problem)
	}
	o = o.withDefaults()
	h := &Handler{serve: res.Func(serveName), more: res.Func(moreName), o: o, turns: make(chan struct{}, 1+o.Waiting), turn: make(chan struct{}, 1)}
	if h.serve == nil || h.more == nil {
		return nil, fmt.Errorf("handler: %s: the session has left no functions", name)
	}
	return h, nil
}

// unnamed is err, or says that the session declares no such name, with the nearest one: the text that err is about is not the script's.
func unnamed(s *sandtrap.Session, name string, err error) error {
	list, failed := s.Bindings()
	if failed != nil || !errors.Is(err, sandtrap.KindType) {
		return fmt.Errorf("handler: %s: %w", name, err)
	}
	var names []string
	for _, b := range list {
		names = append(names, b.Name)
	}
	if slices.Contains(names, name) {
		return fmt.Errorf("handler: %s: %w", name, err)
	}
	hint := "; run a script that declares it first"
	if near := nearest.Name(name, names); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return fmt.Errorf("handler: the session declares no %q%s", name, hint)
}

// wait takes the turn of a request.
func (h *Handler) wait(ctx context.Context) (done func(), err error) {
	select {
	case h.turns <- struct{}{}:
	default:
		return nil, ErrBusy
	}
	select {
	case h.turn <- struct{}{}:
		return func() { <-h.turn; <-h.turns }, nil
	case <-ctx.Done():
		<-h.turns
		return nil, context.Cause(ctx)
	}
}

// Call serves a request. An error of the script is a *sandtrap.Error; ErrBusy, ErrTooLarge and ErrInvalid are of this
// package. After sandtrap.ErrRunOver or sandtrap.ErrClosed the session is gone, with its worker if it has one: the host
// makes a new one.
func (h *Handler) Call(ctx context.Context, r Request) (*Response, error) {
	if err := r.check(h.o); err != nil {
		return nil, err
	}
	done, err := h.wait(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	res, err := h.serve.Call(ctx, r.Method, r.URI, r.Host, r.Proto, r.RemoteAddr, map[string][]string(r.Header.Clone()), string(r.Body), r.length(), h.o.MaxResponse)
	var resp *Response
	if err == nil {
		resp, err = h.response(ctx, res)
	}
	if h.o.Done != nil {
		h.o.Done(r, res, err)
	}
	return resp, err
}

// ServeHTTP serves a request of the host's server. A request that is too large is answered with the status 413 or 431, one
// that comes while too many wait, or after the session, with 503, all other errors with 500.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req, err := h.o.record(w, r)
	var resp *Response
	if err == nil {
		resp, err = h.Call(r.Context(), req)
	}
	if err != nil {
		refuse(w, r, err)
		return
	}
	resp.send(w)
}
