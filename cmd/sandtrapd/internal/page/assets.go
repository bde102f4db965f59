package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"time"
)

//go:embed assets
var assetFiles embed.FS

// assetPath is the directory of style sheets and scripts. Everybody may read them, as the source of this program.
const assetPath = "/assets/"

// An asset is a file that pages load.
type asset struct {
	data            []byte
	mediaType, etag string
}

// mediaTypes are those of assets, whatever the machine says of such names.
var mediaTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}

func readAssets() map[string]asset {
	list, err := fs.ReadDir(assetFiles, "assets")
	if err != nil {
		panic(err) // it is a part of the program
	}
	files := map[string]asset{}
	for _, f := range list {
		data, err := assetFiles.ReadFile("assets/" + f.Name())
		if err != nil {
			panic(err)
		}
		files[f.Name()] = asset{data, mediaTypes[path.Ext(f.Name())], fmt.Sprintf(`"%x"`, sha256.Sum256(data))}
	}
	return files
}

// asset serves a file. A browser asks each time whether it is still the same: there is no old script after an update.
func (s *site) asset(w http.ResponseWriter, q *http.Request) {
	a, ok := s.assets[q.PathValue("name")]
	if !ok {
		http.NotFound(w, q)
		return
	}
	secure(w)
	w.Header().Set("Content-Type", a.mediaType)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", a.etag)
	http.ServeContent(w, q, "", time.Time{}, bytes.NewReader(a.data))
}
