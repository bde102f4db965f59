package page

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/pace"
)

// A site is the pages of one server.
type site struct {
	keys   *keys.Ring
	api    http.Handler
	logins *logins
	html   *template.Template
	assets map[string]asset
}

// Handler serves the pages, and hands all other requests to the API, those of pages with the key of their login. Slow clients have bounds.
func Handler(ring *keys.Ring, api http.Handler, slow pace.Bounds) http.Handler {
	s := &site{keys: ring, api: api, logins: &logins{byID: map[digest]login{}}, html: template.Must(template.ParseFS(templates, "templates/*.html")), assets: readAssets()}
	mux := http.NewServeMux()
	for _, p := range pages() {
		mux.HandleFunc("GET "+p.path, func(w http.ResponseWriter, q *http.Request) { s.show(w, q, p) })
	}
	mux.HandleFunc("GET /login", s.showLogin)
	mux.HandleFunc("POST /login", s.login)
	mux.HandleFunc("POST /logout", s.logout)
	mux.HandleFunc("GET "+assetPath+"{name}", s.asset)
	mux.HandleFunc("/", s.serveAPI)
	return pace.Handler(mux, slow)
}

// A page is one address. Its script has the name of the page.
type page struct {
	path  string // as net/http has patterns
	name  string
	title string
	menu  string    // the page of the menu that it belongs to
	role  keys.Role // the least one
}

func pages() []page {
	return []page{
		{"/{$}", "playground", "Playground", "/", keys.User},
		{"/runs", "runs", "Runs", "/runs", keys.User},
		{"/runs/{id}", "run", "Run", "/runs", keys.User},
		{"/sessions", "sessions", "Sessions", "/sessions", keys.User},
		{"/sessions/{id}", "session", "Session", "/sessions", keys.User},
		{"/policies", "policies", "Policies", "/policies", keys.User},
		{"/policies/{id}", "policy", "Policy", "/policies", keys.User},
		{"/machine", "machine", "Machine", "/machine", keys.Operator},
	}
}

//go:embed templates/*.html
var templates embed.FS

// A view is what a template gets.
type view struct {
	Name, Title  string
	Tenant, Role string
	ID           string // of the run, the session or the policy that the address names
	Menu         []menuItem
	Message      string // of the login page
	Next         string // the address after the login
	Assets       string
}

type menuItem struct {
	Path, Title string
	Current     bool
}

// menu is the pages that a role may see.
func menu(current string, role keys.Role) (list []menuItem) {
	for _, p := range pages() {
		if !strings.Contains(strings.TrimSuffix(p.path, "{$}"), "{") && role.May(p.role) {
			list = append(list, menuItem{p.menu, p.title, p.menu == current})
		}
	}
	return list
}

// policy has a page load only what this server serves, and lets no text become HTML or a script.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

func secure(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin") // none at all would take Origin from the forms too
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-store")
}

// write answers with a template.
func (s *site) write(w http.ResponseWriter, status int, name string, v view) {
	v.Assets = assetPath
	var text bytes.Buffer
	if err := s.html.ExecuteTemplate(&text, name, v); err != nil {
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	secure(w)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes())
}

// show shows a page to who has logged in, and the others the login page.
func (s *site) show(w http.ResponseWriter, q *http.Request, p page) {
	_, key, ok := s.key(q)
	if !ok {
		secure(w)
		http.Redirect(w, q, "/login?next="+url.QueryEscape(q.URL.RequestURI()), http.StatusSeeOther)
		return
	}
	v := view{Name: p.name, Title: p.title, Tenant: key.Tenant, Role: string(key.Role), ID: q.PathValue("id"), Menu: menu(p.menu, key.Role)}
	if !key.Role.May(p.role) {
		s.write(w, http.StatusForbidden, "forbidden.html", v)
		return
	}
	s.write(w, http.StatusOK, "page.html", v)
}

func (s *site) showLogin(w http.ResponseWriter, q *http.Request) {
	s.write(w, http.StatusOK, "login.html", view{Title: "Log in", Next: nextOf(q.URL.Query().Get("next"))})
}

// nextOf is an address of this server, after a login.
func nextOf(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(text, "/") || strings.HasPrefix(text, "//") || strings.ContainsAny(text, "\\\t\r\n") {
		return "/"
	}
	return text
}

// maxForm bounds the body of a login, in bytes.
const maxForm = 8 << 10

func (s *site) login(w http.ResponseWriter, q *http.Request) {
	q.Body = http.MaxBytesReader(w, q.Body, maxForm)
	v := view{Title: "Log in", Next: nextOf(q.PostFormValue("next"))}
	if own(q) != nil {
		v.Message = "The form came from a page of another server."
		s.write(w, http.StatusForbidden, "login.html", v)
		return
	}
	token := strings.TrimSpace(q.PostFormValue("key"))
	if _, ok := s.keys.Find(token); !ok {
		v.Message = "This server does not know the key."
		s.write(w, http.StatusUnauthorized, "login.html", v)
		return
	}
	s.logins.end(loginOf(q))
	id, err := s.logins.add(token)
	if err != nil {
		v.Message = "The server could not do it. Try again."
		s.write(w, http.StatusInternalServerError, "login.html", v)
		return
	}
	http.SetCookie(w, cookie(q, id))
	secure(w)
	http.Redirect(w, q, v.Next, http.StatusSeeOther)
}

func (s *site) logout(w http.ResponseWriter, q *http.Request) {
	secure(w)
	if own(q) != nil {
		http.Error(w, errForeign.Error(), http.StatusForbidden)
		return
	}
	s.logins.end(loginOf(q))
	http.SetCookie(w, cookie(q, ""))
	http.Redirect(w, q, "/login", http.StatusSeeOther)
}
