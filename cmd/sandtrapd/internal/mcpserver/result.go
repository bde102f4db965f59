package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// An output is the structured content of run and answer: a run as the HTTP API has it.
type output struct {
	ID      string            `json:"id"`
	State   store.State       `json:"state"`
	Result  json.RawMessage   `json:"result"`
	Pending []runjson.Pending `json:"pending"`
}

// maxText bounds a part of the text for a model, in bytes. The structured content has all of it.
const maxText = 20_000

// maxPictures bounds the artifacts of a result, in bytes. The API has those that are left out.
const maxPictures = 2 << 20

// A shown is the part of a result that is text for a model.
type shown struct {
	Stdout, Stderr string
	Echo           []runjson.Echo
	Vars           map[string]json.RawMessage
	Types          map[string]string
	Artifacts      []runjson.Artifact
	Error          *fault
	Warnings       []string
	Reminders      []string
	Refused        []json.RawMessage
}

// A fault is an error, as sandtrap.Error writes it.
type fault struct {
	Kind, Message, Hint, Excerpt string
	Line, Column                 int
	Stack                        []struct {
		Func string
		Line int
	}
	More []*fault
}

// result is the result of a call whose run is over, or waits for the tool answer.
func (t *tenant) result(ctx context.Context, view runs.View) *mcp.CallToolResult {
	out := output{ID: view.ID, State: view.State, Result: view.Result, Pending: view.Pending}
	if len(out.Result) == 0 {
		out.Result = json.RawMessage("null")
	}
	if out.Pending == nil {
		out.Pending = []runjson.Pending{}
	}
	var s shown
	if len(view.Result) > 0 {
		if err := json.Unmarshal(view.Result, &s); err != nil {
			t.Log.Error("the result of a run is malformed", "run", view.ID, "tenant", t.name, "error", err)
		}
	}
	res := &mcp.CallToolResult{StructuredContent: out, IsError: view.State == store.Failed || view.State == store.Cancelled}
	pictures, names := t.pictures(ctx, view.ID, s.Artifacts)
	text := s.text(view, names)
	res.Content = append([]mcp.Content{&mcp.TextContent{Text: text}}, pictures...)
	return res
}

// returned is the variable that has the value that a snippet returns.
const returned = "result"

// text is what a model reads of a run.
func (s *shown) text(view runs.View, artifacts []string) string {
	var b strings.Builder
	part := func(title, text string) {
		if text == "" {
			return
		}
		if title != "" {
			b.WriteString(title + ":\n")
		}
		b.WriteString(strings.TrimSuffix(cut(text, maxText), "\n") + "\n")
	}
	title := ""
	if s.Stderr != "" || s.Error != nil {
		title = "stdout"
	}
	part(title, s.Stdout)
	part("stderr", s.Stderr)
	for _, e := range s.Echo {
		part("", fmt.Sprintf("= %s (%s)", e.Text, e.Type))
	}
	if value, ok := s.Vars[returned]; ok && len(s.Echo) == 0 {
		part("", fmt.Sprintf("= %s (%s)", value, s.Types[returned]))
	}
	if s.Error != nil {
		part("error ("+s.Error.Kind+")", s.Error.text())
	}
	part("artifacts", strings.Join(artifacts, "\n"))
	part("warnings", strings.Join(slices.Concat(s.Warnings, s.Reminders), "\n"))
	for _, r := range s.Refused {
		part("refused", string(r))
	}
	if view.State == store.Pending {
		part("", waits(view))
	}
	if b.Len() == 0 {
		return "The script has ended without output."
	}
	return b.String()
}

// text is an error as a model mends from it: place, message, hint, the line with a caret.
func (f *fault) text() string {
	var b strings.Builder
	for _, one := range append([]*fault{f}, f.More...) {
		if one.Line > 0 {
			fmt.Fprintf(&b, "line %d, column %d: ", one.Line, one.Column)
		}
		b.WriteString(one.Message)
		if one.Hint != "" {
			b.WriteString(" (" + one.Hint + ")")
		}
		b.WriteByte('\n')
		if one.Excerpt != "" {
			b.WriteString(one.Excerpt + "\n")
		}
	}
	for i, frame := range f.Stack {
		if i == 0 && len(f.Stack) == 1 || i == maxFrames {
			break
		}
		fmt.Fprintf(&b, "in %s, line %d\n", frame.Func, frame.Line)
	}
	return b.String()
}

// maxFrames bounds the frames of a stack that are shown.
const maxFrames = 10

// waits says what a run waits for.
func waits(view runs.View) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The run %s waits. Call answer for:\n", view.ID)
	for _, p := range view.Pending {
		fmt.Fprintf(&b, "call %d: %s %s\n", p.ID, p.Name, cut(string(p.Args), maxShown))
		if p.Ask != "" {
			fmt.Fprintf(&b, "  it needs approval by the user: %s\n", p.Ask)
		}
	}
	return b.String()
}

// pictures are the artifacts of a run that a client can show, and lines that name all.
func (t *tenant) pictures(ctx context.Context, run string, list []runjson.Artifact) (content []mcp.Content, names []string) {
	left := maxPictures
	for _, a := range list {
		names = append(names, fmt.Sprintf("%q, %s, %d bytes", a.Name, a.MediaType, a.Size))
		if a.Size > left {
			continue
		}
		data, err := t.Runs.Artifact(ctx, t.name, run, a.Name)
		if err != nil {
			continue // its name is there
		}
		left -= a.Size
		content = append(content, contentOf("sandtrap://runs/"+run+"/artifacts/"+url.PathEscape(a.Name), data.MediaType, data.Data))
	}
	return content, names
}

// pictureTypes are those of pictures that clients take as such.
var pictureTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// contentOf is a file as a client gets it.
func contentOf(uri, mediaType string, data []byte) mcp.Content {
	if slices.Contains(pictureTypes, mediaType) {
		return &mcp.ImageContent{Data: data, MIMEType: mediaType}
	}
	res := &mcp.ResourceContents{URI: uri, MIMEType: mediaType}
	if strings.HasPrefix(mediaType, "text/") && utf8.Valid(data) {
		res.Text = string(data)
	} else {
		res.Blob = data
	}
	return &mcp.EmbeddedResource{Resource: res}
}

// cut is text with the middle left out, if it is longer than most bytes, and without bytes that are no text.
func cut(text string, most int) string {
	if len(text) <= most {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	head, tail := text[:most*2/3], text[len(text)-most/3:]
	return strings.ToValidUTF8(head, "") + fmt.Sprintf("\n... %d bytes are left out ...\n", len(text)-len(head)-len(tail)) + strings.ToValidUTF8(tail, "")
}
