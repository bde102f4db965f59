package cli

import (
	"encoding/json"
	"os"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// jsonCall is a line of an audit.
type jsonCall struct {
	Time   time.Time `json:"time"`
	Call   string    `json:"call"`
	Number int       `json:"number"`
	Args   [6]uint64 `json:"args"`
	Path   string    `json:"path,omitempty"`
	Thread int       `json:"thread"`
}

// auditTo has refused system calls written to a file, a line each, which is made if it is
// missing and never cut. A line is written by one call, so that it is there whole or not at all.
func auditTo(path string, audit *func(sandtrap.SystemCall)) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	*audit = func(c sandtrap.SystemCall) {
		line, err := json.Marshal(jsonCall{c.Time, c.Name, c.Number, c.Args, c.Path, c.Thread})
		if err == nil {
			file.Write(append(line, '\n')) // if it cannot be written, the call is refused all the same
		}
	}
	return nil
}
