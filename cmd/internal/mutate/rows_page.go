package mutate

// pageRows are defences of the pages of the service.
func pageRows() []Mutation {
	const pkg, dir = "./cmd/sandtrapd/internal/page", "cmd/sandtrapd/internal/page/"
	return []Mutation{
		{
			ID: "page/foreign-request", Defence: "a page of another server uses no login of this one",
			File: dir + "auth.go", Old: "if err := own(q); err != nil {", New: "if err := own(q); false {",
			Package: pkg, Test: "TestForeign",
		},
		{
			ID: "page/foreign-login", Defence: "nor does it log in",
			File: dir + "site.go", Old: "	if own(q) != nil {\n		v.Message", New: "	if q == nil {\n		v.Message",
			Package: pkg, Test: "TestForeign",
		},
		{
			ID: "page/foreign-logout", Defence: "nor out",
			File: dir + "site.go", Old: "	if own(q) != nil {\n		http.Error", New: "	if q == nil {\n		http.Error",
			Package: pkg, Test: "TestForeign",
		},
		{
			ID: "page/same-site", Defence: "a page on another port of this host is of another server",
			File: dir + "auth.go", Old: `case "", "same-origin", "none":`, New: `case "", "same-origin", "none", "same-site":`,
			Package: pkg, Test: "TestForeign",
		},
		{
			ID: "page/origin", Defence: "a browser that names the origin alone is asked for it",
			File: dir + "auth.go", Old: "err := new(http.CrossOriginProtection).Check(q); err != nil", New: "err := new(http.CrossOriginProtection).Check(q); false && err != nil",
			Package: pkg, Test: "TestForeign",
		},
		{
			ID: "page/cookie-script", Defence: "no script reads the cookie",
			File: dir + "auth.go", Old: "HttpOnly: true, ", New: "",
			Package: pkg, Test: "TestCookie",
		},
		{
			ID: "page/cookie-site", Defence: "no page of another site has the cookie sent",
			File: dir + "auth.go", Old: "SameSite: http.SameSiteStrictMode", New: "SameSite: http.SameSiteNoneMode",
			Package: pkg, Test: "TestCookie",
		},
		{
			ID: "page/cookie-https", Defence: "over HTTPS the cookie goes nowhere else, and no other host sets it",
			File: dir + "auth.go", Old: `c.Name, c.Secure = "__Host-"+cookieName, true`, New: "c.Secure = false",
			Package: pkg, Test: "TestCookie",
		},
		{
			ID: "page/logout", Defence: "a login is over after its logout",
			File: dir + "site.go", Old: "	s.logins.end(loginOf(q))\n	http.SetCookie(w, cookie(q, \"\"))", New: "	http.SetCookie(w, cookie(q, \"\"))",
			Package: pkg, Test: "TestCookie",
		},
		{
			ID: "page/login-again", Defence: "who logs in again has one login",
			File: dir + "site.go", Old: "	s.logins.end(loginOf(q))\n	id, err", New: "	id, err",
			Package: pkg, Test: "TestCookie",
		},
		{
			ID: "page/login-time", Defence: "a login ends by itself",
			File: dir + "login.go", Old: "!ok || time.Since(one.began) >= loginTime", New: "!ok",
			Package: pkg, Test: "TestLoginEnds",
		},
		{
			ID: "page/logins", Defence: "a key has so many logins",
			File: dir + "login.go", Old: "if count >= maxLogins {", New: "if count < 0 {",
			Package: pkg, Test: "TestLogins",
		},
		{
			ID: "page/logins-of-another", Defence: "and ends none of another key",
			File: dir + "login.go", Old: "case other.owner == owner:", New: "case other.owner != digest{}:",
			Package: pkg, Test: "TestLogins",
		},
		{
			ID: "page/key-gone", Defence: "a login ends with its key",
			File: dir + "auth.go", Old: "	held, ok := s.keys.Find(token)\n	if !ok {\n		return \"\", key, false", New: "	held, ok := s.keys.Find(token)\n	if !ok {\n		return token, key, true",
			Package: pkg, Test: "TestLoginEnds",
		},
		{
			ID: "page/own-token", Defence: "a request with a token of its own is not one of the login",
			File: dir + "auth.go", Old: ` && len(q.Header.Values("Authorization")) == 0`, New: "",
			Package: pkg, Test: "TestCookie",
		},
		{
			ID: "page/api-alone", Defence: "the cookie is for the API alone",
			File: dir + "auth.go", Old: `strings.HasPrefix(q.URL.Path, "/v1/")`, New: `strings.HasPrefix(q.URL.Path, "/")`,
			Package: pkg, Test: "TestLoginEnds",
		},
		{
			ID: "page/needs-login", Defence: "a page needs a login",
			File: dir + "site.go", Old: "	if !ok {\n		secure(w)", New: "	if ok && key.Tenant == \"\" {\n		secure(w)",
			Package: pkg, Test: "TestPages",
		},
		{
			ID: "page/role", Defence: "a page is for those of its role",
			File: dir + "site.go", Old: "if !key.Role.May(p.role) {", New: "if p.role == \"\" {",
			Package: pkg, Test: "TestPages",
		},
		{
			ID: "page/next", Defence: "a login leads to no other server",
			File: dir + "site.go", Old: ` || strings.HasPrefix(text, "//") || strings.ContainsAny(text, "\\\t\r\n")`, New: "",
			Package: pkg, Test: "TestNext",
		},
		{
			ID: "page/form", Defence: "the body of a login is bounded",
			File: dir + "site.go", Old: "	q.Body = http.MaxBytesReader(w, q.Body, maxForm)\n", New: "",
			Package: pkg, Test: "TestWrongKey",
		},
		{
			ID: "page/scripts", Defence: "a page runs no script but those of the server",
			File: dir + "site.go", Old: "script-src 'self'", New: "script-src 'self' 'unsafe-inline'",
			Package: pkg, Test: "TestPages",
		},
		{
			ID: "page/trusted-types", Defence: "no text becomes HTML by a script of a page",
			File: dir + "site.go", Old: "; require-trusted-types-for 'script'", New: "",
			Package: pkg, Test: "TestPages",
		},
		{
			ID: "page/frames", Defence: "no page is in a frame of another server",
			File: dir + "site.go", Old: "; frame-ancestors 'none'", New: "; frame-ancestors *",
			Package: pkg, Test: "TestPages",
		},
		{
			ID: "page/escaped", Defence: "what an address has in it is text in the page",
			File: dir + "site.go", Old: `"html/template"`, New: `"text/template"`,
			Package: pkg, Test: "TestEscaped",
		},
		{
			ID: "page/not-cached", Defence: "no cache keeps a page of a tenant",
			File: dir + "site.go", Old: `h.Set("Cache-Control", "no-store")`, New: `h.Del("Cache-Control")`,
			Package: pkg, Test: "TestPages",
		},
		{
			ID: "page/embedded", Defence: "no page of another server has an answer to the login embedded",
			File: dir + "auth.go", Old: `w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")`, New: `w.Header().Del("Cross-Origin-Resource-Policy")`,
			Package: pkg, Test: "TestCookie",
		},
		{
			ID: "page/hidden-characters", Defence: "characters that turn the direction of writing can be seen",
			File: dir + "assets/dom.js", Old: `.replace(hidden, (c) => {`, New: `.replace(/\u0000/g, (c) => {`,
			Package: pkg, Test: "TestHostile",
		},
		{
			ID: "page/addresses", Defence: "no script of a page makes an element with an address that is not one of this server",
			File: dir + "assets/dom.js", Old: `addresses.has(name) && !`, New: `false && !`,
			Package: pkg, Test: "TestAddresses",
		},
	}
}
