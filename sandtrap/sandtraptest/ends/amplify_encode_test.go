package ends

import "testing"

// encoders are amplifiers among what templates, tables and encoders do.
var encoders = map[string]string{
	"csv, fields":            "r := csv.NewReader(strings.NewReader(strings.Repeat(\",\", 8<<20)))\n_, _ = r.Read()",
	"csv, own comma":         "r := csv.NewReader(strings.NewReader(strings.Repeat(\";\", 8<<20)))\nr.Comma = ';'\n_, _ = r.Read()",
	"csv, records":           "r := csv.NewReader(strings.NewReader(strings.Repeat(\"a\\n\", 8<<20)))\n_, _ = r.ReadAll()",
	"csv, endless":           "r := csv.NewReader(strings.NewReader(strings.Repeat(\"\\n\", 1<<20)))\nfor { r.Read() }",
	"csv, one record, often": "w := csv.NewWriter(io.Discard)\nr := []string{strings.Repeat(\"x\", 1<<20)}\nl := make([][]string, 1<<20)\nfor i := range l { l[i] = r }\nw.WriteAll(l)",
	"csv, buffer":            "var b bytes.Buffer\nw := csv.NewWriter(&b)\nfor { w.Write([]string{\"abc\"}) }",
	"tabwriter, text":        "w := tabwriter.NewWriter(io.Discard, 0, 8, 1, ' ', 0)\nfor { fmt.Fprintln(w, \"a\\tb\") }",
	"tabwriter, width":       "w := tabwriter.NewWriter(io.Discard, 1<<40, 8, 1, ' ', 0)\nfmt.Fprintln(w, \"a\\tb\")\nw.Flush()",
	"tabwriter, padding":     "var b bytes.Buffer\nw := tabwriter.NewWriter(&b, 0, 8, 1<<40, ' ', 0)\nfmt.Fprintln(w, \"a\\tb\")\nw.Flush()",
	"tabwriter, columns":     "w := tabwriter.NewWriter(io.Discard, 0, 8, 1, ' ', 0)\ns := strings.Repeat(\"\\t\", 100_000) + \"\\n\"\nfor { w.Write([]byte(s)); w.Flush() }",
	"scanner, long token":    "var s scanner.Scanner\nfor { s.Init(strings.NewReader(strings.Repeat(\"a\", 16<<20))); s.Scan(); _ = s.TokenText() }",
	"scanner, comments":      "var s scanner.Scanner\nfor { s.Init(strings.NewReader(strings.Repeat(\"// x\\n\", 4<<20))); s.Scan() }",
	"xml, elements":          "type T struct{ A string }\nvar v T\nxml.Unmarshal([]byte(strings.Repeat(\"<a>\", 8<<20)), &v)",
	"xml, attributes":        "var v struct{}\nxml.Unmarshal([]byte(\"<a \" + strings.Repeat(\"b='' \", 6<<20) + \"/>\"), &v)",
	"xml, entities":          "d := xml.NewDecoder(strings.NewReader(\"<a>\" + strings.Repeat(\"&x;\", 1<<20) + \"</a>\"))\nd.Strict = false\nd.Entity = map[string]string{\"x\": strings.Repeat(\"y\", 1<<20)}\nvar s string\nd.Decode(&s)",
	"xml, endless reader":    "d := xml.NewDecoder(io.MultiReader(strings.NewReader(\"<a>\"), bufio.NewReader(rand.Reader)))\nd.Strict = false\nfor { d.Token() }",
	"xml, tokens, kept":      "d := xml.NewDecoder(strings.NewReader(strings.Repeat(\"<a/>\", 4<<20)))\nvar l []xml.Token\nfor { t, _ := d.Token(); l = append(l, xml.CopyToken(t)) }",
	"xml, shared parts":      "type S struct { A, B, C any }\nvar s any = S{1, 2, 3}\nfor range 50 { s = S{s, s, s} }\nxml.NewEncoder(io.Discard).Encode(s)",
	"xml, shared list":       "type L struct { A []string }\nx := strings.Repeat(\"<\", 1<<16)\nl := L{make([]string, 1<<20)}\nfor i := range l.A { l.A[i] = x }\nxml.Marshal(l)",
	"xml, indent":            "xml.MarshalIndent([]int{1, 2, 3, 4, 5}, strings.Repeat(\" \", 16<<20), \"\")",
	"xml, own method":        "type T struct{ A []int }\nvar e *xml.Encoder = xml.NewEncoder(io.Discard)\nfor { e.EncodeToken(xml.Comment(strings.Repeat(\"x\", 1<<20))) }",
	"template, html":         "s := strings.Repeat(\"<\", 16<<20)\nfor { template.HTMLEscapeString(s) }",
	"template, range":        "t := template.Must(template.New(\"\").Parse(`{{range .}}{{range $}}{{end}}{{end}}`))\nt.Execute(io.Discard, 1<<62)",
	"template, calls itself": "t := template.Must(template.New(\"t\").Parse(`{{template \"t\" .}}`))\nfor { t.Execute(io.Discard, 1) }",
	"template, doubles":      "t := template.Must(template.New(\"t\").Parse(`{{$s := .}}{{range 60}}{{$s = print $s $s}}{{end}}`))\nt.Execute(io.Discard, \"0123456789\")",
	"template, widths":       "t := template.Must(template.New(\"t\").Parse(`{{printf . 1}}`))\nt.Execute(io.Discard, strings.Repeat(\"%[1]999999d\", 10000))",
	"template, output":       "var b bytes.Buffer\nt := template.Must(template.New(\"t\").Parse(`{{range 100000}}` + strings.Repeat(\"x\", 100_000) + `{{end}}`))\nt.Execute(&b, nil)",
	"template, parsed often": "for { template.Must(template.New(\"t\").Parse(strings.Repeat(`{{.}}`, 1000))) }",
	"template, parsed, kept": "var l []*template.Template\nfor { l = append(l, template.Must(template.New(\"t\").Parse(strings.Repeat(`{{.}}`, 1000)))) }",
	"template, long action":  "template.New(\"t\").Parse(\"{{print \" + strings.Repeat(\"1 \", 8<<20) + \"}}\")",
	"template, big printing": "type S []S\ns := S{}\nfor range 100 { s = S{s, s, s} }\ntemplate.Must(template.New(\"t\").Parse(`{{.}}`)).Execute(io.Discard, s)",
}

func TestEncodeAmplifiers(t *testing.T) { wantStopped(t, encoders) }
