package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
)

type object = map[string]any

// openAPI is the document of the routes.
func openAPI(list []route) ([]byte, error) {
	s := newSchemas()
	paths := object{}
	for _, r := range list {
		op, err := r.operation(s)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", r.method, r.path, err)
		}
		path := documentPath(r.path)
		if paths[path] == nil {
			paths[path] = object{}
		}
		paths[path].(object)[strings.ToLower(r.method)] = op
	}
	problems, err := s.ref(problem.Problem{}, false)
	if err != nil {
		return nil, err
	}
	doc := object{
		"openapi": "3.1.1",
		"info": object{
			"title": "sandtrapd", "version": "1",
			"description": "Runs Go source that nobody has reviewed, under policies. See docs/serve.md.",
			"license":     object{"name": "MIT", "identifier": "MIT"},
		},
		"servers": []any{object{"url": "/"}},
		"paths":   paths,
		"components": object{
			"schemas":         s.components,
			"securitySchemes": object{"key": object{"type": "http", "scheme": "bearer", "description": "A key of this server."}},
			"responses":       problemResponses(problems),
		},
	}
	return plainJSON(doc)
}

// plainJSON is v in JSON for people, with < as it is.
func plainJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return out.Bytes(), err
}

// parameterOf finds the parameters of a path: {id}, {path...}.
var parameterOf = regexp.MustCompile(`\{([a-z]+)(\.\.\.)?\}`)

// documentPath is the path of a pattern of net/http in the document.
func documentPath(pattern string) string {
	return parameterOf.ReplaceAllString(strings.TrimSuffix(pattern, "{$}"), "{$1}")
}

// operation is the object of one route.
func (r *route) operation(s *schemas) (object, error) {
	op := object{"operationId": r.name, "summary": r.about, "tags": []any{tagOf(r.path)}}
	if r.role != "" {
		op["security"] = []any{object{"key": []any{}}}
		op["description"] = "Needs a key with the role " + string(r.role) + " or above."
	} else {
		op["security"] = []any{}
	}
	if list := r.parameters(); len(list) > 0 {
		op["parameters"] = list
	}
	if r.in != nil {
		content, err := s.content(r.in, true)
		if err != nil {
			return nil, err
		}
		op["requestBody"] = object{"required": s.needed(r.in), "content": content}
	}
	responses, err := r.responses(s)
	op["responses"] = responses
	return op, err
}

// tagOf is the group of a path: what follows /v1, or "server".
func tagOf(path string) string {
	if rest, ok := strings.CutPrefix(path, "/v1/"); ok {
		name, _, _ := strings.Cut(rest, "/")
		return name
	}
	return "server"
}

func (r *route) parameters() (list []any) {
	for _, m := range parameterOf.FindAllStringSubmatch(r.path, -1) {
		about := m[1] + " in the path"
		if m[2] != "" {
			about += "; it may have slashes"
		}
		list = append(list, object{"name": m[1], "in": "path", "required": true, "description": about, "schema": object{"type": "string"}})
	}
	for _, p := range r.query {
		list = append(list, object{"name": p.name, "in": "query", "description": p.about, "schema": parameterSchema(p.name)})
	}
	for _, out := range r.replies() {
		if out.status == http.StatusAccepted {
			list = append(list, object{"name": "Prefer", "in": "header", "description": "respond-async for a response at once", "schema": object{"type": "string"}})
		}
	}
	return list
}

// parameterSchema is the type of a parameter of the query: text, unless its name says more.
func parameterSchema(name string) object {
	switch name {
	case "limit":
		return object{"type": "integer", "minimum": 1, "maximum": 200, "default": 50}
	case "after":
		return object{"type": "integer", "format": "int64", "minimum": 0}
	case "since":
		return object{"type": "string", "format": "date-time"}
	}
	return object{"type": "string"}
}

// replies are what a route answers with.
func (r *route) replies() []reply {
	switch out := r.out.(type) {
	case nil:
		return []reply{{http.StatusNoContent, nil}}
	case reply:
		return []reply{out}
	case []reply:
		return out
	}
	return []reply{{http.StatusOK, r.out}}
}

func (r *route) responses(s *schemas) (object, error) {
	all := object{}
	for _, out := range r.replies() {
		status := strconv.Itoa(out.status)
		response, _ := all[status].(object)
		if response == nil {
			response = object{"description": http.StatusText(out.status)}
			all[status] = response
		}
		if _, isRun := out.body.(runs.View); isRun && out.status == http.StatusAccepted {
			response["headers"] = object{"Location": object{"description": "where to get the run", "schema": object{"type": "string"}}}
		}
		if out.body == nil {
			continue
		}
		content, err := s.content(out.body, false)
		if err != nil {
			return nil, err
		}
		if before, ok := response["content"].(object); ok {
			maps.Copy(before, content)
		} else {
			response["content"] = content
		}
	}
	for _, code := range r.problems() {
		all[strconv.Itoa(code.Status())] = object{"$ref": "#/components/responses/" + string(code)}
	}
	all["default"] = object{"$ref": "#/components/responses/" + string(problem.Internal)}
	return all, nil
}

// problems are the errors that a client of the route is to expect; others are in the default response.
func (r *route) problems() (list []problem.Code) {
	if r.role != "" {
		list = append(list, problem.Invalid, problem.Unauthorized, problem.Forbidden, problem.Limit)
	}
	if r.in != nil {
		list = append(list, problem.TooLarge)
	}
	if strings.Contains(r.path, "{") || r.names() {
		list = append(list, problem.NotFound)
	}
	if r.method != http.MethodGet && r.role != "" {
		list = append(list, problem.Conflict, problem.Draining)
	}
	return list
}

// names reports that the body of the route can name a session or a snapshot.
func (r *route) names() bool {
	switch r.in.(type) {
	case runs.Request, sessions.Request:
		return true
	}
	return false
}

// problemResponses are the responses with each code.
func problemResponses(schema object) object {
	all := object{}
	for _, code := range problem.Codes() {
		response := object{
			"description": http.StatusText(code.Status()) + ": the code is " + string(code) + ".",
			"content":     object{"application/problem+json": object{"schema": schema}},
		}
		if code == problem.Internal {
			response["description"] = "Another problem: its code says which."
		}
		if slices.Contains([]problem.Code{problem.Limit, problem.Draining}, code) {
			response["headers"] = object{"Retry-After": object{"description": "seconds after which to try again", "schema": object{"type": "integer"}}}
		}
		all[string(code)] = response
	}
	return all
}
