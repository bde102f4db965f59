// A host whose scripts import packages from a directory, which they can read and not
// write.
package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
	"github.com/sandtrap-go/sandtrap/vfs"
)

const script = `
package main

import (
	"fmt"
	"helpers/stats"
	"os"
)

func main() {
	fmt.Println(stats.Median([]float64{3, 1, 2}))
	fmt.Println(os.WriteFile("helpers/stats/stats.go", nil, 0o644))
}
`

func main() {
	worker.Init() // with isolation process or kernel, workers are processes of this program
	isolation := flag.String("isolation", "none", "none, process or kernel")
	flag.Parse()
	ctx := context.Background()
	dir := "docs/hosts/library/lib"
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	box, err := sandtrap.New(ctx, sandtrap.Policy{
		Isolation: sandtrap.Isolation(*isolation),
		Std:       sandtrap.StdPure(),
		Files: &sandtrap.Files{ModuleRoot: "/", Open: func() (afero.Fs, error) {
			files, err := vfs.Dir(dir)
			return vfs.ReadOnly(files), err
		}},
	})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	res, err := box.Run(ctx, sandtrap.Script{Text: script})
	fmt.Print(res.Stdout)
	if err != nil {
		fmt.Println(err)
	}
}
