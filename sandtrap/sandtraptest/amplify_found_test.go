package sandtraptest

import "testing"

// found are amplifiers in what formats, logs, encodes and copies, most of them by a method
// that somebody else calls.
var found = map[string]string{
	"slog, groups in groups":    "a := slog.Int(\"x\", 1)\nfor range 24 { a = slog.Group(\"g\", a, a) }\nslog.New(slog.NewTextHandler(io.Discard, nil)).Info(\"x\", a)",
	"slog, long texts":          "l := slog.New(slog.NewJSONHandler(io.Discard, nil))\ns := strings.Repeat(\"\\x01\", 4<<20)\nfor { l.Info(s, s, s) }",
	"slog, groups compared":     "a := slog.Int(\"x\", 1)\nfor range 40 { a = slog.Group(\"g\", a, a) }\na.Equal(a)",
	"log, long lines":           "l := log.New(io.Discard, strings.Repeat(\"p\", 8<<20), 0)\nfor { l.Print(\"x\\n\") }",
	"number, logged":            "x := new(big.Int).Lsh(big.NewInt(1), 1<<26)\nslog.New(slog.NewTextHandler(io.Discard, nil)).Info(\"x\", \"x\", x)",
	"number, panicked":          "x := new(big.Int).Lsh(big.NewInt(1), 1<<26)\npanic(x)",
	"number, underscores":       "s := \"0\" + strings.Repeat(\"_0\", 8<<20)\nfor { strconv.ParseInt(s, 0, 64) }",
	"number, widths":            "for { fmt.Fprintf(io.Discard, \"%999999d\", big.NewInt(1)) }",
	"float, exponent read":      "for { big.ParseFloat(\"1e500000000\", 10, 1<<20, 0) }",
	"print of buffers":          "var b bytes.Buffer\nb.WriteString(strings.Repeat(\"x\", 8<<20))\nl := make([]*bytes.Buffer, 1<<12)\nfor i := range l { l[i] = &b }\nfor { fmt.Fprint(io.Discard, l) }",
	"print of regexps":          "r := regexp.MustCompile(strings.Repeat(\"a\", 1<<16))\nl := make([]*regexp.Regexp, 1<<12)\nfor i := range l { l[i] = r }\nfor { fmt.Fprint(io.Discard, l) }",
	"print of URLs":             "u := &url.URL{User: url.User(strings.Repeat(\"é\", 1<<16))}\nl := make([]*url.URL, 1<<12)\nfor i := range l { l[i] = u }\nfor { fmt.Fprint(io.Discard, l) }",
	"print of zones":            "z := time.FixedZone(strings.Repeat(\"z\", 1<<20), 1)\nl := make([]time.Time, 1000)\nfor i := range l { l[i] = l[i].In(z) }\nfor { fmt.Fprint(io.Discard, l) }",
	"print of own structs":      "type T struct{ U *url.URL }\nl := make([]T, 1<<12)\nfor i := range l { l[i].U = &url.URL{Path: strings.Repeat(\"é\", 1<<10)} }\nfor { fmt.Fprintf(io.Discard, \"%v\", l) }",
	"println":                   "s := strings.Repeat(\"x\", 1<<20)\nfor { println(s) }",
	"time layout, long zone":    "z := time.FixedZone(strings.Repeat(\"z\", 1<<20), 1)\nfor { time.Time{}.In(z).Format(strings.Repeat(\"MST\", 10000)) }",
	"template, many operands":   "t := template.Must(template.New(\"\").Parse(\"{{eq .A\" + strings.Repeat(\" .B\", 1000) + \"}}\"))\nv := struct{ A, B string }{strings.Repeat(\"a\", 8<<20) + \"x\", strings.Repeat(\"a\", 8<<20) + \"y\"}\nfor { t.Execute(io.Discard, v) }",
	"template, many arguments":  "t := template.Must(template.New(\"\").Parse(\"{{and\" + strings.Repeat(\" 1\", 100000) + \"}}\"))\nfor { t.Execute(io.Discard, 1) }",
	"template, escapes":         "s := strings.Repeat(\"<\\x01é\", 2<<20)\nfor { template.HTMLEscapeString(s); template.JSEscapeString(s); template.URLQueryEscaper(s) }",
	"csv, quotes written":       "w := csv.NewWriter(io.Discard)\ns := strings.Repeat(\"\\\"\", 8<<20)\nfor { w.Write([]string{s}) }",
	"csv, spaces":               "t := strings.Repeat(\" \", 24<<20)\nfor { r := csv.NewReader(strings.NewReader(t)); r.TrimLeadingSpace = true; r.Read() }",
	"csv, quotes read":          "t := strings.Repeat(\"\\\"\", 24<<20)\nfor { csv.NewReader(strings.NewReader(t)).Read() }",
	"json, Number":              "n := json.Number(strings.Repeat(\"1\", 16<<20))\nfor { json.Marshal(n) }",
	"json, Number as float":     "n := json.Number(\"1.\" + strings.Repeat(\"1\", 16<<20))\nfor { n.Float64() }",
	"regexp, alternatives":      "p := strings.Repeat(\"abc|\", 1<<16)\nfor { regexp.Compile(p) }",
	"regexp, cases of a class":  "p := \"(?i)\" + strings.Repeat(\"[B-\\U0001e900]\", 1000)\nfor { regexp.Compile(p) }",
	"number, bits of negative":  "a := new(big.Int).Lsh(big.NewInt(1), 1<<26)\na.Neg(a)\nb := new(big.Int).Sub(a, a)\nb.Sub(a, big.NewInt(7))\nz := new(big.Int)\nfor { z.Xor(a, b); z.And(a, b); z.Or(a, b); z.AndNot(a, b) }",
	"tar, long names":           "s := strings.Repeat(\"é/\", 200_000)\nfor { tar.NewWriter(io.Discard).WriteHeader(&tar.Header{Name: s, Linkname: s}) }",
	"gzip, read into a buffer":  "s := strings.Repeat(\"x\", 16<<20)\nfor { var b bytes.Buffer; b.ReadFrom(strings.NewReader(s)) }",
	"template, of html":         "import \"html/template\"\nfor { template.Must(template.New(\"\").Parse(strings.Repeat(\"<b>x</b>\", 1<<17))).Execute(io.Discard, nil) }",
	"template, html attributes": "import \"html/template\"\nfor { template.Must(template.New(\"\").Parse(strings.Repeat(\"<a href='x' onclick='f()'>\", 1<<15))).Execute(io.Discard, nil) }",
	"hex dumper":                "d := hex.Dumper(io.Discard)\nb := make([]byte, 16<<20)\nfor { d.Write(b) }",
	"base64, line ends":         "s := strings.Repeat(\"\\n\", 20<<20)\nfor { base64.StdEncoding.DecodeString(s) }",
	"base32, decoded":           "s := strings.Repeat(\"IFAUCQKB\", 2<<20)\nfor { base32.StdEncoding.DecodeString(s) }",
	"pem, headers":              "b := []byte(\"-----BEGIN A-----\\n\" + strings.Repeat(\"a: b\\n\", 1<<20) + \"\\nQUFB\\n-----END A-----\\n\")\nfor { pem.Decode(b) }",
	"quoted-printable":          "s := bytes.Repeat([]byte(\"é\"), 8<<20)\nfor { quotedprintable.NewWriter(io.Discard).Write(s) }",
	"quoted-printable, printed": "s := strings.Repeat(\"é\", 4<<20)\nfor { fmt.Fprint(quotedprintable.NewWriter(io.Discard), s) }",
	"mime, words":               "d := new(mime.WordDecoder)\ns := strings.Repeat(\"=?UTF-8?q?a?= \", 1<<19)\nfor { d.DecodeHeader(s) }",
	"url, user":                 "u := url.UserPassword(strings.Repeat(\"é\", 2<<20), \"x\")\nfor { _ = u.String() }",
	"writers to writers":        "var w io.Writer = io.Discard\nfor range 60 { w = io.MultiWriter(w, w) }\nw.Write([]byte(\"x\"))",
	"lists, doubled":            "l := list.New()\nl.PushBack(1)\nfor { l.PushBackList(l) }",
	"tabwriter, lines":          "w := tabwriter.NewWriter(io.Discard, 0, 8, 1, ' ', tabwriter.AlignRight|tabwriter.Debug)\ns := []byte(strings.Repeat(\"a\\tb\\n\", 1<<18))\nfor { w.Write(s); w.Flush() }",
	"file system, tested":       "m := fstest.MapFS{}\nfor i := range 2000 { m[fmt.Sprint(\"d\", i, \"/f\")] = &fstest.MapFile{} }\nfor { fstest.TestFS(m) }",
	"variables in a text":       "s := strings.Repeat(\"$a\", 4<<20)\nfor { os.Expand(s, func(string) string { return \"xxxxxxxxxxxxxxxx\" }) }",
}

func TestFoundAmplifiers(t *testing.T) { wantStopped(t, found) }
