package api

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// Conforming is h, of which each response is compared with the document: the status, the media type and the body are to be those of the
// operation. A request that the document does not allow is not to succeed.
func Conforming(t testing.TB, h http.Handler) http.Handler {
	t.Helper()
	return ConformingTo(t, Document(t), h)
}

// Document is the one that the service has, as another program reads it.
func Document(t testing.TB) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// ConformingTo is Conforming with a document that was read before.
func ConformingTo(t testing.TB, doc *openapi3.T, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(io.LimitReader(q.Body, 2*maxUpload))
		if err != nil {
			body = nil // the client is gone
		}
		q.Body = io.NopCloser(bytes.NewReader(body))
		seen := &seenResponse{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(seen, q)
		if q.Context().Err() == nil {
			checkExchange(t, doc, q, body, seen)
		}
	})
}

// A seenResponse is a response that is sent and kept.
type seenResponse struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (w *seenResponse) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *seenResponse) Write(p []byte) (int, error) {
	w.body.Write(p)
	return w.ResponseWriter.Write(p)
}

func (w *seenResponse) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func checkExchange(t testing.TB, doc *openapi3.T, q *http.Request, body []byte, seen *seenResponse) {
	_, path, _ := strings.Cut(q.Pattern, " ")
	item := doc.Paths.Value(documentPath(path))
	if item == nil || item.GetOperation(q.Method) == nil {
		return // no route has it, and the router answers
	}
	where := q.Method + " " + q.URL.RequestURI()
	input := &openapi3filter.RequestValidationInput{
		Request: q, PathParams: pathParams(q, path),
		Route:   &routers.Route{Spec: doc, Path: path, PathItem: item, Method: q.Method, Operation: item.GetOperation(q.Method)},
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true},
	}
	if seen.status < 400 {
		q.Body = io.NopCloser(bytes.NewReader(bytes.TrimSpace(body))) // nothing but space is no body
		if in := input.Route.Operation.RequestBody; in != nil {
			for kind := range in.Value.Content {
				q.Header.Set("Content-Type", kind) // the server takes any
				input.Options.ExcludeRequestBody = kind != "application/json"
			}
		}
		if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
			t.Errorf("%s: the document does not allow a request that succeeds: %v", where, err)
		}
	}
	response := input.Route.Operation.Responses.Value(strconv.Itoa(seen.status))
	if response == nil {
		t.Errorf("%s: the document does not have the status %d: %s", where, seen.status, seen.body.Bytes())
		response = input.Route.Operation.Responses.Default()
	}
	kind := seen.Header().Get("Content-Type")
	if len(response.Value.Content) > 0 && response.Value.Content.Get(kind) == nil {
		t.Errorf("%s: %d: the document does not have the media type %q", where, seen.status, kind)
	}
	if !strings.Contains(kind, "json") || path == "/openapi.json" {
		return
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: seen.status, Header: seen.Header(), Options: input.Options}
	if err := openapi3filter.ValidateResponse(context.Background(), out.SetBodyBytes(seen.body.Bytes())); err != nil {
		t.Errorf("%s: the response is not that of the document: %v", where, err)
	}
}

func pathParams(q *http.Request, pattern string) map[string]string {
	all := map[string]string{}
	for _, m := range parameterOf.FindAllStringSubmatch(pattern, -1) {
		all[m[1]] = q.PathValue(m[1])
	}
	return all
}
