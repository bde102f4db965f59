package egress

import "net/http"

// framing are the headers that say where a request ends, for which host it is, and what becomes of its connection: they are net/http's,
// and the gate's, to write. A server that reads one of the script's could see another request than the gate has decided about.
var framing = []string{
	"Host", "Content-Length", "Transfer-Encoding", "Trailer", "Te", "Connection", "Keep-Alive", "Proxy-Authenticate",
	"Proxy-Authorization", "Proxy-Connection",
}

// canonicalHeader is a copy of h with canonical names. Package net/http sends other spellings as they are, beside its own.
func canonicalHeader(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for name, values := range h {
		name = http.CanonicalHeaderKey(name)
		out[name] = append(out[name], values...)
	}
	return out
}

// headerSize is the number of bytes of a header.
func headerSize(h http.Header) (n int64) {
	for name, values := range h {
		for _, v := range values {
			n += int64(len(name) + len(v) + len(": \r\n"))
		}
	}
	return n
}

// fieldCost is what a field counts for the limit of a header beside its text, as in HTTP/2: a map takes memory for each.
const fieldCost = 32

// headerFields is the number of fields of a header, with those that have no value.
func headerFields(h http.Header) (n int64) {
	for _, values := range h {
		n += int64(max(1, len(values)))
	}
	return n
}
