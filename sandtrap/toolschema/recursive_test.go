package toolschema

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Node holds itself behind each kind of type.
type Node struct {
	Name string           `json:"name"`
	Next *Node            `json:"next,omitempty"`
	Kids []Node           `json:"kids,omitempty"`
	By   map[int][]*Node  `json:"by,omitempty"`
	Up   *Node            `json:"-"`
	Tree Tree             `json:"tree,omitempty"`
	Page *Page[Node]      `json:"page,omitempty"`
	Raw  *json.RawMessage `json:"raw,omitempty"`
}

type Tree map[string]Tree

type Page[T any] struct {
	Items []T      `json:"items"`
	More  *Page[T] `json:"more,omitempty"`
}

// A Folder embeds a type that holds itself.
type Folder struct {
	Node
	Meta `json:"meta"`
	Size int `json:"size"`
}

// TestRecursive: a type that holds itself is referred to, and values of it fit as encoding/json writes them.
func TestRecursive(t *testing.T) {
	p := sandtrap.Policy{
		Funcs: map[string]any{
			"walk": sandtrap.Member{Value: func(root *Node, folder Folder) (*Node, error) { return nil, nil }, Params: []string{"root", "folder"}},
			"both": func() (Tree, []Folder) { return nil, nil },
			"Node": (*Node)(nil),
		},
		Docs: map[string]string{"Node.Name": "of the node"},
	}
	tools, err := Of(p)
	if err != nil || len(tools) != 2 {
		t.Fatal(tools, err)
	}
	both, walk := tools[0], tools[1]
	node := Node{Name: "a", Next: &Node{Name: "b", Kids: []Node{{Name: "c"}}}, By: map[int][]*Node{1: {{Name: "d"}, nil}}, Tree: Tree{"x": Tree{"y": Tree{}}}, Page: &Page[Node]{Items: []Node{{}}}}
	folder := Folder{Node: node, Meta: Meta{ID: "m"}, Size: 3}
	fits(t, walk.Input, map[string]any{"root": node, "folder": folder}, true)
	fits(t, walk.Input, map[string]any{"root": nil, "folder": folder}, true)
	fits(t, walk.Input, map[string]any{"root": node, "folder": node}, false)
	fits(t, walk.Input, map[string]any{"root": map[string]any{"name": "a", "next": map[string]any{"name": 1}}, "folder": folder}, false)
	fits(t, walk.Input, map[string]any{"root": map[string]any{"name": "a", "kids": []any{map[string]any{}}}, "folder": folder}, false)
	fits(t, walk.Output, &node, true)
	fits(t, walk.Output, (*Node)(nil), true)
	fits(t, walk.Output, map[string]any{"name": "a", "tree": map[string]any{"x": 1}}, false)
	fits(t, both.Output, []any{node.Tree, []Folder{folder}}, true)
	if got := walk.Output.Defs["Node"].Properties["name"].Description; got != "of the node" {
		t.Errorf("the comment on a field: %q", got)
	}
	type list struct {
		V    int   `json:"v"`
		Next *list `json:"next"`
	}
	tools, err = Of(sandtrap.Policy{Funcs: map[string]any{"f": func(list) {}}})
	if err != nil {
		t.Fatal(err)
	}
	got, _ := json.Marshal(tools[0].Input)
	want := `{"type":"object","properties":{"arg1":{"$ref":"#/$defs/list"}},"required":["arg1"],"$defs":{"list":{"type":"object","properties":{"v":{"type":"integer"},"next":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/list"}]}},"required":["v","next"],"additionalProperties":false}},"additionalProperties":false}`
	var a, b any
	if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(want), &b) != nil || !cmp.Equal(a, b) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
