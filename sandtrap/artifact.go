package sandtrap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/internal/plaintext"
)

// An Artifact is a file that a script made for its host: a chart, a table, a report.
type Artifact struct {
	Name      string // of a file, without a directory
	MediaType string // such as image/svg+xml: by the end of the name, else text/plain or application/octet-stream
	Data      []byte
}

// artifactName is the function that scripts leave artifacts with, if Limits.Artifacts allows any.
const artifactName = "artifact"

const artifactDoc = "artifact leaves data for whoever reads the result, under the name of a file such as chart.svg. The last one of a name stays."

// withArtifact are the members of Funcs with that function.
func (p *Policy) withArtifact() (map[string]any, error) {
	if p.Limits.Artifacts == 0 {
		return p.Funcs, nil
	}
	if _, taken := p.Funcs[artifactName]; taken {
		return nil, policyError("Funcs", "%q is the name of what Limits.Artifacts gives scripts", artifactName)
	}
	all := map[string]any{artifactName: Member{Value: keepArtifact, Params: []string{"name", "data"}, Doc: artifactDoc}}
	maps.Copy(all, p.Funcs)
	return all, nil
}

// artifacts are those of one run.
type artifacts struct {
	mu   sync.Mutex
	most int64 // bytes of names and data
	list []Artifact
}

// artifactsOf have room for what a script may leave.
func (p *Plan) artifactsOf(s *Script) artifacts {
	return artifacts{most: smaller(p.policy.Limits.Artifacts, s.Limits.Artifacts)}
}

// maxArtifacts is how many there may be of one run.
const maxArtifacts = 1000

// keepArtifact is a function of the host.
func keepArtifact(ctx context.Context, name string, data []byte) error {
	var of *artifacts
	switch r := ctx.Value(runKey{}).(type) {
	case *run:
		of = &r.artifacts
	case *remoteCall:
		of = &r.artifacts
	default:
		return errors.New("artifact: the call is of no run")
	}
	if name == "" || name != path.Base(name) || name == "." || name == ".." || len(name) > 255 || strings.ContainsAny(name, `/\:`) || plaintext.Escape(name) != name || strings.ContainsAny(name, "\n\t") {
		return fmt.Errorf("artifact: %q cannot be the name of a file: it needs one without directory, colon and control characters", name)
	}
	return of.keep(Artifact{Name: name, MediaType: mediaType(name, data), Data: data})
}

// keep has a copy of one, in place of another of the name.
func (a *artifacts) keep(one Artifact) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	i, found := slices.BinarySearchFunc(a.list, one.Name, func(a Artifact, name string) int { return strings.Compare(a.Name, name) })
	sum := int64(len(one.Name) + len(one.Data))
	for j, other := range a.list {
		if j != i || !found {
			sum += int64(len(other.Name) + len(other.Data))
		}
	}
	switch {
	case sum > a.most:
		return fmt.Errorf("artifact: %s does not fit: the run may leave %d bytes", one.Name, a.most)
	case !found && len(a.list) == maxArtifacts:
		return fmt.Errorf("artifact: %s is one more than the %d that a run may leave", one.Name, maxArtifacts)
	case !found:
		a.list = slices.Insert(a.list, i, Artifact{})
	}
	one.Data = bytes.Clone(one.Data)
	a.list[i] = one
	return nil
}

// taken are those that were left until now.
func (a *artifacts) taken() []Artifact {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.list)
}

// mediaTypes are those of files by the ends of their names, of which a host is likely to show some. Package mime goes
// by what the machine says.
var mediaTypes = map[string]string{
	".csv": "text/csv", ".gif": "image/gif", ".htm": "text/html", ".html": "text/html", ".jpeg": "image/jpeg", ".jpg": "image/jpeg",
	".json": "application/json", ".md": "text/markdown", ".pdf": "application/pdf", ".png": "image/png", ".svg": "image/svg+xml",
	".txt": "text/plain", ".webp": "image/webp", ".xml": "application/xml", ".zip": "application/zip",
}

func mediaType(name string, data []byte) string {
	if known := mediaTypes[strings.ToLower(path.Ext(name))]; known != "" {
		return known
	}
	if utf8.Valid(data) && !bytes.ContainsRune(data, 0) {
		return "text/plain"
	}
	return "application/octet-stream"
}
