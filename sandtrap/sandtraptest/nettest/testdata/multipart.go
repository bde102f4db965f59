package main

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	var buf bytes.Buffer
	mw := multipart.NewWriter(&buf)
	mw.SetBoundary("xxBOUNDARYxx")
	fw, _ := mw.CreateFormFile("file", "a.txt")
	io.WriteString(fw, "content")
	mw.WriteField("name", "joe")
	mw.Close()
	resp, err := http.Post(base+"/sum", mw.FormDataContentType(), &buf)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	io.Copy(os.Stdout, resp.Body)
}
