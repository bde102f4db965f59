package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// defaultArtifacts is how many bytes a script may leave with --artifacts, if the policy says nothing of it.
const defaultArtifacts = 64 << 20

// allowArtifacts lets scripts leave artifacts if there is a directory for them.
func (o *options) allowArtifacts() {
	if o.artifacts != "" && o.policy.Limits.Artifacts == 0 {
		o.policy.Limits.Artifacts = defaultArtifacts
	}
}

// keepArtifacts writes what a run left into the directory of o, which is made if it is missing. No link in it leads
// out of it.
func (c *call) keepArtifacts(o *options, list []sandtrap.Artifact) error {
	if o.artifacts == "" || len(list) == 0 {
		return nil
	}
	if err := os.MkdirAll(o.artifacts, 0o755); err != nil {
		return err
	}
	dir, err := os.OpenRoot(o.artifacts)
	if err != nil {
		return err
	}
	defer dir.Close()
	for _, a := range list {
		if err := dir.WriteFile(a.Name, a.Data, 0o644); err != nil {
			return err
		}
		if !o.json {
			fmt.Fprintf(c.stderr, "%s: %s, %d bytes\n", filepath.Join(o.artifacts, a.Name), a.MediaType, len(a.Data))
		}
	}
	return nil
}
