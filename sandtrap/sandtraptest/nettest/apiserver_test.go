package nettest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An api is a service as programs of models call them. Each run has a path of its own, /run/N, and its own state.
type api struct {
	mu    sync.Mutex
	items map[int]*item
	last  int
	count map[string]int // requests by what they are for
	blobs map[string][]byte
}

type item struct {
	ID      int      `json:"id"`
	Name    string   `json:"name"`
	Price   float64  `json:"price"`
	Tags    []string `json:"tags,omitempty"`
	Version int      `json:"version"`
}

func (i *item) tag() string { return fmt.Sprintf(`"%d-%d"`, i.ID, i.Version) }

var apis sync.Map // *api by run

// serveAPI has the service of a run answer.
func serveAPI(w http.ResponseWriter, r *http.Request) {
	run := r.PathValue("run")
	made := &api{items: map[int]*item{}, count: map[string]int{}, blobs: map[string][]byte{}}
	a, _ := apis.LoadOrStore(run, made)
	prefix := "/run/" + run
	http.StripPrefix(prefix, a.(*api).handler(prefix)).ServeHTTP(w, r)
}

// next counts requests for something.
func (a *api) next(what string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.count[what]++
	return a.count[what]
}

func reply(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(v)
}

func fault(w http.ResponseWriter, code int, text string) {
	reply(w, code, map[string]any{"error": map[string]any{"code": code, "message": text}})
}

func (a *api) handler(prefix string) http.Handler {
	mux := http.NewServeMux()
	a.crud(mux, prefix)
	a.files(mux)
	a.access(mux, prefix)
	a.unreliable(mux, prefix)
	a.formats(mux)
	return mux
}

func (a *api) crud(mux *http.ServeMux, prefix string) {
	find := func(w http.ResponseWriter, r *http.Request) *item {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil {
			fault(w, http.StatusBadRequest, "bad id")
			return nil
		}
		it := a.items[id]
		if it == nil {
			fault(w, http.StatusNotFound, fmt.Sprintf("no item %d", id))
		}
		return it
	}
	handle := func(pattern string, f http.HandlerFunc) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			a.mu.Lock()
			defer a.mu.Unlock()
			f(w, r)
		})
	}
	handle("POST /items", func(w http.ResponseWriter, r *http.Request) {
		var it item
		if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
			fault(w, http.StatusUnsupportedMediaType, "want JSON")
			return
		}
		if err := json.NewDecoder(r.Body).Decode(&it); err != nil {
			fault(w, http.StatusBadRequest, "bad JSON")
			return
		}
		if it.Name == "" {
			reply(w, http.StatusUnprocessableEntity, map[string]any{"errors": []map[string]string{{"field": "name", "message": "is required"}}})
			return
		}
		a.last++
		it.ID, it.Version = a.last, 1
		a.items[it.ID] = &it
		w.Header().Set("Location", fmt.Sprintf("%s/items/%d", prefix, it.ID))
		w.Header().Set("ETag", it.tag())
		reply(w, http.StatusCreated, it)
	})
	handle("GET /items", func(w http.ResponseWriter, r *http.Request) { a.page(w, r, prefix) })
	handle("GET /items/{id}", func(w http.ResponseWriter, r *http.Request) {
		if it := find(w, r); it != nil {
			w.Header().Set("ETag", it.tag())
			if r.Header.Get("If-None-Match") == it.tag() {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			reply(w, http.StatusOK, it)
		}
	})
	handle("PATCH /items/{id}", func(w http.ResponseWriter, r *http.Request) {
		it := find(w, r)
		if it == nil {
			return
		}
		if m := r.Header.Get("If-Match"); m != "" && m != it.tag() {
			fault(w, http.StatusPreconditionFailed, "changed meanwhile")
			return
		}
		if err := json.NewDecoder(r.Body).Decode(it); err != nil {
			fault(w, http.StatusBadRequest, "bad JSON")
			return
		}
		it.Version++
		w.Header().Set("ETag", it.tag())
		reply(w, http.StatusOK, it)
	})
	handle("DELETE /items/{id}", func(w http.ResponseWriter, r *http.Request) {
		if it := find(w, r); it != nil {
			delete(a.items, it.ID)
			w.WriteHeader(http.StatusNoContent)
		}
	})
}

// page has the links of a page in a header, as GitHub does.
func (a *api) page(w http.ResponseWriter, r *http.Request, prefix string) {
	page, per := max(number(r, "page"), 1), max(number(r, "per_page"), 3)
	var all []*item
	for id := range a.last {
		if it := a.items[id+1]; it != nil && (r.URL.Query().Get("tag") == "" || slices.Contains(it.Tags, r.URL.Query().Get("tag"))) {
			all = append(all, it)
		}
	}
	from, to := min((page-1)*per, len(all)), min(page*per, len(all))
	var links []string
	link := func(n int, rel string) {
		q := r.URL.Query()
		q.Set("page", strconv.Itoa(n))
		links = append(links, fmt.Sprintf(`<http://%s%s/items?%s>; rel="%s"`, r.Host, prefix, q.Encode(), rel))
	}
	if page > 1 {
		link(page-1, "prev")
	}
	if to < len(all) {
		link(page+1, "next")
	}
	link((len(all)+per-1)/per, "last")
	w.Header().Set("Link", strings.Join(links, ", "))
	w.Header().Set("X-Total-Count", strconv.Itoa(len(all)))
	reply(w, http.StatusOK, append([]*item{}, all[from:to]...))
}

func (a *api) files(mux *http.ServeMux) {
	mux.HandleFunc("POST /upload", func(w http.ResponseWriter, r *http.Request) {
		mr, err := r.MultipartReader()
		if err != nil {
			fault(w, http.StatusBadRequest, err.Error())
			return
		}
		var parts []map[string]any
		for {
			p, err := mr.NextPart()
			if err != nil {
				break
			}
			h := sha256.New()
			n, _ := io.Copy(h, p)
			parts = append(parts, map[string]any{"field": p.FormName(), "file": p.FileName(), "type": p.Header.Get("Content-Type"), "size": n, "sha256": hex.EncodeToString(h.Sum(nil))})
		}
		reply(w, http.StatusOK, map[string]any{"parts": parts, "length_known": r.ContentLength >= 0})
	})
	mux.HandleFunc("PUT /blobs/{name}", func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<20))
		if err != nil {
			fault(w, http.StatusRequestEntityTooLarge, err.Error())
			return
		}
		a.mu.Lock()
		a.blobs[r.PathValue("name")] = b
		a.mu.Unlock()
		reply(w, http.StatusCreated, map[string]any{"size": len(b), "sha256": fmt.Sprintf("%x", sha256.Sum256(b)), "length": r.ContentLength})
	})
	mux.HandleFunc("GET /blobs/{name}", func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		b, ok := a.blobs[r.PathValue("name")]
		a.mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", r.PathValue("name")))
		http.ServeContent(w, r, r.PathValue("name"), time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC), strings.NewReader(string(b)))
	})
}

func (a *api) access(mux *http.ServeMux, prefix string) {
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		if r.PostFormValue("password") != "hunter2" {
			http.Error(w, "wrong password", http.StatusUnauthorized)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "s-" + r.PostFormValue("user"), Path: "/", HttpOnly: true, MaxAge: 3600})
		http.SetCookie(w, &http.Cookie{Name: "theme", Value: "dark mode", Path: "/"})
		w.Header().Set("Location", prefix+"/me")
		w.WriteHeader(http.StatusSeeOther)
	})
	mux.HandleFunc("/me", func(w http.ResponseWriter, r *http.Request) {
		c, err := r.Cookie("session")
		if err != nil {
			fault(w, http.StatusUnauthorized, "log in first")
			return
		}
		reply(w, http.StatusOK, map[string]any{"user": strings.TrimPrefix(c.Value, "s-"), "cookies": len(r.Cookies())})
	})
	mux.HandleFunc("POST /logout", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Path: "/", MaxAge: -1})
	})
	mux.HandleFunc("/basic", func(w http.ResponseWriter, r *http.Request) {
		if u, p, ok := r.BasicAuth(); !ok || u != "aladdin" || p != "open sesame" {
			w.Header().Set("WWW-Authenticate", `Basic realm="cave", charset="UTF-8"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		fmt.Fprintln(w, "welcome")
	})
	mux.HandleFunc("POST /oauth/token", func(w http.ResponseWriter, r *http.Request) {
		if r.PostFormValue("grant_type") != "client_credentials" {
			reply(w, http.StatusBadRequest, map[string]string{"error": "unsupported_grant_type"})
			return
		}
		reply(w, http.StatusOK, map[string]any{"access_token": fmt.Sprintf("t%d", a.next("token")), "token_type": "Bearer", "expires_in": 3600})
	})
	mux.HandleFunc("/guarded", func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		valid := fmt.Sprintf("Bearer t%d", a.count["token"])
		a.mu.Unlock()
		if a.next("guarded")%3 == 0 || r.Header.Get("Authorization") != valid { // a token expires
			fault(w, http.StatusUnauthorized, "invalid token")
			return
		}
		reply(w, http.StatusOK, map[string]string{"ok": "yes"})
	})
	mux.HandleFunc("POST /webhook", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		mac := hmac.New(sha256.New, []byte("topsecret"))
		mac.Write(b)
		if want := "sha256=" + hex.EncodeToString(mac.Sum(nil)); r.Header.Get("X-Signature-256") != want {
			http.Error(w, "bad signature", http.StatusForbidden)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	})
}

func (a *api) unreliable(mux *http.ServeMux, prefix string) {
	mux.HandleFunc("/flaky/{times}", func(w http.ResponseWriter, r *http.Request) {
		times, _ := strconv.Atoi(r.PathValue("times"))
		b, _ := io.ReadAll(r.Body)
		if n := a.next("flaky" + r.PathValue("times") + r.Method); n <= times {
			w.Header().Set("Retry-After", "0")
			http.Error(w, "try again", []int{503, 502, 429}[n%3])
			return
		}
		fmt.Fprintf(w, "at last, with %d bytes", len(b))
	})
	mux.HandleFunc("/slow/{ms}", func(w http.ResponseWriter, r *http.Request) {
		ms, _ := strconv.Atoi(r.PathValue("ms"))
		select {
		case <-r.Context().Done():
		case <-time.After(time.Duration(ms) * time.Millisecond):
			fmt.Fprint(w, "done")
		}
	})
	mux.HandleFunc("POST /jobs", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", prefix+"/jobs/7")
		w.WriteHeader(http.StatusAccepted)
	})
	mux.HandleFunc("GET /jobs/7", func(w http.ResponseWriter, r *http.Request) {
		if n := a.next("job"); n < 4 {
			reply(w, http.StatusOK, map[string]any{"status": "running", "progress": n * 25})
			return
		}
		reply(w, http.StatusOK, map[string]any{"status": "done", "progress": 100, "result": map[string]int{"rows": 42}})
	})
	mux.HandleFunc("GET /events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		from, _ := strconv.Atoi(r.Header.Get("Last-Event-ID"))
		fmt.Fprint(w, ": hello\nretry: 10\n\n")
		for id := from + 1; id <= from+3 && id <= 7; id++ { // then the connection ends
			fmt.Fprintf(w, "id: %d\nevent: tick\ndata: {\"n\": %d,\ndata:  \"even\": %t}\n\n", id, id, id%2 == 0)
			w.(http.Flusher).Flush()
		}
		if from+3 >= 7 {
			fmt.Fprint(w, "event: end\ndata:\n\n")
		}
	})
	mux.HandleFunc("GET /tree/{node}", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.PathValue("node"))
		if n == 13 {
			fault(w, http.StatusInternalServerError, "unlucky")
			return
		}
		children := []int{}
		for _, c := range []int{2*n + 1, 2*n + 2} {
			if c < 20 {
				children = append(children, c)
			}
		}
		reply(w, http.StatusOK, map[string]any{"node": n, "children": children})
	})
}

func (a *api) formats(mux *http.ServeMux) {
	mux.HandleFunc("GET /feed.xml", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/rss+xml")
		fmt.Fprint(w, xml.Header+`<rss version="2.0"><channel><title>News &amp; more</title><item><title>One</title><link>http://x/1</link><pubDate>Mon, 06 May 2024 07:08:09 GMT</pubDate><category>a</category><category>b</category></item>`+
			`<item><title><![CDATA[Two <b>]]></title><link>http://x/2</link><pubDate>Tue, 07 May 2024 07:08:09 +0200</pubDate><enclosure url="http://x/2.mp3" length="123" type="audio/mpeg"/></item></channel></rss>`)
	})
	mux.HandleFunc("GET /report.csv", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		cw := csv.NewWriter(w)
		cw.Write([]string{"region", "product", "units", "revenue"})
		for i := range 500 {
			cw.Write([]string{[]string{"north", "south", "east, far", `we"st`}[i%4], fmt.Sprint("p", i%7), strconv.Itoa(i), fmt.Sprintf("%.2f", float64(i)*1.5)})
		}
		cw.Flush()
	})
	mux.HandleFunc("POST /graphql", func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Query     string
			Variables map[string]any
		}
		json.NewDecoder(r.Body).Decode(&q)
		if !strings.Contains(q.Query, "user(") {
			reply(w, http.StatusOK, map[string]any{"data": nil, "errors": []any{map[string]any{"message": "Cannot query field", "path": []any{"user", 0, "x"}}}})
			return
		}
		reply(w, http.StatusOK, map[string]any{"data": map[string]any{"user": map[string]any{"id": q.Variables["id"], "name": "Ada", "repos": []any{map[string]any{"name": "engine", "stars": 1e6}}}}})
	})
	mux.HandleFunc("GET /lines", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		for i := range 200 {
			fmt.Fprintf(w, "{\"seq\":%d,\"level\":%q,\"msg\":%q}\n", i, []string{"info", "warn", "error"}[i%3], strings.Repeat("x", i))
		}
	})
}
