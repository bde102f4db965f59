package record_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

const password = "hunter2+/ü\"x"

func text(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// named are arguments with a secret that is known by where it stands.
func named(t *testing.T) map[string]string {
	p := text(t, password)
	inQuery, inUser := url.QueryEscape(password), url.UserPassword("ann", password).String()
	return map[string]string{
		"key":            `{"password":` + p + `}`,
		"upper case":     `{"PASSWORD":` + p + `}`,
		"camel case":     `{"userAccessToken":` + p + `}`,
		"separators":     `{"x-api_key":` + p + `}`,
		"escaped key":    `{"pass\u0077ord":` + p + `}`,
		"nested":         `{"a":{"b":[{"c":{"client_secret":` + p + `}}]}}`,
		"array":          `{"passwords":["x",` + p + `]}`,
		"object":         `{"credentials":{"a":{"b":` + p + `}}}`,
		"header":         `{"headers":{"Authorization":["Bearer ` + url.PathEscape(password) + `"]}}`,
		"pair":           `{"headers":[["Cookie",` + p + `]]}`,
		"flag":           `{"args":["--db-password",` + p + `,"x"]}`,
		"flag with =":    `{"args":["--db-password=` + inQuery + `"]}`,
		"command line":   `{"cmd":"mysql --password ` + inQuery + ` db"}`,
		"URL user":       `{"url":"https://` + inUser + `@h.example/p"}`,
		"URL query":      `{"url":"https://h.example/p?a=1&access_token=` + inQuery + `&b=2"}`,
		"JSON text":      text(t, map[string]string{"body": `{"a":{"password":` + p + `}}`}),
		"JSON text text": text(t, map[string]string{"body": `{"a":` + text(t, `[{"password":`+p+`}]`) + `}`}),
		"JSON text list": text(t, map[string]string{"body": `{"passwords":["x",` + p + `]}`}),
		"header text":    text(t, map[string]string{"request": "GET /\r\nCookie: a=b; c=" + password + "\r\nHost: h"}),
		"bearer text":    text(t, map[string]string{"note": "use Bearer " + inQuery + " here"}),
		"bad JSON":       `{"password":` + p,
	}
}

// registered are arguments with a secret that is known by its value.
func registered(t *testing.T) map[string]string {
	list := map[string]string{
		"value":         password,
		"within":        "a" + password + "b",
		"twice":         password + password,
		"percent":       url.QueryEscape(password),
		"path":          url.PathEscape(password),
		"percent twice": "https://h/?next=" + url.QueryEscape("https://i/?x="+url.QueryEscape(password)),
		"all percent":   allPercent(password),
		"hex":           hex.EncodeToString([]byte(password)),
		"upper hex":     strings.ToUpper(hex.EncodeToString([]byte("ab" + password + "c"))),
		"JSON text":     `{"x":` + text(t, password) + `}`,
	}
	for name, e := range map[string]*base64.Encoding{"std": base64.StdEncoding, "url": base64.URLEncoding, "raw": base64.RawStdEncoding, "raw url": base64.RawURLEncoding} {
		for _, before := range []string{"", "a", "ab", "ann:"} {
			for _, after := range []string{"", "x", "xy"} {
				list["base64 "+name+" "+before+"-"+after] = e.EncodeToString([]byte(before + password + after))
			}
		}
	}
	out := map[string]string{"key": `{` + text(t, password) + `:1}`}
	for name, s := range list {
		out[name] = `{"a":[{"b":` + text(t, s) + `}]}`
	}
	return out
}

func allPercent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString("%" + hex.EncodeToString([]byte{s[i]}))
	}
	return b.String()
}

// leaks finds the secret in out: as it is, or as a reader of JSON, URLs, base64 or hex would find it. Parts of it count.
func leaks(t *testing.T, out string) bool {
	for range 6 {
		for i := 0; i+5 <= len(password); i++ {
			part := password[i : i+5]
			if strings.Contains(out, part) || strings.Contains(strings.ToLower(out), hex.EncodeToString([]byte(part))) {
				return true
			}
		}
		for i := range len(out) {
			for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				plain := make([]byte, 64)
				n, _ := e.Decode(plain, []byte(out[i:min(len(out), i+80)]))
				if strings.Contains(string(plain[:n]), password[:5]) {
					return true
				}
			}
		}
		if decoded, err := url.QueryUnescape(strings.ReplaceAll(out, "%!", "")); err == nil {
			out = decoded
		}
		out = strings.ReplaceAll(out, `\"`, `"`)
		out = strings.ReplaceAll(out, `\\`, `\`)
	}
	return false
}

// sinks writes e to each kind of sink, with r if there is one, and gives what came out.
func sinks(t *testing.T, r *record.Redactor, e record.Event) map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r")
	l := open(t, path, record.Options{Redact: r})
	var logged, called bytes.Buffer
	others := record.Tee(record.Slog(slog.New(slog.NewJSONHandler(&logged, nil))),
		record.Func(func(e record.Event) error {
			out, err := json.Marshal(e)
			called.Write(out)
			return err
		}))
	if r != nil {
		others = r.Sink(others)
	}
	if err := errors.Join(record.Tee(l, others).Write(e), l.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := record.VerifyFiles(path, nil); err != nil {
		t.Error(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"file": string(file), "slog": logged.String(), "callback": called.String()}
}

func noLeak(t *testing.T, r *record.Redactor, e record.Event) {
	t.Helper()
	before := bytes.Clone(e.Args)
	for sink, out := range sinks(t, r, e) {
		if leaks(t, out) {
			t.Errorf("%s has the secret: %s", sink, out)
		}
		if !strings.Contains(out, "[redacted]") {
			t.Errorf("%s does not say that something is redacted: %s", sink, out)
		}
	}
	if !bytes.Equal(before, e.Args) {
		t.Error("the arguments were changed")
	}
}

// TestNamedSecrets: no sink has a secret that stands under the name of one, without any Redactor.
func TestNamedSecrets(t *testing.T) {
	for name, args := range named(t) {
		t.Run(name, func(t *testing.T) {
			if !leaks(t, args) {
				t.Fatal("the test does not find the secret: ", args)
			}
			noLeak(t, nil, record.Event{Kind: record.KindDecision, Args: json.RawMessage(args)})
		})
	}
}

// TestNamedSecretsInTexts: the same of reasons and errors.
func TestNamedSecretsInTexts(t *testing.T) {
	for name, s := range map[string]string{
		"query":     `Get "https://h.example/?token=` + url.QueryEscape(password) + `": no such host`,
		"user":      "clone https://ann:" + url.PathEscape(password) + "@h.example/x failed",
		"header":    "sent Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("ann:"+password)),
		"scheme":    "sent Basic " + base64.StdEncoding.EncodeToString([]byte(password)),
		"pair":      "bad DSN host=h password=" + url.QueryEscape(password) + " user=x",
		"spaces":    "client_secret = " + url.QueryEscape(password),
		"quoted":    `config{Password:"` + strings.ReplaceAll(password, `"`, `\"`) + `", User:"x"}`,
		"JSON":      `bad body {"apiKey": "` + strings.ReplaceAll(password, `"`, `\"`) + `"} (EOF)`,
		"JSON list": `bad [body] {"apiKeys": ["` + strings.ReplaceAll(password, `"`, `\"`) + `"]} (EOF)`,
		"JSON, go":  `bad body "{\"apiKey\": \"` + url.QueryEscape(password) + `\"}" (EOF)`,
	} {
		t.Run(name, func(t *testing.T) {
			if !leaks(t, s) {
				t.Fatal("the test does not find the secret: ", s)
			}
			noLeak(t, nil, record.Event{Kind: record.KindEnd, Error: s})
			noLeak(t, nil, record.Event{Kind: record.KindEnd, Reason: s})
		})
	}
}

// TestRegisteredSecrets: no sink has a registered value, however it is encoded.
func TestRegisteredSecrets(t *testing.T) {
	r := new(record.Redactor)
	if err := r.AddValues("another", password); err != nil {
		t.Fatal(err)
	}
	for name, args := range registered(t) {
		t.Run(name, func(t *testing.T) {
			if !leaks(t, args) {
				t.Fatal("the test does not find the secret: ", args)
			}
			noLeak(t, r, record.Event{Kind: record.KindDecision, Args: json.RawMessage(args)})
			noLeak(t, r, record.Event{Kind: record.KindDecision, Error: args})
		})
	}
	noLeak(t, r, record.Event{Kind: record.KindDecision, Member: "f " + password, Reason: "x", At: password, By: password, Rule: password})
}

// TestNumbers: a secret may be a number.
func TestNumbers(t *testing.T) {
	r := new(record.Redactor)
	if err := r.AddValues("8675309"); err != nil {
		t.Fatal(err)
	}
	e := r.Event(record.Event{Args: json.RawMessage(` { "a" : [ 18675309, 1.5 ], "pin_token": 12, "secret": null } `)})
	if want := `{"a":["1[redacted]",1.5],"pin_token":"[redacted]","secret":null}`; string(e.Args) != want {
		t.Errorf("%s", e.Args)
	}
}

// TestKept: what is not a secret is kept.
func TestKept(t *testing.T) {
	args := `{"url":"https://h.example/a@b?q=1","t":"12:30","n":{"x":"a=b c: d"},"html":"<a>&","body":"{ \"a\": [1, 2]\n}","x":"{\"token\":null}","keys":[1,-2.5e3,true,null,""]}`
	r := new(record.Redactor)
	if err := r.AddValues("another"); err != nil {
		t.Fatal(err)
	}
	e := record.Event{Args: json.RawMessage(args), Reason: "a: b", At: "token.go:12", Member: "auth.Token"}
	got := r.Event(e)
	if string(got.Args) != args || got.Reason != e.Reason || got.At != e.At || got.Member != e.Member {
		t.Errorf("%s\n%+v", got.Args, got)
	}
}

// TestAddKeys: a key of the host's is one, too.
func TestAddKeys(t *testing.T) {
	r := new(record.Redactor)
	if err := r.AddKeys("Internal-ID"); err != nil {
		t.Fatal(err)
	}
	e := r.Event(record.Event{Args: json.RawMessage(`{"the_internal_id":5,"token":6,"id":7}`)})
	if want := `{"the_internal_id":"[redacted]","token":"[redacted]","id":7}`; string(e.Args) != want {
		t.Errorf("%s", e.Args)
	}
	if err := r.AddValues("abc"); err == nil {
		t.Error("a value of three bytes is taken")
	}
	if err := r.AddKeys("--"); err == nil {
		t.Error("a key that matches all is taken")
	}
}

// TestDeep: arguments that are nested deeper than encoding/json reads in a line stay a line.
func TestDeep(t *testing.T) {
	for name, args := range map[string]string{
		"lists": strings.Repeat("[", 9999) + strings.Repeat("]", 9999),
		"texts": strings.Repeat(`[`, 300) + `"x"` + strings.Repeat(`]`, 300),
		"long":  `"` + strings.Repeat("x", 1<<20) + `"`,
		"bytes": "\"\xff\"",
	} {
		t.Run(name, func(t *testing.T) {
			sinks(t, nil, record.Event{Kind: record.KindDecision, Args: json.RawMessage(args), Reason: strings.Repeat("\x00", 1<<20), Error: "\xff"})
		})
	}
}

// TestLaborious: no arguments take much longer than others of their length.
func TestLaborious(t *testing.T) {
	r := new(record.Redactor)
	if err := r.AddValues("correct horse", "battery staple"); err != nil {
		t.Fatal(err)
	}
	nested := "x"
	for range 12 {
		nested = strings.Repeat("[", 200) + text(t, nested) + "x"
	}
	for name, s := range map[string]string{
		"nested":      nested,
		"open lists":  strings.Repeat("[", 200_000),
		"open texts":  strings.Repeat(`["`, 100_000),
		"lists":       "[" + strings.Repeat("[],", 60_000),
		"colons":      strings.Repeat("token:", 30_000),
		"equal signs": strings.Repeat("=", 200_000),
		"URLs":        strings.Repeat("a://", 50_000),
		"flags":       strings.Repeat("--token ", 25_000),
		"spaces":      "token" + strings.Repeat(" ", 200_000),
		"percent":     strings.Repeat("%25", 60_000),
		"encodings":   strings.Repeat(`%+\`, 60_000),
		"quotes":      strings.Repeat(`token="`, 30_000),
	} {
		begun := time.Now()
		r.Event(record.Event{Args: json.RawMessage(text(t, s)), Error: s})
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("%s: %v for %d bytes", name, took, len(s))
		} else {
			t.Logf("%s: %v for %d bytes", name, took, len(s))
		}
	}
}
