//go:build !linux

package isolate

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// A process does not exist here.
type process struct{ closed atomic.Bool }

// A seen is what the kernel shows of a process: nothing here.
type seen struct{}

var checks = map[string]func(*seen) error{}

// spawn refuses: each layer is missing.
func spawn(_ Spec, rows []layer) (*process, *os.File, error) {
	lack := []posture.Layer{}
	for _, row := range rows {
		lack = append(lack, posture.Layer{Name: row.name, State: posture.Missing, Reason: "there is no such thing on " + runtime.GOOS})
	}
	return nil, nil, fmt.Errorf("%w: %w", errors.ErrUnsupported, &MissingError{lack})
}

func shut(*os.File)         {}
func unread(*os.File) bool  { return false }
func refused(*os.File) bool { return false }

func (*seen) asleep() bool { return false }

func (*process) pid() int                                    { return 0 }
func (*process) kill()                                       {}
func (*process) wait()                                       {}
func (*process) death() error                                { return nil }
func (*process) usage() (Usage, error)                       { return Usage{}, errors.ErrUnsupported }
func (*process) look() *seen                                 { return nil }
func (*process) listen(int, func(audit.Refusal)) error       { return errors.ErrUnsupported }
func (*process) hold(Spec, []layer) ([]posture.Layer, error) { return nil, errors.ErrUnsupported }

// Rest does nothing: nothing is started here.
func Rest() {}
