package nettest

import (
	"bytes"
	"log"
	"os"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestSilent: cookies from which Go drops something write no line to the log of the host, as package net/http does.
func TestSilent(t *testing.T) {
	var lines bytes.Buffer
	log.SetOutput(&lines)
	defer log.SetOutput(os.Stderr)
	s := newServer(t)
	box := mustBox(t, rig.Pure(), s.gate(t))
	res, err := box.Run(t.Context(), sandtrap.Script{Args: []string{"x", s.URL}, Text: `
type jar struct{}

func (jar) SetCookies(*url.URL, []*http.Cookie) {}
func (jar) Cookies(*url.URL) []*http.Cookie { return []*http.Cookie{{Name: "j", Value: "a;b"}} }

func main() {
	c := &http.Cookie{Name: "a", Value: "x;y", Path: "/;", Domain: "a b"}
	fmt.Println(c.String())
	req, _ := http.NewRequest("GET", os.Args[1]+"/cookies", nil)
	req.AddCookie(c)
	resp, err := (&http.Client{Jar: jar{}}).Do(req)
	if err != nil {
		panic(err)
	}
	io.Copy(os.Stdout, resp.Body)
}`})
	if err != nil {
		t.Fatal(err)
	}
	if lines.Len() > 0 || res.Stdout != "a=xy; Path=/\n[a=xy j=ab] [a=xy; j=ab]\n" {
		t.Errorf("the log has %q; %q", lines.String(), res.Stdout)
	}
}
