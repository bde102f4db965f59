package sandtrap

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A rung is a package of the service: which packages of the service and of the library it may import, and why no others.
type rung struct {
	pkg              string // below cmd/sandtrapd
	service, library []string
	why              string
}

// serviceLadder has the packages of the service, lowest first. Like that of the library it is a statement of policy: a build that
// breaks it is fixed by changing the build, not this table.
var serviceLadder = []rung{
	{"internal/problem", nil, nil, "errors as clients see them say nothing of what is below"},
	{"internal/pace", nil, nil, "how long clients may take is bounded whatever they send"},
	{"internal/turns", nil, nil, "tenants have turns, whatever these are for"},
	{"internal/conns", nil, nil, "connections are counted by addresses, whoever has them"},
	{"internal/search", nil, nil, "it ranks declarations, wherever they come from"},
	{"internal/clone", []string{"internal/turns"}, []string{"sandtrap/decide", "sandtrap/egress"}, "files come by the gate to the network, and go into any file system"},
	{"internal/trail", nil, []string{"sandtrap/egress", "sandtrap/record"}, "the record is that of the library, in a directory"},

	{"internal/store", nil, []string{"internal/filelock"}, "what is kept is bytes, whatever they mean"},
	{"internal/keys", nil, []string{"cmd/internal/trustedfile"}, "who may use the server is decided without what it does"},
	{"internal/limits", []string{"internal/keys", "internal/store"}, []string{"cmd/internal/policyfile", "cmd/internal/trustedfile"}, "numbers by tenant, whatever they are of"},
	{"internal/policies", []string{"internal/store"}, []string{"cmd/internal/policyfile", "cmd/internal/trustedfile", "internal/nearest", "sandtrap"}, "texts by name: plans compile them"},

	{"internal/upstream", nil, []string{"cmd/internal/policyfile", "internal/nearest", "internal/plaintext", "sandtrap", "sandtrap/decide", "sandtrap/guard", "sandtrap/toolfile"}, "tools become functions of a policy; runs do not know where functions come from"},
	{"internal/upstream/fake", nil, nil, "servers for tests share nothing with the client"},

	{"internal/plans", []string{"internal/policies", "internal/search", "internal/upstream"}, []string{"builtins", "cmd/internal/explain", "cmd/internal/policyfile", "isolate", "isolate/audit", "sandtrap", "sandtrap/decide", "sandtrap/durable", "sandtrap/egress", "sandtrap/guard", "sandtrap/record", "sandtrap/toolfile", "vfs"}, "the one place where policies become sandboxes"},
	{"internal/dispatch", []string{"internal/turns"}, []string{"internal/stack", "sandtrap/decide", "sandtrap/record"}, "a job has all that a worker needs, wherever that is"},
	{"internal/dispatch/dispatchtest", []string{"internal/dispatch"}, nil, "every queue passes the same tests"},
	{"internal/machine", nil, nil, "figures of the kernel"},
	{"internal/cluster", []string{"internal/dispatch", "internal/machine", "internal/subjects", "internal/turns"}, []string{"cmd/internal/trustedfile", "internal/stack", "isolate/wire", "sandtrap", "sandtrap/decide", "sandtrap/record"}, "NATS is spoken in one place, by fronts and workers"},
	{"internal/objects", nil, nil, "it keeps data, whatever that is"},
	{"internal/peers", nil, nil, "it hears servers, whatever they share"},
	{"internal/subjects", nil, nil, "what is in subjects is the same wherever it is used"},
	{"internal/ledger", []string{"internal/objects", "internal/peers", "internal/store", "internal/subjects"}, nil, "a store that servers share knows what is kept, and not what it means"},
	{"internal/runs", []string{"internal/dispatch", "internal/limits", "internal/plans", "internal/policies", "internal/store", "internal/trail", "internal/turns"}, []string{"cmd/internal/runjson", "sandtrap", "sandtrap/decide", "sandtrap/durable", "sandtrap/egress", "sandtrap/record"}, "runs know neither HTTP nor MCP"},
	{"internal/sessions", []string{"internal/dispatch", "internal/plans", "internal/policies", "internal/runs", "internal/store"}, []string{"internal/filelock", "sandtrap", "sandtrap/durable", "vfs"}, "sessions know neither HTTP nor MCP; runs know them by an interface"},
	{"internal/batches", []string{"internal/limits", "internal/runs", "internal/store", "internal/subjects"}, nil, "batches know neither HTTP nor how a run is done"},
	{"internal/telemetry", []string{"internal/dispatch", "internal/plans", "internal/runs", "internal/store"}, []string{"otelrecord", "sandtrap/record"}, "it counts what happens, and nothing depends on it"},

	{"internal/api", []string{"internal/batches", "internal/clone", "internal/conns", "internal/dispatch", "internal/keys", "internal/limits", "internal/plans", "internal/policies", "internal/problem", "internal/runs", "internal/sessions", "internal/store", "internal/trail"}, []string{"cmd/internal/doctor", "cmd/internal/explain", "cmd/internal/runjson", "isolate", "sandtrap", "sandtrap/decide", "sandtrap/record"}, "HTTP is here; pages and MCP are handlers that it is given"},
	{"internal/mcpserver", []string{"internal/limits", "internal/plans", "internal/policies", "internal/problem", "internal/runs", "internal/search", "internal/sessions", "internal/store"}, []string{"cmd/internal/runjson", "internal/plaintext"}, "models get what the API has, in the words of MCP"},
	{"internal/page", []string{"internal/keys", "internal/pace", "internal/problem"}, nil, "pages use the API like any client"},
	{"client", nil, nil, "programs that use the service do not link it"},

	{"internal/inspect", []string{"internal/ledger"}, nil, "it looks at a ledger and opens none"},
	{"internal/cli", []string{"client", "internal/api", "internal/batches", "internal/clone", "internal/cluster", "internal/conns", "internal/dispatch", "internal/inspect", "internal/keys", "internal/ledger", "internal/limits", "internal/mcpserver", "internal/pace", "internal/page", "internal/plans", "internal/policies", "internal/runs", "internal/search", "internal/sessions", "internal/store", "internal/telemetry", "internal/trail", "internal/upstream"}, []string{"cmd/internal/doctor", "internal/filelock", "sandtrap"}, "it puts them together"},
	{".", []string{"internal/cli"}, []string{"sandtrap/worker"}, "the start of the program, and of its workers"},
}

// serviceDangerous is what dangerous is for the library, with all that is not of the standard library.
var serviceDangerous = []danger{
	{"os/exec", []string{"internal/upstream"}, "servers of tools are the one kind of program that is started; workers are the library's"},
	{"syscall", []string{"internal/cli", "internal/upstream"}, "signals of the process and how many files it may open, and groups of the programs that are started"},
	{"os", []string{"internal/cli", "internal/cluster", "internal/ledger", "internal/machine", "internal/policies", "internal/sessions", "internal/store", "internal/telemetry", "internal/trail", "internal/upstream", "internal/upstream/fake", "."}, "what the machine has is read where the configuration names it, and written in the data directory; flags for opening files of sessions have their names there"},
	{"reflect", []string{"internal/problem"}, "values of scripts are handled by the library; an error of a body names the type of a field"},
	{"unsafe", nil, "nothing needs it"},
	{"plugin", nil, "code that nobody checked"},
	{"database/sql", []string{"internal/store"}, "what is kept is reached in one place"},
	{"modernc.org/", []string{"internal/store"}, "likewise"},
	{"html/template", []string{"internal/page"}, "pages are made in one place"},
	{"text/template", nil, "it does not escape"},
	{"net", []string{"internal/api", "internal/cli", "internal/cluster", "internal/conns", "internal/upstream"}, "addresses of peers, the listeners for clients and for workers, servers of tools"},
	{"net/http", []string{"client", "internal/api", "internal/cli", "internal/clone", "internal/mcpserver", "internal/pace", "internal/page", "internal/problem", "internal/telemetry", "internal/upstream", "internal/upstream/fake"}, "runs and sessions know no HTTP"},
	{"net/netip", []string{"internal/api", "internal/cli", "internal/cluster", "internal/conns"}, "the header Host, the addresses that are listened at, and those of clients"},
	{"net/url", []string{"client", "internal/api", "internal/cli", "internal/mcpserver", "internal/page", "internal/telemetry", "internal/upstream"}, "URLs of what is configured, and of the service"},
	{"net/", nil, "requests of scripts are the library's"},
	{"crypto/tls", nil, "servers are verified by the library's gate, or by net/http"},
	{"golang.org/x/net/netutil", []string{"internal/conns"}, "how many connections there are"},
	{"golang.org/x/time/rate", []string{"internal/limits", "internal/plans", "internal/upstream"}, "how often"},
	{"golang.org/x/mod/sumdb/note", []string{"internal/trail"}, "checkpoints of the record are signed"},
	{"go.yaml.in/yaml/v3", []string{"internal/limits", "internal/policies", "internal/upstream"}, "files of the configuration"},
	{"github.com/spf13/afero", []string{"internal/api", "internal/clone", "internal/plans", "internal/sessions"}, "files of sessions, which are in memory"},
	{"github.com/go-git/", []string{"internal/clone"}, "packs and the protocol of git, and nothing of it that touches the machine"},
	{"github.com/modelcontextprotocol/", []string{"internal/mcpserver", "internal/upstream", "internal/upstream/fake"}, "MCP is spoken in two places, to clients and to servers"},
	{"github.com/google/jsonschema-go/", []string{"internal/upstream"}, "schemas of tools become types in one place"},
	{"go.opentelemetry.io/otel/propagation", []string{"internal/api"}, "the trace of a request"},
	{"go.opentelemetry.io/", []string{"internal/telemetry"}, "what leaves the machine does so in one place"},
	{"github.com/nats-io/", []string{"internal/batches", "internal/cli", "internal/cluster", "internal/inspect", "internal/ledger", "internal/objects", "internal/peers"}, "workers are reached in one place, what servers share is kept in one, and lines of batches are queued in one; the connection is passed from one to the other"},
	{"github.com/fxamacker/cbor/v2", []string{"internal/ledger"}, "the entries of the ledger"},
	{"github.com/prometheus/", []string{"internal/telemetry"}, "what is counted is counted in one place"},
}

// service is the directory of the module.
const service = "cmd/sandtrapd"

// isService reports a directory of the tree that is one of the service.
func isService(dir string) bool { return dir == service || strings.HasPrefix(dir, service+"/") }

// inService is where the tree has a package of the service.
func inService(pkg string) string { return path.Join(service, pkg) }

// maxServiceSize is that of packages of the service, and maxServiceFile how many lines a file of one has at most.
var (
	maxServiceSize = size{3800, 30}
	maxServiceFile = 310
)

// TestService: the arrows of docs/architecture.md are imports of the service, all its packages are there, and what the way of a run
// names is declared.
func TestService(t *testing.T) {
	page, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "\n## The service\n")
	text, _, _ = strings.Cut(text, "\n## ")
	rungs, drawn := map[string]rung{}, map[string]bool{}
	for _, r := range serviceLadder {
		rungs[path.Base(r.pkg)] = r
	}
	for _, arrow := range regexp.MustCompile(`(\w+) --> (\w+)`).FindAllStringSubmatch(text, -1) {
		if !slices.Contains(rungs[arrow[1]].service, rungs[arrow[2]].pkg) {
			t.Errorf("%s: its row in serviceLadder does not have it", arrow[0])
		}
		drawn[arrow[1]], drawn[arrow[2]] = true, true
	}
	for name, r := range rungs {
		if path.Dir(r.pkg) == "internal" && !drawn[name] {
			t.Errorf("no arrow has %s", name)
		}
	}
	steps := regexp.MustCompile("`([a-z]+)\\.([A-Za-z.]+)`").FindAllStringSubmatch(text, -1)
	if len(steps) < 15 {
		t.Errorf("the way of a run names only %d things", len(steps))
	}
	for _, step := range steps {
		if !slices.Contains(declared(t, inService(rungs[step[1]].pkg)), step[2]) {
			t.Errorf("%s is not declared", step[0])
		}
	}
}

// declared are the functions, methods and types of a package: Name, or Type.Name.
func declared(t *testing.T, dir string) (names []string) {
	files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil {
					name = strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + name
				}
				names = append(names, name)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						names = append(names, s.Name.Name)
					}
				}
			}
		}
	}
	return names
}
