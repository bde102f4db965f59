package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

type Item struct {
	ID    int      `json:"id,omitempty"`
	Name  string   `json:"name"`
	Price float64  `json:"price"`
	Tags  []string `json:"tags,omitempty"`
}

type Change struct {
	Op       string
	Old, New *Item
}

// API is what the sync needs of the server.
type API interface {
	List() ([]Item, error)
	Apply(Change) error
}

type httpAPI struct {
	base   url.URL
	client http.Client
	calls  []string
}

func (a *httpAPI) request(method string, path []string, in, out any) error {
	var body io.Reader = http.NoBody
	if in != nil {
		var buf bytes.Buffer
		if err := json.NewEncoder(&buf).Encode(in); err != nil {
			return err
		}
		body = &buf
	}
	req := &http.Request{Method: method, URL: a.base.JoinPath(path...), Header: http.Header{"Content-Type": {"application/json"}}}
	if rc, ok := body.(io.ReadCloser); ok {
		req.Body = rc
	} else {
		req.Body = io.NopCloser(body)
	}
	a.calls = append(a.calls, method+" /"+strings.Join(path, "/"))
	resp, err := a.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode > 299 {
		msg, _ := io.ReadAll(resp.Body)
		return fmt.Errorf("%s %v: %s: %s", method, path, resp.Status, bytes.TrimSpace(msg))
	}
	if out == nil {
		return nil
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

func (a *httpAPI) List() (all []Item, err error) {
	for page := 1; ; page++ {
		a.base.RawQuery = url.Values{"page": {strconv.Itoa(page)}, "per_page": {"3"}}.Encode()
		var items []Item
		err := a.request("GET", []string{"items"}, nil, &items)
		a.base.RawQuery = ""
		if err != nil || len(items) == 0 {
			return all, err
		}
		all = append(all, items...)
	}
}

func (a *httpAPI) Apply(c Change) error {
	switch c.Op {
	case "create":
		return a.request("POST", []string{"items"}, c.New, c.New)
	case "update":
		return a.request("PATCH", []string{"items", strconv.Itoa(c.Old.ID)}, c.New, nil)
	case "delete":
		return a.request("DELETE", []string{"items", fmt.Sprint(c.Old.ID)}, nil, nil)
	}
	return fmt.Errorf("unknown operation %q", c.Op)
}

func diff(have, want []Item) (changes []Change) {
	byName := map[string]*Item{}
	for i := range have {
		byName[have[i].Name] = &have[i]
	}
	for i := range want {
		old := byName[want[i].Name]
		delete(byName, want[i].Name)
		switch {
		case old == nil:
			changes = append(changes, Change{"create", nil, &want[i]})
		case old.Price != want[i].Price || !reflect.DeepEqual(old.Tags, want[i].Tags):
			changes = append(changes, Change{"update", old, &want[i]})
		}
	}
	for _, old := range byName {
		changes = append(changes, Change{"delete", old, nil})
	}
	slices.SortStableFunc(changes, func(a, b Change) int {
		if c := strings.Compare(a.Op, b.Op); c != 0 || a.Old == nil {
			return c
		}
		return a.Old.ID - b.Old.ID
	})
	return changes
}

func main() {
	u, err := url.Parse(os.Args[1])
	if err != nil {
		fmt.Println(err)
		return
	}
	ap, err := netip.ParseAddrPort(u.Host)
	fmt.Println(ap.Addr().IsLoopback(), err)
	api := &httpAPI{base: *u}
	var target API = api
	for _, want := range [][]Item{
		{{Name: "a", Price: 1}, {Name: "b", Price: 2, Tags: []string{"x"}}, {Name: "c", Price: 3}, {Name: "d", Price: 4}},
		{{Name: "a", Price: 1}, {Name: "b", Price: 2, Tags: []string{"x", "y"}}, {Name: "d", Price: 4.5}, {Name: "e", Price: 5}},
		{{Name: "a", Price: 1}},
		{{Name: ""}},
	} {
		have, err := target.List()
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, c := range diff(have, want) {
			if err := target.Apply(c); err != nil {
				fmt.Println("failed:", err)
			}
		}
		have, err = target.List()
		fmt.Println(have, err)
	}
	fmt.Println(len(api.calls), api.calls)
}
