package mutate

// proxyRows are the defences of tunnels, and of the proxy for child programs.
func proxyRows() []Mutation {
	gate := func(id, defence, file, was, now, test string) Mutation {
		return Mutation{ID: "tunnel/" + id, Defence: defence, File: "sandtrap/egress/" + file, Old: was, New: now, Package: "./sandtrap/egress", Test: test}
	}
	row := func(id, defence, file, was, now, test string) Mutation {
		return Mutation{ID: "proxy/" + id, Defence: defence, File: "sandtrap/egress/proxy/" + file, Old: was, New: now, Package: "./sandtrap/egress/proxy", Test: test}
	}
	return []Mutation{
		gate("rule", "a tunnel needs a rule with CONNECT", "compile.go",
			`if r.tunnel && slices.Contains(r.ports, a.Port) {`, `if slices.Contains(r.ports, a.Port) {`, "TestConnectRefused"),
		gate("port", "a rule with CONNECT is for its ports alone", "compile.go",
			`if r.tunnel && slices.Contains(r.ports, a.Port) {`, `if r.tunnel {`, "TestConnectRefused"),
		gate("public", "mode public allows tunnels to port 443 alone", "compile.go",
			`if s.public != nil && a.Port == schemes["https"] {`, `if s.public != nil {`, "TestConnectRefused"),
		gate("path", "a rule with CONNECT has no path", "compile.go",
			`	if r.tunnel && (r.scheme != "https" || from.path() != anyPath) {`, `	if r.tunnel && r.scheme == "" {`, "TestCompileErrors"),
		gate("requests", "a rule with CONNECT allows no request", "compile.go",
			`	r.methods = slices.DeleteFunc(r.methods, func(m string) bool { return m == http.MethodConnect })
`, `	r.methods = append(slices.DeleteFunc(r.methods, func(m string) bool { return m == http.MethodConnect }), "GET")
`, "TestConnectForScripts"),
		gate("ask", "the host is asked about tunnels", "tunnel.go",
			`	denied := x.ask()
`, `	var denied *decide.Denied
`, "TestConnectAsks"),
		gate("target", "the target of a tunnel has a port", "tunnel.go",
			`	if a.Port == 0 {`, `	if false {`, "TestConnectRefused"),
		gate("count", "a tunnel counts as a request", "tunnel.go",
			`r.meters.begin(g.options.Clock(), 0); err != nil {`, `r.meters.begin(g.options.Clock(), 0); err == context.Canceled {`, "TestConnectLimits"),
		gate("sent", "bytes that a tunnel sends are bounded", "tunnel.go",
			`	if over := t.x.run.meters.send(int64(len(p))); over != nil {`, `	if over := t.x.run.meters.send(int64(len(p))); over == io.EOF {`, "TestConnectLimits"),
		gate("received", "bytes that a tunnel receives are bounded", "tunnel.go",
			`receive(int64(n)); over != nil {`, `receive(int64(n)); over == io.EOF {`, "TestConnectLimits"),
		gate("secret", "no secret is for tunnels", "secret.go",
			`	case slices.Contains(from.Methods, http.MethodConnect):`, `	case false:`, "TestSecretErrors"),

		row("token", "a request needs the token of a grant", "grant.go",
			`		if subtle.ConstantTimeCompare(sum[:], g.sum[:]) == 1 {`, `		if subtle.ConstantTimeCompare(sum[:], g.sum[:]) >= 0 {`, "TestToken"),
		row("one-token", "a request shows one token", "grant.go",
			`	if len(values) != 1 {`, `	if len(values) == 0 {`, "TestToken"),
		row("revoked", "the token of a grant that is closed stands for nothing", "grant.go",
			`func(o *Grant) bool { return o == g }`, `func(o *Grant) bool { return false }`, "TestGrants"),
		row("expiry", "a grant ends by itself", "grant.go",
			`	g.expiry = time.AfterFunc(ttl, `, `	g.expiry = time.AfterFunc(time.Hour, `, "TestExpired"),
		row("process", "a grant for one process serves no other", "grant.go",
			`only != 0 && only != int64(pid) {`, `only < 0 {`, "TestOnly"),
		row("user", "processes of other users are not served", "server.go",
			`peer.UID != s.uid && peer.UID != 0 {`, `peer.UID < 0 {`, "TestOtherUser"),
		row("mode", "the file of the socket is for its user alone", "server.go",
			`os.Chmod(path, 0o600)`, `os.Chmod(path, 0o666)`, "TestSocket"),
		row("at-once", "connections are bounded", "server.go",
			`slots: make(chan struct{}, o.AtOnce)`, `slots: make(chan struct{}, o.AtOnce+1)`, "TestAtOnce"),
		row("lines", "the lines of a header are bounded", "head.go",
			`		case lines > maxLines+1 || lines == maxLines+1 && len(line) > len("\r\n"):`, `		case false:`, "TestMalformed"),
		row("bytes", "the bytes of a header are bounded", "head.go",
			`		case len(head)+len(line) > maxHead:`, `		case false:`, "TestMalformed"),
		row("controls", "a header has no control characters", "head.go",
			`		if !ended || bytes.ContainsFunc(`, `		if !ended && bytes.ContainsFunc(`, "TestMalformed"),
		row("names", "the lines of a header have names", "head.go",
			`!httpguts.ValidHeaderFieldName(string(name))`, `httpguts.ValidHeaderFieldName(string(name[:0]))`, "TestMalformed"),
		row("body", "a CONNECT has no body", "client.go",
			`	if req.ContentLength != 0 || len(req.TransferEncoding) > 0 {`, `	if false {`, "TestMalformed"),
		row("https", "a plain request is not made by https", "forward.go",
			`	case a.Scheme != "http":`, `	case a.Scheme == "ftp":`, "TestMalformed"),
		row("hop", "headers of the connection to the proxy are not sent on", "forward.go",
			`	dropHopByHop(req.Header)
`, ``, "TestForward"),
		row("head", "the time for a header is bounded", "client.go",
			`	k.conn.SetDeadline(time.Now().Add(k.server.options.Head))
	req`, `	req`, "TestSlowHeader"),
		row("idle", "a tunnel without a byte ends", "client.go",
			`	k.idle = time.AfterFunc(k.server.options.Idle, `, `	k.idle = time.AfterFunc(time.Hour, `, "TestIdle"),
	}
}
