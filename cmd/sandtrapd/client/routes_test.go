package client_test

import (
	"context"
	"encoding/json"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/client"
)

// leftOut are operations without a method, and why.
var leftOut = map[string]string{
	"addKey": ofKeys, "listKeys": ofKeys, "deleteKey": ofKeys, "getMachine": ofMachine, "getMetrics": ofMachine, "postMCP": ofMCP, "getMCP": ofMCP, "deleteMCP": ofMCP,
}

const (
	ofKeys    = "keys are made and revoked by who runs the server, with the command sandtrapd keys or the API"
	ofMachine = "they are read by who runs the server: with the page of the machine, or with Prometheus"
	ofMCP     = "MCP has clients of its own"
)

// A document is what the tests need of OpenAPI.
type document struct {
	Paths map[string]map[string]struct {
		OperationID string `json:"operationId"`
	}
	Components struct {
		Schemas map[string]struct{ Properties map[string]any }
	}
}

func readDocument(t *testing.T) (d document) {
	t.Helper()
	text, err := server.OpenAPI(t.Context())
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestEveryRoute: a method of the client reaches each operation of the document, or it is left out for a reason.
func TestEveryRoute(t *testing.T) {
	reached := map[string]bool{}
	mux := http.NewServeMux()
	operations := map[string]bool{}
	for path, methods := range readDocument(t).Paths {
		for method, op := range methods {
			operations[op.OperationID] = true
			pattern := strings.ToUpper(method) + " " + strings.Replace(path, "/files/{path}", "/files/{path...}", 1)
			mux.HandleFunc(pattern, func(w http.ResponseWriter, q *http.Request) {
				reached[op.OperationID] = true
				_, _ = w.Write([]byte(`{}`))
			})
		}
	}
	mux.HandleFunc("/", func(_ http.ResponseWriter, q *http.Request) {
		t.Errorf("the client asks for %s %s, which no route has", q.Method, q.URL.Path)
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	callAll(t.Context(), &client.Client{URL: s.URL, Key: "k"})
	for name := range operations {
		if !reached[name] && leftOut[name] == "" {
			t.Errorf("no method of the client reaches %s, and leftOut has no reason for that", name)
		}
		if reached[name] && leftOut[name] != "" {
			t.Errorf("%s is left out, and a method reaches it", name)
		}
	}
	for name := range leftOut {
		if !operations[name] {
			t.Errorf("%s is left out, and there is no such operation", name)
		}
	}
}

// callAll calls each method of a client, with arguments made by their types.
func callAll(ctx context.Context, c *client.Client) {
	v := reflect.ValueOf(c)
	for i := range v.NumMethod() {
		m := v.Method(i)
		args := []reflect.Value{reflect.ValueOf(ctx)}
		for j := 1; j < m.Type().NumIn() && !(m.Type().IsVariadic() && j == m.Type().NumIn()-1); j++ {
			arg := reflect.New(m.Type().In(j)).Elem()
			if arg.Kind() == reflect.String {
				arg.SetString("a/b" + strconv.Itoa(j))
			}
			args = append(args, arg)
		}
		for _, out := range m.Call(args) {
			if out.Type().CanSeq2() {
				for range out.Seq2() {
				}
			}
		}
	}
}

// TestTypes: each field of the client's types is one of the type that the document has.
func TestTypes(t *testing.T) {
	schemas := readDocument(t).Components.Schemas
	for name, v := range map[string]any{
		"Run": client.Run{}, "RunRequest": client.RunRequest{}, "Result": client.Result{}, "Echo": client.Echo{}, "Artifact": client.Artifact{},
		"Error": client.ScriptError{}, "Pending": client.Call{}, "Answer": client.Answer{}, "Problem": client.Problem{},
		"CloneRequest": client.CloneRequest{}, "CloneResult": client.Clone{},
		"SessionRequest": client.SessionRequest{}, "Session": client.Session{}, "Variable": client.Variable{}, "Snapshot": client.Snapshot{}, "File": client.File{},
		"PolicyView": client.Policy{}, "Explanation": client.Explanation{}, "Limit": client.Limit{}, "Opening": client.Opening{}, "Function": client.Function{},
		"Place": client.Place{}, "RecordEvent": client.RecordEvent{}, "Verified": client.Verified{}, "BadRecord": client.BadRecord{}, "Use": client.Limits{},
		"Amount": client.Amount{}, "ClusterView": client.Cluster{}, "QueueView": client.Queue{}, "WaitingView": client.Waiting{}, "WorkerView": client.Worker{}, "ServerView": client.Peer{},
		"Batch": client.Batch{}, "Counts": client.Counts{},
	} {
		of := reflect.TypeOf(v)
		for i := range of.NumField() {
			field, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			if _, ok := schemas[name].Properties[field]; !ok {
				t.Errorf("%s.%s: the document has no %s.%s", of, of.Field(i).Name, name, field)
			}
		}
	}
}

// TestImports: the client needs the standard library alone.
func TestImports(t *testing.T) {
	names, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			if first, _, _ := strings.Cut(i.Path.Value, "/"); strings.Contains(first, ".") {
				t.Errorf("%s imports %s", name, i.Path.Value)
			}
		}
	}
}
