package cli

import (
	"encoding/json"
	"os"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A jsonEvent is a line of an audit: the begin of a run, its end, or a system call that its worker
// was refused.
type jsonEvent struct {
	Time   time.Time `json:"time"`
	Event  string    `json:"event"`            // started, refused or finished
	Script string    `json:"script,omitempty"` // of started
	Kind   string    `json:"kind,omitempty"`   // of finished: that of the error
	Error  string    `json:"error,omitempty"`  // likewise
	*jsonCall
}

// A jsonCall is a system call.
type jsonCall struct {
	Call   string    `json:"call"`
	Number int       `json:"number"`
	Args   [6]uint64 `json:"args"`
	Path   string    `json:"path,omitempty"`
	Thread int       `json:"thread"`
}

// An auditLog is a file that is made if it is missing and never cut. A line is written by one call, so
// that it is there whole or not at all, whatever becomes of this process.
type auditLog struct{ file *os.File }

func auditTo(path string, o *options) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	a := &auditLog{file}
	o.audit = a
	o.policy.Audit = func(c audit.Refusal) {
		a.write(jsonEvent{Time: c.Time, Event: "refused", jsonCall: &jsonCall{c.Call, c.Number, c.Args, c.Path, c.Thread}})
	}
	return nil
}

// write writes a line. If that fails, what it tells of is refused or done all the same.
func (a *auditLog) write(e jsonEvent) {
	if line, err := json.Marshal(e); err == nil {
		a.file.Write(append(line, '\n'))
	}
}

// follow tells of the begin and the end of a run.
func (a *auditLog) follow(script sandtrap.Script, run func() *sandtrap.Result) *sandtrap.Result {
	if a == nil {
		return run()
	}
	a.write(jsonEvent{Time: time.Now(), Event: "started", Script: script.Name})
	res := run()
	end := jsonEvent{Time: time.Now(), Event: "finished"}
	if res.Error != nil {
		end.Kind, end.Error = string(res.Error.Kind), res.Error.Message
	}
	a.write(end)
	return res
}
