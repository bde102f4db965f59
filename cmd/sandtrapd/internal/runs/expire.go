package runs

import (
	"encoding/json"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// KindExpired is the kind of the error of a run that has waited longer than the server keeps those that wait.
const KindExpired sandtrap.Kind = "expired"

// Expired is the kind and the result of such a run.
func Expired() (kind string, result json.RawMessage) {
	res := &sandtrap.Result{Error: &sandtrap.Error{Kind: KindExpired, Message: "the run waited for answers longer than the server keeps runs that wait"}}
	return Ended(res)
}

// Ended is the kind and the result of a run that has ended with an error, as they are written.
func Ended(res *sandtrap.Result) (kind string, result json.RawMessage) {
	return string(res.Error.Kind), encode(runjson.Of(res))
}
