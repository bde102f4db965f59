package page

import (
	"errors"
	"net/http"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
)

// cookieName is that of the cookie with the ID of a login. Over HTTPS it has the prefix that binds a cookie to its host.
const cookieName = "sandtrapd"

func isHTTPS(q *http.Request) bool {
	return q.TLS != nil || q.Header.Get("X-Forwarded-Proto") == "https" // who forges that has only a cookie that is not sent over HTTP
}

// cookie is the one of a login. An empty ID removes it.
func cookie(q *http.Request, id string) *http.Cookie {
	c := &http.Cookie{Name: cookieName, Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: int(loginTime.Seconds())}
	if isHTTPS(q) {
		c.Name, c.Secure = "__Host-"+cookieName, true
	}
	if id == "" {
		c.MaxAge = -1
	}
	return c
}

// loginOf is the ID of the login that a request has, empty for none.
func loginOf(q *http.Request) string {
	c, err := q.Cookie(cookie(q, "").Name)
	if err != nil {
		return ""
	}
	return c.Value
}

// key is that of the login of a request, if the login goes on and the server still has its key.
func (s *site) key(q *http.Request) (token string, key keys.Key, ok bool) {
	if token, ok = s.logins.token(loginOf(q)); !ok {
		return "", key, false
	}
	held, ok := s.keys.Find(token)
	if !ok {
		return "", key, false
	}
	return token, held.Key, true
}

// errForeign is about a request that a page of another server makes with the cookie of this one.
var errForeign = errors.New("a page of another origin cannot use the login of this one")

// own checks that a request comes from a page of this server, or from the user himself. Browsers send the cookie to all ports of a
// host, for pages of all of them: SameSite is not enough.
func own(q *http.Request) error {
	switch q.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return errForeign
	}
	if err := new(http.CrossOriginProtection).Check(q); err != nil { // by Origin, for browsers that do not send the other header
		return errForeign
	}
	return nil
}

// serveAPI gives the token of a login to a request to the API that has no token of its own.
func (s *site) serveAPI(w http.ResponseWriter, q *http.Request) {
	if strings.HasPrefix(q.URL.Path, "/v1/") && len(q.Header.Values("Authorization")) == 0 {
		if token, _, ok := s.key(q); ok {
			w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
			if err := own(q); err != nil {
				problem.New(problem.Forbidden, err.Error()).Write(w)
				return
			}
			q = q.Clone(q.Context())
			q.Header.Set("Authorization", "Bearer "+token)
		}
	}
	s.api.ServeHTTP(w, q)
}
