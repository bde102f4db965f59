package search_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/search"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

const github = `package github

// ListIssues lists issues of a repository.
func ListIssues(in ListIssuesIn) (ListIssuesOut, error)

// CreateIssue opens a ticket.
func CreateIssue(in CreateIssueIn) (CreateIssueOut, error)

// GetRepository gets a repository with its description.
func GetRepository(in GetRepositoryIn) (GetRepositoryOut, error)

// SendHTMLPage publishes a page.
func SendHTMLPage(in GetRepositoryIn) error

type ListIssuesIn struct {
	Owner string ` + "`json:\"owner\"`" + `
	// Label of the issues
	Filter Filter
}

type Filter struct{ Since string }

type ListIssuesOut struct{ Issues []Issue }

type Issue struct{ Title string }

type CreateIssueIn struct{ Title string }
type CreateIssueOut struct{ Text string }
type GetRepositoryIn struct{ Name string }
type GetRepositoryOut struct{ Text string }
`

func index(t testing.TB, decls map[string]string) *search.Index {
	t.Helper()
	x, err := search.New(decls)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func names(hits []search.Hit) (list []string) {
	for _, h := range hits {
		list = append(list, h.Package+"."+h.Name)
	}
	return list
}

// TestFind: words of names, comments, packages and fields find what was meant, the best first.
func TestFind(t *testing.T) {
	x := index(t, map[string]string{"github": github, "jira": strings.ReplaceAll(github, "package github", "package jira"), "": "// Search finds pages.\nfunc Search(query string) ([]string, error)\n"})
	for query, want := range map[string]string{
		"list issues":           "github.ListIssues",
		"ListIssues":            "github.ListIssues",
		"jira list issue":       "jira.ListIssues",
		"github.CreateIssue":    "github.CreateIssue",
		"open a ticket in jira": "jira.CreateIssue",
		"repo description":      "github.GetRepository",
		"html":                  "github.SendHTMLPage",
		"find pages by query":   ".Search",
		"PUBLISH":               "github.SendHTMLPage",
	} {
		hits := x.Find(query, 3)
		if len(hits) == 0 || names(hits)[0] != want {
			t.Errorf("%s: %q", query, names(hits))
		}
	}
	for _, query := range []string{"", "   ", "zzz", "\x00\xff", "()"} {
		if hits := x.Find(query, 5); len(hits) > 0 {
			t.Errorf("%q: %q", query, names(hits))
		}
	}
}

// TestHit: a function comes with the types that a call of it needs.
func TestHit(t *testing.T) {
	hit := index(t, map[string]string{"github": github}).Find("list issues", 1)[0]
	if hit.Doc != "ListIssues lists issues of a repository." {
		t.Error(hit.Doc)
	}
	for _, want := range []string{"func ListIssues(in ListIssuesIn) (ListIssuesOut, error)", "type ListIssuesIn struct", "type Filter struct", "type Issue struct"} {
		if !strings.Contains(hit.Decl, want) {
			t.Errorf("there is no %q in\n%s", want, hit.Decl)
		}
	}
	if strings.Contains(hit.Decl, "CreateIssue") {
		t.Error(hit.Decl)
	}
}

// many is packages with so many functions.
func many(packages, functions int) map[string]string {
	verbs := []string{"List", "Get", "Create", "Update", "Delete", "Search", "Merge", "Close", "Assign", "Export"}
	things := []string{"Issue", "PullRequest", "Repository", "Branch", "Commit", "Release", "Team", "Project", "Comment", "Workflow"}
	decls := map[string]string{}
	for p := range packages {
		path := fmt.Sprintf("server%d", p)
		var b strings.Builder
		b.WriteString("package " + path + "\n\n")
		for f := range functions {
			name := fmt.Sprint(verbs[f%10], things[f/10%10], f)
			fmt.Fprintf(&b, "// %s is about %s.\nfunc %s(in %sIn) (%sOut, error)\n\ntype %sIn struct {\n\tOwner string\n\tNumber int\n}\n\ntype %sOut struct{ Text string }\n\n", name, things[(f+3)%10], name, name, name, name, name)
		}
		decls[path] = b.String()
	}
	return decls
}

// TestFiveThousand: 5,000 functions are found in the same order each time, also with the largest query.
func TestFiveThousand(t *testing.T) {
	decls := many(10, 500)
	x := index(t, decls)
	few := many(10, 50)
	y, z := index(t, few), index(t, few)
	long := strings.Repeat("list issue get create update owner text number server ", 2000)
	for _, query := range []string{"close pull request", "server7 export workflow", long} {
		if a := x.Find(query, 1000); len(a) == 0 || len(a) > 50 || !reflect.DeepEqual(a, x.Find(query, 1000)) {
			t.Errorf("%.40s: %d hits", query, len(a))
		}
		if !reflect.DeepEqual(y.Find(query, 10), z.Find(query, 10)) {
			t.Errorf("%.40s: another index finds something else", query)
		}
	}
	if hits := x.Find("x", -1); len(hits) > 0 {
		t.Error("a negative limit finds something")
	}
	if got := x.Find("server7 export workflow 499", 1)[0].Package; got != "server7" {
		t.Error(got)
	}
}

// TestDescribe: 500 functions of any number of packages take few tokens in a list of tools. A token is counted as 3.5 bytes, which is less than it
// has on average.
func TestDescribe(t *testing.T) {
	for _, packages := range []int{1, 10, 50, 64} {
		text := index(t, many(packages, 500/packages)).Describe()
		if tokens := float64(len(text)) / 3.5; tokens > 400 {
			t.Errorf("%d packages: %.0f tokens: %s", packages, tokens, text)
		}
	}
	text := index(t, map[string]string{"github": github}).Describe()
	if !strings.HasSuffix(text, "with the number of their functions: github (4).") {
		t.Error(text)
	}
}

// TestStandard: the declarations that a plan renders of its packages can be searched.
func TestStandard(t *testing.T) {
	plan, err := sandtrap.Compile(sandtrap.Policy{Std: sandtrap.StdDefault(), Funcs: map[string]any{"fetch": func(url string) string { return "" }}})
	if err != nil {
		t.Fatal(err)
	}
	decls := map[string]string{}
	for _, path := range append(plan.Packages(), "") {
		if decls[path], err = plan.Declarations(path, nil); err != nil {
			t.Fatal(err)
		}
	}
	x := index(t, decls)
	for query, want := range map[string]string{"strings replace all": "strings.ReplaceAll", "regexp must compile": "regexp.MustCompile", "fetch url": ".fetch", "SortStableFunc": "slices.SortStableFunc"} {
		if hits := x.Find(query, 3); len(hits) == 0 || names(hits)[0] != want {
			t.Errorf("%s: %q", query, names(hits))
		}
	}
}

// TestNotGo: a text that is not Go is an error that names its package.
func TestNotGo(t *testing.T) {
	if _, err := search.New(map[string]string{"github": "package github\nfunc ("}); err == nil || !strings.HasPrefix(err.Error(), "github: ") {
		t.Error(err)
	}
}

func BenchmarkNew(b *testing.B) {
	decls := many(10, 500)
	for b.Loop() {
		index(b, decls)
	}
}

func BenchmarkFind(b *testing.B) {
	x := index(b, many(10, 500))
	for b.Loop() {
		x.Find("close the pull request of a server", 10)
	}
}

func FuzzFind(f *testing.F) {
	x := index(f, map[string]string{"github": github})
	f.Add("list issues", 3)
	f.Fuzz(func(t *testing.T, query string, limit int) {
		if hits := x.Find(query, limit); len(hits) > max(0, limit) && len(hits) > 0 {
			t.Errorf("%d hits", len(hits))
		}
	})
}
