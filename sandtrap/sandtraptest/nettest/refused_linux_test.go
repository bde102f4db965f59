package nettest

import (
	"net"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

func listens(addr string) bool {
	c, err := net.Dial("tcp", addr)
	if err == nil {
		c.Close()
	}
	return err == nil
}

// asks makes requests by its arguments, each a method and a URL, and prints what becomes of them.
const asks = `
for _, request := range os.Args[1:] {
	method, to, _ := strings.Cut(request, " ")
	req, err := http.NewRequest(method, to, nil)
	if err != nil {
		fmt.Println(err)
		continue
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		continue
	}
	text, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	fmt.Println(resp.StatusCode, string(text), err)
}`

// refused are requests that rules for GET https://api.example/v1/* do not allow.
var refused = []string{
	"GET https://other.example/v1/x", "GET https://www.google.com/", "POST https://api.example/v1/x", "GET https://api.example/v2", "GET http://api.example/v1/x",
	"GET https://api.example:8443/v1/x", "GET https://93.184.216.34/v1/x", "GET http://93.184.216.34/", "GET http://127.0.0.1/", "GET http://localhost/", "GET http://10.0.0.1/",
	"GET http://169.254.169.254/latest/meta-data", "GET http://[::1]/", "GET http://[2606:4700::1111]/", "CONNECT https://api.example/v1/x", "GET https://api.example/v1/../x",
}

// TestRefusedSendsNoPacket: for requests of scripts that the gate refuses no packet leaves, to a server, a resolver or the loopback;
// an allowed one arrives.
func TestRefusedSendsNoPacket(t *testing.T) {
	w := inNamespace(t)
	if w == nil {
		return
	}
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		run := func(names map[string]string, requests ...string) (text string, sent int) {
			t.Helper()
			g := w.gate(t, names, "GET https://api.example/v1/*")
			box := mustBox(t, p, g)
			before := w.packets(t)
			res, err := box.Run(t.Context(), sandtrap.Script{Text: asks, Args: append([]string{"x"}, requests...)})
			if err != nil {
				t.Fatal(err)
			}
			g.Close() // what is kept would send its end later
			return res.Stdout, w.packets(t) - before
		}
		if text, sent := run(nil, refused...); sent != 0 || strings.Count(text, "is not allowed") != len(refused) {
			t.Errorf("%d packets: %s", sent, text)
		}
		if text, sent := run(map[string]string{"api.example": "10.1.2.3"}, "GET https://api.example/v1/x"); sent != 0 || !strings.Contains(text, "which is private") {
			t.Errorf("%d packets: %s", sent, text)
		}
		if text, sent := run(map[string]string{"api.example": thereAddr}, "GET https://api.example/v1/x"); sent < 5 || text != "200 hello /v1/x <nil>\n" {
			t.Errorf("%d packets: %s", sent, text)
		}
	})
	if n := len(isolations(t)); n != 3 {
		t.Skip("without isolation kernel")
	}
}
