package ends

import "testing"

// pngOf makes a file of chunks, which are a name and what is in it.
const pngOf = `func pngOf(chunks ...string) string {
	file := "\x89PNG\r\n\x1a\n"
	for _, c := range chunks {
		b := binary.BigEndian.AppendUint32(nil, uint32(len(c)-4))
		b = append(b, c...)
		file += string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:])))
	}
	return file
}
func packed(s string) string { var b bytes.Buffer; w := zlib.NewWriter(&b); w.Write([]byte(s)); w.Close(); return b.String() }
`

// jpegOf makes a progressive file of 2000 by 2000 pixels, with so many scans that say nothing of each block but that its
// numbers are finer by a bit. start is where a file has its size.
const jpegOf = `func jpegOf(scans int) string {
	var b strings.Builder
	b.WriteString("\xff\xd8\xff\xdb\x00\x43\x00" + strings.Repeat("\x01", 64))
	b.WriteString("\xff\xc2\x00\x0b\x08\x07\xd0\x07\xd0\x01\x01\x11\x00")
	b.WriteString("\xff\xc4\x00\x14\x00\x01" + strings.Repeat("\x00", 16) + "\xff\xc4\x00\x14\x10\x01" + strings.Repeat("\x00", 15) + "\xe0")
	b.WriteString("\xff\xda\x00\x08\x01\x01\x00\x00\x00\x00" + strings.Repeat("\x00", 62500/8+1))
	b.WriteString(strings.Repeat("\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x10\x7f\xfe\xff\x00\xff\x00", scans))
	return b.String() + "\xff\xd9"
}
`

// images are amplifiers in what makes, draws, encodes and decodes images.
var images = map[string]string{
	"made, one":                   "image.NewRGBA(image.Rect(0, 0, 1<<15, 1<<15))",
	"made, kept":                  "var k []image.Image\nfor { k = append(k, image.NewNYCbCrA(image.Rect(0, 0, 999, 999), image.YCbCrSubsampleRatio444), image.NewPaletted(image.Rect(0, 0, 1000, 1000), nil), image.NewYCbCr(image.Rect(0, 0, 999, 999), image.YCbCrSubsampleRatio444)) }",
	"looked at":                   "m := image.NewGray16(image.Rect(0, 0, 4000, 4000))\nfor { m.Opaque(); p := &image.RGBA{Pix: []byte{0, 0, 0, 255}, Rect: image.Rect(0, 0, 1, 1<<62)}; p.Opaque() }",
	"looked at by an interface":   "var p interface{ Opaque() bool } = &image.RGBA{Pix: []byte{0, 0, 0, 255}, Rect: image.Rect(0, 0, 1, 1<<62)}\np.Opaque()",
	"drawn, rows of one":          "m := &image.RGBA{Pix: make([]byte, 4), Rect: image.Rect(0, 0, 1, 1<<62)}\ndraw.Draw(m, m.Rect, image.Black, image.Point{}, draw.Src)",
	"drawn, nothing":              "m := &image.Gray{Rect: image.Rect(-1<<62, -1<<62, 1<<62, 1<<62)}\ndraw.DrawMask(m, m.Rect, image.Rect(-1<<62, -1<<62, 1<<62, 1<<62), image.Point{}, image.Transparent, image.Point{}, draw.Over)",
	"drawn, large":                "m := image.NewRGBA(image.Rect(0, 0, 3000, 3000))\nfor { draw.Draw(m, m.Rect, image.NewUniform(color.NRGBA{1, 2, 3, 4}), image.Point{}, draw.Over) }",
	"drawn, slow":                 "m := image.NewNRGBA64(image.Rect(0, 0, 1500, 1500))\nfor { draw.Draw(m, m.Rect, image.NewUniform(color.NRGBA{1, 2, 3, 4}), image.Point{}, draw.Over) }",
	"drawn, by a method":          "m := image.NewCMYK(image.Rect(0, 0, 1500, 1500))\nfor { draw.Over.Draw(m, m.Rect, image.White, image.Point{}) }",
	"drawn, by a drawer":          "m := image.NewCMYK(image.Rect(0, 0, 1500, 1500))\nvar d draw.Drawer = draw.Over\nfor { d.Draw(m, m.Rect, image.White, image.Point{}) }",
	"drawn, palettes":             "m := image.NewPaletted(image.Rect(0, 0, 1500, 1500), palette.Plan9)\nfor { draw.Draw(m, m.Rect, image.Rect(0, 0, 9999, 9999), image.Point{}, draw.Over) }",
	"drawn, errors spread":        "m := image.NewPaletted(image.Rect(0, 0, 1500, 1500), palette.Plan9)\nfor { draw.FloydSteinberg.Draw(m, m.Rect, image.NewNRGBA(image.Rect(0, 0, 9999, 99)), image.Point{}) }",
	"drawn, errors of a row":      "type T struct{ image.Image }\nfunc (T) Set(x, y int, c color.Color) {}\ndraw.FloydSteinberg.Draw(T{image.White}, image.Rect(0, 0, 1e9, 1), image.White, image.Point{})",
	"drawn on a script's":         "type T struct{ image.Image }\nfunc (T) Set(x, y int, c color.Color) {}\ndraw.Draw(T{image.White}, image.White.Bounds(), image.White, image.Point{}, draw.Src)",
	"drawn on a script's, hidden": "type T struct{ image.Image }\nfunc (T) Set(x, y int, c color.Color) {}\ndraw.DrawMask(T{image.White}, image.White.Bounds(), image.White, image.Point{}, image.Transparent, image.Point{}, draw.Over)",
	"png, of one color":           "for { png.Encode(io.Discard, image.White) }",
	"png, rows":                   "type T struct{ image.Image }\nfunc (T) Bounds() image.Rectangle { return image.Rect(0, 0, 16000, 1<<31) }\npng.Encode(io.Discard, T{image.White})",
	"png, opaque or not":          "m := &image.Alpha{Pix: []byte{255}, Rect: image.Rect(0, 0, 1, 1<<31)}\npng.Encode(io.Discard, m)",
	"png, noise":                  "m := image.NewNRGBA64(image.Rect(0, 0, 2000, 1000))\nfor i := range m.Pix { m.Pix[i] = byte(i*i>>5) & 3 }\nfor { (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(io.Discard, m) }",
	"png, alike":                  "m := image.NewGray(image.Rect(0, 0, 5000, 5000))\nvar b bytes.Buffer\nfor { png.Encode(&b, m) }",
	"png, numbers of colors":      "m := image.NewPaletted(image.Rect(0, 0, 5000, 5000), palette.Plan9)\nfor { png.Encode(io.Discard, m) }",
	"png, small ones":             "m := image.NewGray(image.Rect(0, 0, 1, 1))\nfor { png.Encode(io.Discard, m) }",
	"png, size":                   pngOf + "for { png.Decode(strings.NewReader(pngOf(\"IHDR\\x00\\x00\\x80\\x00\\x00\\x00\\x80\\x00\\x08\\x06\\x00\\x00\\x00\", \"IDATx\"))) }",
	"png, size behind a chunk":    pngOf + "for { png.Decode(strings.NewReader(pngOf(\"abcdIHDR\", \"IHDR\\x00\\x00\\x80\\x00\\x00\\x00\\x80\\x00\\x08\\x06\\x00\\x00\\x00\", \"IDATx\"))) }",
	"png, size by Decode":         pngOf + "for { image.Decode(strings.NewReader(pngOf(\"IHDR\\x00\\x00\\x80\\x00\\x00\\x00\\x80\\x00\\x10\\x06\\x00\\x00\\x00\", \"IDATx\"))) }",
	"png, bits":                   pngOf + "s := pngOf(\"IHDR\\x00\\x00\\x0b\\xb8\\x00\\x00\\x0b\\xb8\\x01\\x00\\x00\\x00\\x00\", \"IDAT\"+packed(strings.Repeat(\"\\x04\"+strings.Repeat(\"\\x00\", 375), 3000)), \"IEND\")\nfor { if _, err := png.Decode(strings.NewReader(s)); err != nil { panic(err) } }",
	"png, parts":                  pngOf + "s := pngOf(\"IHDR\\x00\\x00\\x05\\xdc\\x00\\x00\\x05\\xdc\\x08\\x02\\x00\\x00\\x01\", \"IDAT\"+packed(strings.Repeat(\"\\x00\", 6752814)), \"IEND\")\nfor { if _, err := png.Decode(strings.NewReader(s)); err != nil { panic(err) } }",
	"png, chunks without an end":  pngOf + "type T struct{ s string; n int }\nfunc (t *T) Read(p []byte) (int, error) { n := copy(p, t.s[t.n:]); t.n = (t.n + n) % len(t.s); return n, nil }\ns := pngOf(\"abcd\")[8:]\npng.Decode(io.MultiReader(strings.NewReader(\"\\x89PNG\\r\\n\\x1a\\n\"), &T{s: s}))",
	"jpeg, of one color":          "m := image.NewUniform(color.White)\nfor { jpeg.Encode(io.Discard, m, nil) }",
	"jpeg, large":                 "type T struct{ image.Image }\nfunc (T) Bounds() image.Rectangle { return image.Rect(0, 0, 65535, 65535) }\njpeg.Encode(io.Discard, T{image.White}, nil)",
	"jpeg, lengths below zero":    "jpeg.Encode(io.Discard, image.Rectangle{image.Pt(-1<<62, -1<<62), image.Pt(1<<62, 1<<62)}, nil)",
	"jpeg, written in vain":       "type T struct{}\nfunc (T) Write([]byte) (int, error) { return 0, io.EOF }\njpeg.Encode(T{}, image.Rectangle{image.Pt(-1<<62, -1<<62), image.Pt(1<<62, 1<<62)}, nil)",
	"jpeg, noise":                 "m := image.NewRGBA(image.Rect(0, 0, 2000, 1000))\nfor i := range m.Pix { m.Pix[i] = byte(i*i>>3) }\nfor { jpeg.Encode(io.Discard, m, &jpeg.Options{Quality: 100}) }",
	"jpeg, size":                  jpegOf + "s := jpegOf(0)\ns = strings.Replace(s, \"\\x07\\xd0\\x07\\xd0\", \"\\xff\\xff\\xff\\xff\", 1)\nfor { jpeg.Decode(strings.NewReader(strings.Replace(s, \"\\xff\\xc2\", \"\\xff\\xc0\", 1))); jpeg.Decode(strings.NewReader(s)) }",
	"jpeg, scans":                 jpegOf + "s := jpegOf(10000)\nfor { if _, err := jpeg.Decode(strings.NewReader(s)); err != nil { panic(err) } }",
	"jpeg, scans by Decode":       jpegOf + "s := jpegOf(10000)\nfor { if _, _, err := image.Decode(strings.NewReader(s)); err != nil { panic(err) } }",
	"jpeg, without an end":        "type T struct{ n int }\nfunc (t *T) Read(p []byte) (int, error) { if t.n++; t.n == 1 { return copy(p, \"\\xff\\xd8\"), nil }; for i := range p { p[i] = 1 }; return len(p), nil }\njpeg.Decode(&T{})",
	"jpeg, size without an end":   "type T struct{ n int }\nfunc (t *T) Read(p []byte) (int, error) { if t.n++; t.n == 1 { return copy(p, \"\\xff\\xd8\"), nil }; for i := range p { p[i] = 255 }; return len(p), nil }\njpeg.DecodeConfig(&T{})",
}

func TestImageAmplifiers(t *testing.T) { wantStopped(t, images) }
