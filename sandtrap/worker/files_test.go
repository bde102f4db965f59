package worker

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
)

// TestEveryOperation: each method of a file system and of a file is an operation of the host's,
// and passes its error on.
func TestEveryOperation(t *testing.T) {
	refused := errors.New("refused")
	var asked string
	fs := &files{run: t.Context, call: func(_ context.Context, op jobs.FileOp) (jobs.FileResult, error) {
		asked = op.Op
		return jobs.FileResult{}, refused
	}}
	here := map[string]bool{"Name": true, "Chown": true} // answered here
	for _, tc := range []struct {
		of any
		it reflect.Type
	}{
		{fs, reflect.TypeFor[afero.Fs]()}, {fs, reflect.TypeFor[afero.Lstater]()},
		{fs, reflect.TypeFor[afero.Symlinker]()}, {&file{fs: fs}, reflect.TypeFor[afero.File]()},
	} {
		for m := range tc.it.Methods() {
			asked = ""
			call := reflect.ValueOf(tc.of).MethodByName(m.Name)
			args := []reflect.Value{}
			for in := range call.Type().Ins() {
				arg := reflect.Zero(in)
				if in == reflect.TypeFor[[]byte]() {
					arg = reflect.ValueOf(make([]byte, 4))
				}
				args = append(args, arg)
			}
			results := call.Call(args)
			if here[m.Name] {
				continue
			}
			err, _ := results[len(results)-1].Interface().(error)
			if asked == "" || !errors.Is(err, refused) {
				t.Errorf("%v.%s: asked for %q, %v", tc.it, m.Name, asked, err)
			}
		}
	}
}
