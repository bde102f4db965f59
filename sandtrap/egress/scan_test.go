package egress_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// theSecret has signs that each encoding writes in its own way.
const theSecret = "ghp_S3cr+t/Val=ue<&>?x"

// perByte is a text with each byte in a format.
func perByte(format, text string) string {
	var b strings.Builder
	for i := range len(text) {
		fmt.Fprintf(&b, format, text[i])
	}
	return b.String()
}

// marshaled is a text in JSON without its quotation marks.
func marshaled(text string) string {
	data, _ := json.Marshal(text)
	return string(data[1 : len(data)-1])
}

// encodings are forms in which servers echo what they were sent. Those of base64 may leave signs beside the secret.
var encodings = map[string]func(string) string{
	"plain":               func(s string) string { return s },
	"hex":                 func(s string) string { return hex.EncodeToString([]byte(s)) },
	"HEX":                 func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
	"query":               url.QueryEscape,
	"path":                url.PathEscape,
	"percent":             func(s string) string { return perByte("%%%02x", s) },
	"PERCENT":             func(s string) string { return perByte("%%%02X", s) },
	"percent twice":       func(s string) string { return url.QueryEscape(perByte("%%%02X", s)) },
	"JSON":                marshaled,
	"JSON in JSON":        func(s string) string { return marshaled(marshaled(s)) },
	"JSON with slashes":   func(s string) string { return strings.ReplaceAll(marshaled(s), "/", `\/`) },
	"JSON of each byte":   func(s string) string { return perByte(`\u%04x`, s) },
	"Go":                  func(s string) string { return strings.Trim(strconv.Quote(s), `"`) },
	"C":                   func(s string) string { return perByte(`\x%02x`, s) },
	"hex behind percents": func(s string) string { return perByte("%%%02x", hex.EncodeToString([]byte(s))) },
	"base64":              func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64 +1":           func(s string) string { return base64.StdEncoding.EncodeToString([]byte("u" + s + "v")) },
	"base64 +2":           func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte("u:" + s + "vw")) },
	"base64 url":          func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) },
	"base64 url +1":       func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("u" + s)) },
	"base64 url +2":       func(s string) string { return base64.URLEncoding.EncodeToString([]byte("u:" + s)) },
	"base64 in lines":     func(s string) string { return lines(base64.StdEncoding.EncodeToString([]byte("user:" + s))) },
	"base64 in a query":   func(s string) string { return url.QueryEscape(base64.StdEncoding.EncodeToString([]byte("user:" + s))) },
	"Basic":               func(s string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+s)) },
}

// lines breaks a text every 10 bytes.
func lines(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if i > 0 && i%10 == 0 {
			b.WriteString("\r\n")
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// TestScan: each form of a secret is replaced, wherever a body is cut into pieces, and nothing else is.
func TestScan(t *testing.T) {
	for name, encode := range encodings {
		text := "ghp_S3 before " + encode(theSecret) + " after ghp_" + encode(theSecret) + "%67%"
		for cut := range len(text) + 1 {
			out, err := io.ReadAll(egress.Scanned(io.MultiReader(strings.NewReader(text[:cut]), strings.NewReader(text[cut:])), theSecret))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(out); strings.HasPrefix(name, "base64") || name == "Basic" {
				left := strings.NewReplacer("ghp_S3 before ", "", "Basic ", "", "[redacted]", "", " after ghp_", "", "%67%", "").Replace(got)
				if strings.Count(got, "[redacted]") != 2 || len(left) > 2*16 || !strings.HasPrefix(got, "ghp_S3 before ") {
					t.Fatalf("%s, cut at %d: %q", name, cut, got)
				}
			} else if got != "ghp_S3 before [redacted] after ghp_[redacted]%67%" {
				t.Fatalf("%s, cut at %d: %q", name, cut, got)
			}
		}
		out, err := io.ReadAll(egress.Scanned(iotest.OneByteReader(strings.NewReader(text)), theSecret))
		if err != nil || strings.Count(string(out), "[redacted]") != 2 {
			t.Errorf("%s: %q, %v", name, out, err)
		}
	}
}

// TestScanChangesNothing: what has no secret is as it was, with all signs that begin one, and is not held back.
func TestScanChangesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	parts := []string{"ghp_", "%67", "%", "%2", "\\", "\\u", "\\u006", "67", "6", "Z2hw", "\x00", "\xff", "\r\n", theSecret[:10], hex.EncodeToString([]byte(theSecret))[:11]}
	for range 2000 {
		var text strings.Builder
		for range rng.IntN(40) {
			text.WriteString(parts[rng.IntN(len(parts))])
		}
		out, err := io.ReadAll(egress.Scanned(iotest.HalfReader(strings.NewReader(text.String())), theSecret))
		if err != nil || string(out) != text.String() {
			t.Fatalf("%q, %v; want %q", out, err, text.String())
		}
	}
	pr, pw := io.Pipe()
	body := egress.Scanned(pr, theSecret)
	for _, event := range []string{"data: one\n\n", "data: ghost\n\n"} {
		go io.WriteString(pw, event)
		got := make([]byte, len(event))
		if _, err := io.ReadFull(body, got); err != nil || string(got) != event {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// TestScanErrors: an error comes after all that was read before it.
func TestScanErrors(t *testing.T) {
	fails := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("gh")))
	out, err := io.ReadAll(egress.Scanned(fails, theSecret))
	if err != iotest.ErrTimeout || string(out) != "g" {
		t.Errorf("%q, %v", out, err)
	}
}

// FuzzScan: whatever stands around a form of a secret, and however it is cut, it is not in the output.
func FuzzScan(f *testing.F) {
	f.Add("before", "after", uint8(0), uint16(3))
	f.Add("%", "%6", uint8(3), uint16(9))
	f.Add("Z2", "=", uint8(9), uint16(20))
	var forms []string
	for _, name := range slices.Sorted(maps.Keys(encodings)) {
		if !strings.HasPrefix(name, "base64") && name != "Basic" {
			forms = append(forms, encodings[name](theSecret))
		}
	}
	f.Fuzz(func(t *testing.T, before, after string, form uint8, cut uint16) {
		text := before + " " + forms[int(form)%len(forms)] + after
		n := int(cut) % (len(text) + 1)
		out, err := io.ReadAll(egress.Scanned(io.MultiReader(strings.NewReader(text[:n]), strings.NewReader(text[n:])), theSecret))
		if err != nil || bytes.Contains(out, []byte(theSecret)) || bytes.Contains(bytes.ToLower(out), []byte(hex.EncodeToString([]byte(theSecret)))) || !bytes.Contains(out, []byte("[redacted]")) {
			t.Errorf("%q became %q, %v", text, out, err)
		}
		if plain, err := url.PathUnescape(string(out)); err == nil && strings.Contains(plain, theSecret) {
			t.Errorf("%q became %q", text, out)
		}
	})
}
