package upstream

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A Server is one whose tools scripts can call. It is safe for concurrent use.
type Server struct {
	c         *Config
	o         Options
	secrets   *strings.Replacer
	functions map[string]*function // by their names in Go
	slots     slots
	running   sync.WaitGroup // processes
	life      context.Context
	over      context.CancelCauseFunc // of life
}

// open connects to a server, and makes the functions of its tools.
func open(ctx context.Context, c *Config, o Options) (*Server, error) {
	s := &Server{c: c, o: o, secrets: redactor(c), functions: map[string]*function{}, slots: slots{of: map[string]*slot{}}}
	s.life, s.over = context.WithCancelCause(context.Background())
	ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout, ErrTimeout)
	defer cancel()
	first, err := s.connect(ctx)
	if err != nil {
		s.running.Wait()
		return nil, fmt.Errorf("server %s: %s", c.Name, s.said(err.Error()))
	}
	defer first.end(ErrClosed)
	listed, err := first.tools(ctx)
	if err != nil {
		return nil, fmt.Errorf("server %s: its list of tools: %s", c.Name, s.said(err.Error()))
	}
	all, err := functions(c, listed)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		s.functions[f.name] = f
	}
	return s, nil
}

// member is the name of a function for a guard.
func (s *Server) member(f *function) string { return s.c.Name + "." + f.name }

// add is the package of the server.
func (s *Server) add() sandtrap.Package {
	p := sandtrap.Package{Path: s.c.Name, Members: map[string]any{}, Docs: map[string]string{}}
	for _, f := range s.functions {
		for name, doc := range f.file.Docs() {
			p.Docs[name] = doc
		}
		for name, v := range f.file.Members(s.call) {
			if m, ok := v.(sandtrap.Member); ok {
				m.Risk, m.Requires = f.Risk, f.Requires
				v = m
			}
			p.Members[name] = v
		}
	}
	return p
}

// call calls a function for a script.
func (s *Server) call(ctx context.Context, name string, args json.RawMessage) (json.RawMessage, error) {
	f := s.functions[name]
	params, err := f.params(args)
	if err != nil {
		return nil, fmt.Errorf("%s: the arguments: %s", s.member(f), s.said(told(err)))
	}
	res, err := s.do(ctx, params)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx) // the run is over
		}
		return nil, fmt.Errorf("%s: %w", s.member(f), s.fault(err))
	}
	out, err := s.result(f, res)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.member(f), err)
	}
	return out, nil
}

// do makes a call with the connection of the tenant whose run it is.
func (s *Server) do(ctx context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	ctx, over := context.WithCancelCause(ctx)
	defer over(nil)
	defer context.AfterFunc(s.life, func() { over(ErrOver) })()
	ctx, cancel := context.WithTimeoutCause(ctx, s.c.Timeout, ErrTimeout)
	defer cancel()
	own, err := s.acquire(decide.SubjectOf(ctx).Tenant)
	if err != nil {
		return nil, err
	}
	defer s.release(own)
	select {
	case own.calls <- struct{}{}:
		defer func() { <-own.calls }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	c, err := s.get(ctx, own)
	if err != nil {
		return nil, err
	}
	return c.call(ctx, params)
}

// unchanged is an error if the server may have changed its tools and says something else of one that scripts know.
func (s *Server) unchanged(ctx context.Context, c *conn) error {
	if !c.changed.Swap(false) {
		return nil
	}
	listed, err := c.tools(ctx)
	if err != nil {
		c.changed.Store(true)
		return err
	}
	now := map[string][sha256.Size]byte{}
	for _, t := range listed {
		if now[t.Name], err = fingerprint(t); err != nil {
			return err
		}
	}
	for _, f := range s.functions {
		if now[f.Tool.Name] != f.told {
			c.changed.Store(true)
			return ErrChanged
		}
	}
	return nil
}

// params are what a server gets: the one argument of the function.
func (f *function) params(args json.RawMessage) (*mcp.CallToolParams, error) {
	v, err := decode(args)
	if err != nil {
		return nil, err
	}
	o, _ := v.(object)
	in, err := encode(f.in.complete(o["in"]))
	if err != nil {
		return nil, err
	}
	if err := f.args.check(in); err != nil {
		return nil, err
	}
	return &mcp.CallToolParams{Name: f.Tool.Name, Arguments: in}, nil
}

// told is what the schema library says of a value, in fewer words.
func told(err error) string {
	text := strings.ReplaceAll(err.Error(), "validating root: ", "")
	return strings.ReplaceAll(text, "validating /properties/", "")
}

// result is that of a call as the type of the function has it.
func (s *Server) result(f *function, res *mcp.CallToolResult) (json.RawMessage, error) {
	said, err := textOf(res.Content, s.c.MaxResult)
	switch {
	case err != nil:
		return nil, err
	case res.NeedsInput():
		return nil, errors.New("the tool asks for input, which scripts cannot give")
	case res.IsError && said == "":
		return nil, errors.New("the tool failed, and does not say why")
	case res.IsError:
		return nil, errors.New(s.said(said))
	case f.given == nil:
		return f.plain(said, res.StructuredContent, s.c.MaxResult)
	case res.StructuredContent == nil:
		return nil, fmt.Errorf("%w: there is none", ErrResult)
	}
	data, err := encode(res.StructuredContent)
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > s.c.MaxResult {
		return nil, ErrLarge
	}
	if err := f.given.check(data); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrResult, s.said(told(err)))
	}
	v := res.StructuredContent
	if f.wrapped {
		v = object{valueField: v}
	}
	p := pruner{}
	if v = p.prune(f.out, v); p.inexact {
		return nil, fmt.Errorf("%w: an integer has more than 53 bits", ErrResult)
	}
	return encode(v)
}

// plain is the result of a tool without a schema for it.
func (f *function) plain(said string, structured any, limit int64) (json.RawMessage, error) {
	if said == "" && structured != nil {
		data, err := encode(structured)
		if err != nil {
			return nil, err
		}
		if int64(len(data)) > limit {
			return nil, ErrLarge
		}
		said = string(data)
	}
	return encode(object{"text": said})
}

// textOf is the content of a result as text: of what is no text it says what it is.
func textOf(list []mcp.Content, limit int64) (string, error) {
	var b strings.Builder
	for i, c := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch c := c.(type) {
		case *mcp.TextContent:
			b.WriteString(c.Text)
		case *mcp.ImageContent:
			fmt.Fprintf(&b, "[an image, %s, of %d bytes]", c.MIMEType, len(c.Data))
		case *mcp.AudioContent:
			fmt.Fprintf(&b, "[audio, %s, of %d bytes]", c.MIMEType, len(c.Data))
		case *mcp.ResourceLink:
			fmt.Fprintf(&b, "[the resource %s]", c.URI)
		case *mcp.EmbeddedResource:
			if c.Resource != nil {
				b.WriteString(c.Resource.Text)
			}
		}
		if int64(b.Len()) > limit {
			return "", ErrLarge
		}
	}
	return b.String(), nil
}
