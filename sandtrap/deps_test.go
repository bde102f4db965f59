package sandtrap

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/sandtrap-go/sandtrap/"

// ladder is a statement of policy: which packages of this module each package may
// import, lowest first; a path that ends in / stands for all below it. A build that breaks it is fixed by changing the build,
// not this table.
var ladder = map[string][]string{
	"gates/abi":          {},
	"vfs":                {"internal/filelock"},
	"internal/filelock":  {},
	"internal/jsontext":  {},
	"internal/xml":       {},
	"internal/gob":       {},
	"internal/made":      {"internal/kinds"},
	"internal/stack":     {},
	"internal/machine":   {},
	"internal/detached":  {},
	"internal/kinds":     {},
	"internal/typename":  {},
	"internal/goroutine": {},

	"internal/nearest":    {},
	"internal/glob":       {},
	"internal/weburl":     {},
	"internal/base64core": {},
	"internal/plaintext":  {},
	"internal/script":     {},
	"internal/feed":       {},
	"internal/peercred":   {},

	"isolate/early":   {"internal/stack"},
	"isolate/posture": {},
	"isolate/jobs":    {},
	"isolate/wire":    {"isolate/posture"},
	"isolate/confine": {"isolate/early", "isolate/posture", "isolate/wire"},
	"isolate/audit":   {},
	"isolate":         {"internal/stack", "isolate/audit", "isolate/early", "isolate/posture", "isolate/wire"},

	"gates":                        {"gates/abi"},
	"rewrite/diag":                 {},
	"rewrite/internal/checkcost":   {"rewrite/diag"},
	"rewrite/internal/markdown":    {},
	"rewrite/internal/rewritetest": {"internal/machine"},
	"rewrite/parse":                {"rewrite/internal/markdown", "rewrite/internal/checkcost", "rewrite/diag", "internal/plaintext", "gates/abi"},
	"rewrite/check":                {"internal/nearest", "internal/typename", "rewrite/parse", "rewrite/internal/checkcost", "rewrite/diag", "gates/abi"},
	"rewrite":                      {"internal/typename", "internal/kinds", "rewrite/parse", "rewrite/check", "gates/abi", "internal/detached", "internal/plaintext", "rewrite/diag", "rewrite/internal/checkcost", "rewrite/internal/markdown"},

	"builtins/internal/rows":           {"builtins/internal/shim"},
	"builtins/internal/shim":           {"internal/kinds", "internal/made", "internal/script", "vfs"},
	"builtins/internal/shim/big":       {"builtins/internal/shim"},
	"builtins/internal/shim/compress":  {"builtins/internal/shim"},
	"builtins/internal/shim/container": {"builtins/internal/shim"},
	"builtins/internal/shim/context":   {"builtins/internal/shim", "internal/script"},
	"builtins/internal/shim/crypto":    {"builtins/internal/shim", "builtins/internal/shim/big"},
	"builtins/internal/shim/encoding":  {"builtins/internal/shim", "internal/gob", "internal/jsontext", "internal/kinds", "internal/xml"},
	"builtins/internal/shim/errors":    {"builtins/internal/shim", "vfs"},
	"builtins/internal/shim/flag":      {"builtins/internal/shim", "builtins/internal/shim/os", "internal/script"},
	"builtins/internal/shim/fmt":       {"builtins/internal/shim", "builtins/internal/shim/big", "vfs"},
	"builtins/internal/shim/http":      {"builtins/internal/shim", "builtins/internal/shim/context", "builtins/internal/shim/mime", "builtins/internal/shim/net", "builtins/internal/shim/sync", "internal/feed", "builtins/internal/shim/runtime", "internal/script"},
	"builtins/internal/shim/image":     {"builtins/internal/shim"},
	"builtins/internal/shim/io":        {"builtins/internal/shim", "builtins/internal/shim/os", "builtins/internal/shim/sync", "vfs"},
	"builtins/internal/shim/log":       {"builtins/internal/shim", "builtins/internal/shim/encoding", "builtins/internal/shim/os", "builtins/internal/shim/runtime", "internal/script"},
	"builtins/internal/shim/mime":      {"builtins/internal/shim", "builtins/internal/shim/crypto"},
	"builtins/internal/shim/net":       {"builtins/internal/shim", "builtins/internal/shim/mime", "builtins/internal/shim/os", "builtins/internal/shim/template"},
	"builtins/internal/shim/os":        {"builtins/internal/shim", "builtins/internal/shim/strings", "vfs"},
	"builtins/internal/shim/rand":      {"builtins/internal/shim"},
	"builtins/internal/shim/regexp":    {"builtins/internal/shim"},
	"builtins/internal/shim/runtime":   {"builtins/internal/shim"},
	"builtins/internal/shim/shimtest":  {"builtins/internal/shim"},
	"builtins/internal/shim/signal":    {"builtins/internal/shim", "builtins/internal/shim/context"},
	"builtins/internal/shim/sort":      {"builtins/internal/shim"},
	"builtins/internal/shim/strconv":   {"builtins/internal/shim"},
	"builtins/internal/shim/strings":   {"builtins/internal/shim"},
	"builtins/internal/shim/sync":      {"builtins/internal/shim", "internal/script"},
	"builtins/internal/shim/template":  {"builtins/internal/shim", "builtins/internal/shim/fmt", "builtins/internal/shim/os"},
	"builtins/internal/shim/text":      {"builtins/internal/shim"},
	"builtins/internal/shim/time":      {"builtins/internal/shim", "internal/script"},
	"builtins/internal/std":            {"builtins/internal/rows", "builtins/internal/shim", "internal/gob", "internal/xml", "vfs", "builtins/internal/shim/"},
	"builtins":                         {"internal/nearest", "internal/typename", "internal/kinds", "gates/abi", "builtins/internal/rows", "builtins/internal/shim", "builtins/internal/shim/context", "builtins/internal/shim/errors", "builtins/internal/shim/rand", "builtins/internal/shim/regexp", "builtins/internal/shim/runtime", "builtins/internal/shim/sort", "builtins/internal/shim/sync", "builtins/internal/shim/time", "builtins/internal/std", "internal/made", "internal/script"},

	"sandtrap/internal/weakstring": {},

	"sandtrap/internal/engine":       {"internal/jsontext", "internal/kinds", "internal/made", "gates", "internal/script", "internal/stack", "rewrite", "rewrite/diag"},
	"sandtrap/internal/engine/yaegi": {"internal/jsontext", "internal/kinds", "rewrite/parse", "internal/stack", "sandtrap/internal/engine", "gates", "gates/abi", "rewrite", "rewrite/diag"},
	"sandtrap/internal/engine/vm":    {"internal/jsontext", "internal/kinds", "gates/abi", "gates", "internal/gob", "internal/made", "internal/script", "rewrite", "sandtrap/internal/engine", "sandtrap/internal/engine/vm/call", "sandtrap/internal/engine/vm/compile", "sandtrap/internal/engine/vm/exec", "sandtrap/internal/engine/vm/gob", "sandtrap/internal/engine/vm/heap", "sandtrap/internal/engine/vm/inspect", "sandtrap/internal/engine/vm/ir", "sandtrap/internal/engine/vm/json", "sandtrap/internal/engine/vm/mirror", "sandtrap/internal/engine/vm/ops", "sandtrap/internal/engine/vm/printer", "sandtrap/internal/engine/vm/templates", "sandtrap/internal/engine/vm/wrap", "sandtrap/internal/engine/vm/xml"},

	"sandtrap/internal/engine/vm/heap":      {"gates", "sandtrap/internal/engine", "sandtrap/internal/weakstring"},
	"sandtrap/internal/engine/vm/exec":      {"internal/kinds", "gates", "internal/goroutine", "internal/made", "internal/script", "internal/stack", "rewrite/diag", "sandtrap/internal/engine", "sandtrap/internal/engine/vm/gob", "sandtrap/internal/engine/vm/heap", "sandtrap/internal/engine/vm/inspect", "sandtrap/internal/engine/vm/ir", "sandtrap/internal/weakstring"},
	"sandtrap/internal/engine/vm/ops":       {"sandtrap/internal/engine/vm/exec", "sandtrap/internal/engine/vm/ir", "sandtrap/internal/engine/vm/mirror", "sandtrap/internal/engine/vm/printer"},
	"sandtrap/internal/engine/vm/printer":   {"internal/kinds", "sandtrap/internal/engine", "sandtrap/internal/engine/vm/exec", "sandtrap/internal/engine/vm/inspect", "sandtrap/internal/engine/vm/ir"},
	"sandtrap/internal/engine/vm/mirror":    {"internal/typename", "internal/kinds", "gates", "internal/jsontext", "sandtrap/internal/engine", "sandtrap/internal/engine/vm/binary", "sandtrap/internal/engine/vm/exec", "sandtrap/internal/engine/vm/inspect", "sandtrap/internal/engine/vm/ir", "sandtrap/internal/engine/vm/json", "sandtrap/internal/engine/vm/printer"},
	"sandtrap/internal/engine/vm/templates": {"internal/kinds", "sandtrap/internal/engine/vm/exec", "sandtrap/internal/engine/vm/inspect", "sandtrap/internal/engine/vm/ir", "sandtrap/internal/engine/vm/mirror", "sandtrap/internal/engine/vm/printer"},
	"sandtrap/internal/engine/vm/wrap":      {"internal/script", "sandtrap/internal/engine", "sandtrap/internal/engine/vm/exec", "sandtrap/internal/engine/vm/ir", "sandtrap/internal/engine/vm/json", "sandtrap/internal/engine/vm/mirror", "sandtrap/internal/engine/vm/printer"},
	"sandtrap/internal/engine/vm/call":      {"gates/abi", "rewrite", "sandtrap/internal/engine/vm/exec", "sandtrap/internal/engine/vm/ir", "sandtrap/internal/engine/vm/mirror", "sandtrap/internal/engine/vm/printer", "sandtrap/internal/engine/vm/wrap"},
	"sandtrap/internal/engine/vm/ir":        {"internal/typename", "internal/jsontext", "internal/kinds", "rewrite/parse", "internal/detached", "rewrite", "sandtrap/internal/engine"},
	"sandtrap/internal/engine/vm/compile":   {"internal/kinds", "gates", "gates/abi", "rewrite", "rewrite/diag", "sandtrap/internal/engine", "sandtrap/internal/engine/vm/ir", "sandtrap/internal/engine/vm/library"},
	"sandtrap/internal/engine/vm/library":   {},
	"sandtrap/internal/engine/vm/inspect":   {"internal/kinds"},
	"sandtrap/internal/engine/vm/gob":       {"sandtrap/internal/engine/vm/inspect"},
	"sandtrap/internal/engine/vm/xml":       {"sandtrap/internal/engine/vm/inspect"},
	"sandtrap/internal/engine/vm/binary":    {"internal/kinds", "sandtrap/internal/engine/vm/inspect"},
	"sandtrap/internal/engine/vm/json":      {"internal/kinds", "sandtrap/internal/engine/vm/inspect", "internal/jsontext"},

	"sandtrap/internal/carry": {"internal/kinds", "internal/script", "internal/stack", "sandtrap/internal/engine", "internal/made"},
	"sandtrap/internal/live":  {},

	"sandtrap/internal/journal": {"sandtrap/decide", "gates", "internal/made", "internal/script", "isolate/jobs", "isolate/wire", "sandtrap/internal/carry", "sandtrap/internal/engine"},

	"sandtrap/decide": {},
	"sandtrap/guard":  {"internal/nearest", "sandtrap/decide", "sandtrap/internal/arguments", "sandtrap/record", "sandtrap/rules"},

	"sandtrap/internal/arguments": {},

	"sandtrap/internal/guarded": {"builtins", "internal/kinds", "internal/script", "sandtrap/decide", "sandtrap/internal/engine", "vfs"},
	"sandtrap/rules":            {"internal/nearest", "internal/kinds", "internal/glob", "internal/weburl"},
	"sandtrap/record":           {"internal/filelock", "internal/jsontext", "isolate/audit", "sandtrap/decide", "internal/base64core"},
	"sandtrap/decide/broker":    {"internal/peercred", "sandtrap/decide"},
	"sandtrap/egress":           {"internal/base64core", "internal/glob", "internal/nearest", "internal/weburl", "sandtrap/decide"},
	"sandtrap/egress/proxy":     {"internal/peercred", "sandtrap/decide", "sandtrap/egress"},

	"sandtrap/internal/network": {"builtins", "internal/feed", "internal/nearest", "internal/script", "sandtrap/decide", "sandtrap/egress", "sandtrap/internal/guarded"},

	"sandtrap/internal/advice":  {},
	"sandtrap/internal/declare": {"builtins"},

	"sandtrap": {"internal/nearest", "internal/typename", "rewrite/parse", "rewrite/check", "gates/abi", "internal/plaintext", "internal/script", "internal/stack", "isolate", "isolate/audit", "isolate/jobs", "isolate/posture", "isolate/wire", "sandtrap/internal/advice", "sandtrap/internal/carry", "sandtrap/decide", "sandtrap/egress", "sandtrap/internal/declare", "sandtrap/internal/guarded", "sandtrap/internal/live", "sandtrap/internal/network", "sandtrap/internal/engine", "sandtrap/internal/engine/vm", "rewrite", "rewrite/diag", "gates", "builtins", "vfs"},

	"sandtrap/yaegi": {"sandtrap/internal/engine", "sandtrap/internal/engine/yaegi"},

	"sandtrap/durable": {"sandtrap/decide", "sandtrap/internal/guarded", "builtins", "gates", "sandtrap", "sandtrap/internal/carry", "sandtrap/internal/engine", "sandtrap/internal/journal"},

	"sandtrap/handler": {"internal/nearest", "sandtrap"},
	"sandtrap/dryrun":  {"builtins", "internal/nearest", "internal/plaintext", "sandtrap", "sandtrap/decide", "sandtrap/guard", "sandtrap/internal/arguments", "sandtrap/internal/carry", "sandtrap/internal/guarded", "sandtrap/internal/journal", "sandtrap/record", "vfs"},
	"sandtrap/tighten": {"builtins", "sandtrap", "sandtrap/decide", "sandtrap/guard", "sandtrap/record", "sandtrap/rules", "vfs"},

	"sandtrap/toolschema": {"internal/kinds", "internal/made", "builtins", "sandtrap"},
	"sandtrap/toolfile":   {"internal/kinds", "internal/made", "rewrite/parse", "builtins", "sandtrap"},

	"sandtrap/worker":       {"rewrite/diag", "builtins", "gates", "internal/script", "internal/stack", "isolate", "sandtrap", "sandtrap/internal/carry", "sandtrap/internal/engine", "sandtrap/internal/guarded", "sandtrap/internal/live", "sandtrap/internal/network", "isolate/early", "isolate/confine", "isolate/jobs", "isolate/wire", "vfs"},
	"sandtrap/sandtraptest": {"sandtrap", "sandtrap/sandtraptest/internal/rig", "sandtrap/yaegi", "vfs"},

	"sandtrap/sandtraptest/internal/paused": {"sandtrap", "sandtrap/durable"},
	"sandtrap/sandtraptest/internal/rig":    {"internal/machine", "sandtrap", "sandtrap/egress"},

	"cmd/internal/cli":         {"sandtrap/decide", "internal/nearest", "internal/plaintext", "isolate", "isolate/audit", "rewrite/diag", "sandtrap", "sandtrap/dryrun", "sandtrap/durable", "sandtrap/sandtraptest", "sandtrap/toolfile", "sandtrap/yaegi", "testdata", "vfs", "sandtrap/record", "sandtrap/decide", "cmd/internal/doctor", "cmd/internal/policyfile", "cmd/internal/runjson", "sandtrap/egress", "sandtrap/guard", "sandtrap/tighten", "sandtrap/egress/proxy", "cmd/internal/explain"},
	"cmd/internal/runjson":     {"isolate", "sandtrap", "sandtrap/decide", "sandtrap/dryrun", "sandtrap/egress"},
	"cmd/internal/doctor":      {"isolate", "sandtrap"},
	"cmd/internal/trustedfile": {},
	"cmd/internal/policyfile":  {"cmd/internal/trustedfile", "internal/nearest", "isolate", "sandtrap", "sandtrap/decide", "sandtrap/egress", "sandtrap/guard", "sandtrap/rules", "vfs"},
	"cmd/internal/explain":     {"cmd/internal/policyfile", "isolate", "sandtrap", "sandtrap/decide", "sandtrap/egress", "sandtrap/guard"},
	"cmd/internal/conformance": {"sandtrap", "sandtrap/yaegi"},
	"cmd/internal/mutate":      {},

	"cmd/sandtrap":    {"cmd/internal/cli", "sandtrap/worker"},
	"cmd/conformance": {"cmd/internal/conformance"},
	"cmd/mutate":      {"cmd/internal/mutate"},
}

// A danger is an import with the only packages that may have it, and why the others may not.
type danger struct {
	imported string
	owners   []string
	why      string
}

// dangerous names the only packages that may import what could undo a sandbox,
// and why the others may not. A path that ends in / stands for all below it. The
// first row that matches counts.
var dangerous = []danger{
	{"github.com/traefik/yaegi/", []string{"sandtrap/internal/engine/yaegi"}, "nothing above the seam may depend on one engine"},
	{"golang.org/x/tools/go/ssa", []string{"sandtrap/internal/engine/vm/"}, "nothing above the seam may depend on one engine"},
	{"github.com/google/jsonschema-go/", []string{"sandtrap/toolschema"}, "a host that wants no schemas does not link it"},
	{"os/exec", []string{"internal/machine", "isolate", "cmd/internal/conformance", "cmd/internal/mutate", "sandtrap/sandtraptest/internal/paused"}, "processes are started in one place; tests try what the kernel lets them"},
	{"syscall", []string{"internal/filelock", "internal/machine", "isolate", "isolate/confine", "vfs", "cmd/internal/cli", "cmd/internal/trustedfile"}, "the kernel is spoken to in one place; a lock and a flag for opening files have their names there; who owns a trusted file is asked"},
	{"golang.org/x/sys/", []string{"internal/machine", "isolate", "isolate/audit", "isolate/confine", "internal/peercred", "cmd/internal/cli", "vfs"}, "the kernel is spoken to in one place; files are moved by the handles of their directories"},
	{"github.com/spf13/afero", []string{"vfs", "sandtrap", "sandtrap/worker", "sandtrap/sandtraptest", "cmd/internal/policyfile"}, "files are reached in one place"},
	{"reflect", []string{"internal/kinds", "internal/made", "internal/script", "isolate/wire", "sandtrap/internal/advice", "sandtrap/internal/carry", "rewrite", "rewrite/parse", "rewrite/check", "builtins", "builtins/internal/", "gates", "sandtrap/internal/engine", "sandtrap/internal/engine/yaegi", "sandtrap/internal/engine/vm", "sandtrap/internal/engine/vm/", "sandtrap/toolfile", "sandtrap/toolschema", "sandtrap/durable", "sandtrap/internal/journal", "sandtrap/decide", "sandtrap/guard", "sandtrap/rules", "sandtrap/internal/guarded", "sandtrap/internal/arguments", "sandtrap/dryrun"}, "values of scripts are handled below the façade; types of the host's functions are no values"},
	{"unsafe", []string{"isolate/audit", "isolate/confine", "sandtrap/internal/weakstring"}, "a script's value must never become a pointer by mistake; six system calls take one, and a weak pointer to a text needs one"},
	{"plugin", nil, "code that nobody checked"},
	{"net", []string{"sandtrap/egress", "sandtrap/egress/proxy", "sandtrap/decide/broker", "internal/peercred", "builtins/internal/std", "builtins/internal/shim/net", "sandtrap/internal/engine/vm/call", "sandtrap/internal/engine/vm/wrap"}, "the network is reached in one place; brokers and child programs are reached by a unix socket"},
	{"net/http", []string{"sandtrap/egress", "sandtrap/egress/proxy", "sandtrap/internal/network", "builtins/internal/", "sandtrap/internal/engine/vm/call", "sandtrap/internal/engine/vm/wrap", "sandtrap/handler"}, "requests are made in one place; scripts and messages have its types"},
	{"crypto/tls", []string{"sandtrap/egress"}, "servers are verified in one place"},
	{"golang.org/x/net/idna", []string{"sandtrap/egress"}, "names are made canonical in one place"},
	{"golang.org/x/net/http/httpguts", []string{"sandtrap/egress/proxy", "sandtrap/handler"}, "names of header fields that peers and scripts write are checked by what net/http checks them by"},
	{"net/http/cookiejar", []string{"builtins/internal/"}, "cookies of scripts; no list that a script makes is asked while a lock is held"},
	{"net/mail", []string{"builtins/internal/", "sandtrap/internal/engine/vm/call"}, "messages as text, for scripts alone"},
	{"net/textproto", []string{"builtins/internal/", "sandtrap/internal/engine/vm/call"}, "headers as text, for scripts alone"},
	{"net/netip", []string{"builtins", "builtins/internal/", "sandtrap/internal/carry", "sandtrap/internal/engine/vm", "sandtrap/internal/engine/vm/call", "internal/weburl", "sandtrap/egress"}, "addresses as text, for scripts, and for rules about URLs"},
	{"net/url", []string{"builtins", "builtins/internal/", "sandtrap/egress", "sandtrap/internal/carry", "sandtrap/internal/engine/vm", "sandtrap/internal/engine/vm/call", "sandtrap/internal/engine/vm/wrap", "sandtrap/internal/network"}, "addresses as text, for scripts and the gate to the network alone"},
	{"net/", nil, "the network is reached in one place"},
}

// TestDependencies reads every file of the module that is not a test.
func TestDependencies(t *testing.T) {
	seen := map[string]bool{}
	ladder := wholeLadder()
	for file, imports := range moduleImports(t, "..") {
		dir := path.Dir(file)
		allowed, ok := ladder[dir]
		if !ok && !seen[dir] {
			t.Errorf("package %s has no row in the ladder", dir)
		}
		seen[dir] = true
		for _, imp := range imports {
			if own, ok := strings.CutPrefix(imp, module); ok && !slices.ContainsFunc(allowed, func(p string) bool { return matches(p, own) }) {
				t.Errorf("%s imports %s, which its row does not name", file, own)
			}
			checkDangerous(t, file, imp)
		}
	}
	if len(seen) < 5 {
		t.Fatalf("found only %d packages: the test does not read the module", len(seen))
	}
	for _, r := range serviceLadder {
		if !seen[inService(r.pkg)] || r.why == "" {
			t.Errorf("the row of %s: the package is there: %t, why: %q", r.pkg, seen[inService(r.pkg)], r.why)
		}
	}
}

// wholeLadder is that of the library with that of the service.
func wholeLadder() map[string][]string {
	all := maps.Clone(ladder)
	for _, r := range serviceLadder {
		allowed := slices.Clone(r.library)
		for _, pkg := range r.service {
			allowed = append(allowed, inService(pkg))
		}
		all[inService(r.pkg)] = allowed
	}
	return all
}

// checkDangerous asks the first row that names imp whether file may import it.
func checkDangerous(t *testing.T, file, imp string) {
	dir, table := path.Dir(file), dangerous
	if isService(dir) {
		table = serviceDangerous
	}
	for _, d := range table {
		if !matches(d.imported, imp) {
			continue
		}
		owns := func(p string) bool {
			if isService(dir) {
				p = inService(p)
			}
			return matches(p, dir)
		}
		if !slices.ContainsFunc(d.owners, owns) {
			t.Errorf("%s imports %s: %s (only in %v)", file, imp, d.why, d.owners)
		}
		return
	}
	if first, _, _ := strings.Cut(imp, "/"); isService(dir) && strings.Contains(first, ".") && !strings.HasPrefix(imp, module) {
		t.Errorf("%s imports %s, which no row of serviceDangerous has", file, imp)
	}
}

// TestLadderGoesUp fails if two rows of the ladder import each other.
func TestLadderGoesUp(t *testing.T) {
	ladder := wholeLadder()
	var visit func(pkg string, above []string)
	visit = func(pkg string, above []string) {
		if slices.Contains(above, pkg) {
			t.Fatalf("cycle: %v", append(above, pkg))
		}
		for _, below := range ladder[pkg] {
			for other := range ladder {
				if matches(below, other) {
					visit(other, append(slices.Clone(above), pkg))
				}
			}
		}
	}
	for pkg := range ladder {
		visit(pkg, nil)
	}
}

func matches(pattern, imp string) bool {
	if strings.HasSuffix(pattern, "/") {
		return strings.HasPrefix(imp, pattern)
	}
	return imp == pattern
}

// isModule reports a directory that is a module of its own, but for the service, whose rules are tested here.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil && !isService(filepath.ToSlash(strings.TrimPrefix(dir, ".."+string(filepath.Separator))))
}

// moduleImports maps each Go file below root that is no test to its imports.
func moduleImports(t *testing.T, root string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "docs" || isModule(filepath.Join(root, name))):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		imports := []string{}
		for _, spec := range f.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, imp)
		}
		found[name] = imports
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
