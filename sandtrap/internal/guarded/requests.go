package guarded

import (
	"context"
	"errors"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// RequestMember is the name of requests of HTTP, as a member.
const RequestMember = "net/http.Request"

// A Request is one that is decided: its method, canonical host, path and URL, its query, which is in no record, and the names of
// secrets that are sent with it.
type Request struct {
	Method, Host, Path, URL, Query string
	Attached                       []string
}

// Requests describes requests for a guard. They declare nothing. Their result is an error that is nil, since nothing is known of a
// response when a request is decided.
func Requests() []decide.Member {
	text := reflect.TypeFor[string]()
	return []decide.Member{{
		Name: RequestMember, Package: "net/http",
		Params:     []string{"method", "host", "path", "url", "query", "attached"},
		Types:      []reflect.Type{text, text, text, text, text, reflect.TypeFor[[]string]()},
		Results:    []reflect.Type{reflect.TypeFor[error]()},
		Unrecorded: []string{"query"},
	}}
}

// StartRequest decides about a request of run with the context ctx, which was refused already if refused is not nil. If it is allowed,
// end is to be called when it is over.
func StartRequest(ctx context.Context, run decide.Run, r Request, refused *decide.Denied) (end func(decide.Traffic), err error) {
	if run == nil {
		return nil, errors.New("it is made outside of a run")
	}
	args := make([]reflect.Value, 0, 6)
	for _, text := range []string{r.Method, r.Host, r.Path, r.URL, r.Query} {
		args = append(args, reflect.ValueOf(text))
	}
	args = append(args, reflect.ValueOf(append([]string{}, r.Attached...)))
	if end, err = run.Start(ctx, RequestMember, Site(ctx), args, refused); err == nil {
		return end, nil
	}
	denied, ok := errors.AsType[*decide.Denied](err)
	if !ok {
		return nil, errors.New("its approver answers later, and requests do not wait")
	}
	own := *denied
	own.Member = r.Method + " " + r.URL
	return nil, &own
}
