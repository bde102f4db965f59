package manifests

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

var deploy = filepath.Join("..", "..", "cmd", "sandtrapd", "deploy")

// TestKubernetes: each field of each object is one of its type, and has a value of its kind.
func TestKubernetes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(deploy, "kubernetes.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for doc := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var is struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal(doc, &is); err != nil {
			t.Fatal(err)
		}
		to := map[string]any{
			"v1 Service": &corev1.Service{}, "policy/v1 PodDisruptionBudget": &policyv1.PodDisruptionBudget{},
			"apps/v1 StatefulSet": &appsv1.StatefulSet{}, "apps/v1 Deployment": &appsv1.Deployment{},
		}[is.APIVersion+" "+is.Kind]
		if to == nil {
			t.Errorf("there is no type for %+v", is)
			continue
		}
		if err := yaml.UnmarshalStrict(doc, to); err != nil {
			t.Errorf("%s: %v", is.Kind, err)
		}
		kinds[is.Kind]++
	}
	if kinds["StatefulSet"] != 2 || kinds["Deployment"] != 1 || kinds["PodDisruptionBudget"] != 3 {
		t.Errorf("the objects are %v", kinds)
	}
}

// TestCompose: Compose reads the file by its schema, and wants each password.
func TestCompose(t *testing.T) {
	load := func(env ...string) error {
		o, err := cli.NewProjectOptions([]string{filepath.Join(deploy, "compose.yaml")}, cli.WithEnv(env))
		if err != nil {
			t.Fatal(err)
		}
		p, err := o.LoadProject(t.Context())
		if err == nil && len(p.Services) != 5 {
			t.Errorf("there are %d services", len(p.Services))
		}
		return err
	}
	if err := load("NATS_FRONT_PASSWORD=a", "NATS_WORKER_PASSWORD=b", "NATS_ROUTE_PASSWORD=c"); err != nil {
		t.Error(err)
	}
	if err := load("NATS_FRONT_PASSWORD=a"); err == nil || !strings.Contains(err.Error(), "PASSWORD") {
		t.Errorf("without passwords: %v", err)
	}
}
