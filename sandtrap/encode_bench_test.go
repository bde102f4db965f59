package sandtrap

import (
	"context"
	"testing"
)

// encodings are programs that mostly encode or decode.
var encodings = map[string]string{
	"MarshalInts": `
	list := make([]int, 10000)
	for i := range list { list[i] = i }
	for range 20 { json.Marshal(list) }`,
	"MarshalStructs": `
	list := make([]item, 500)
	for i := range list { list[i] = item{i, "name", 1.5, []string{"a", "b"}, &item{ID: i}} }
	for range 20 { json.Marshal(list) }`,
	"UnmarshalStructs": `
	list := make([]item, 500)
	for i := range list { list[i] = item{i, "name", 1.5, []string{"a", "b"}, &item{ID: i}} }
	text, _ := json.Marshal(list)
	for range 20 { var back []item; json.Unmarshal(text, &back) }`,
	"UnmarshalAny": `
	list := make([]item, 500)
	for i := range list { list[i] = item{i, "name", 1.5, []string{"a", "b"}, &item{ID: i}} }
	text, _ := json.Marshal(list)
	for range 20 { var back any; json.Unmarshal(text, &back) }`,
	"XML": `
	list := feed{make([]item, 500)}
	for i := range list.Items { list.Items[i] = item{i, "name", 1.5, []string{"a", "b"}, &item{ID: i}} }
	for range 5 { text, err := xml.Marshal(list); if err != nil { panic(err) }; back := list; back.Items = nil; xml.Unmarshal(text, &back) }`,
}

// BenchmarkEncode runs programs that encode and decode many values.
func BenchmarkEncode(b *testing.B) {
	plan, err := Compile(Policy{Engine: "vm", Std: []string{"encoding/json", "encoding/xml"}})
	if err != nil {
		b.Fatal(err)
	}
	for name, body := range encodings {
		text := "package main\n\nimport (\n\t\"encoding/json\"\n\t\"encoding/xml\"\n)\n\n" +
			"type item struct {\n\tID int `json:\"id\"`\n\tName string `json:\"name\"`\n\tCost float64\n\tTags []string\n\tNext *item `json:\",omitempty\"`\n}\n\ntype feed struct{ Items []item }\n\n" +
			"var _ = json.Marshal\nvar _ = xml.Marshal\n\nfunc main() {" + body + "\n}\n"
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				box, err := plan.New(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				if _, err := box.Run(context.Background(), Script{Text: text}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
