package cookbook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/png"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// Example_files: Give scripts files in memory, and read what they leave. For a directory of the host, set Open to a
// function that returns vfs.Dir(path), see [policy.md](policy.md#files).
func Example_files() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{
		Std: sandtrap.StdDefault(), Files: &sandtrap.Files{Cwd: "/work", Quota: vfs.Quota{Bytes: 1 << 20}},
	})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	if err := afero.WriteFile(box.Files(), "/work/in.csv", []byte("tea,3.5\ncake,4.25\n"), 0o644); err != nil {
		panic(err)
	}
	_, err = box.Run(ctx, sandtrap.Script{Text: `
f, err := os.Open("in.csv")
if err != nil { return err }
defer f.Close()
rows, err := csv.NewReader(f).ReadAll()
if err != nil { return err }
out, err := json.Marshal(rows)
if err != nil { return err }
return os.WriteFile("out.json", out, 0o644)`})
	text, _ := afero.ReadFile(box.Files(), "/work/out.json")
	fmt.Println(string(text), err)
	// Output: [["tea","3.5"],["cake","4.25"]] <nil>
}

// Example_chart: Let a script draw a chart. With Limits.Artifacts scripts have a function artifact, which adds a file to
// the Result.
func Example_chart() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Artifacts: 1 << 20}})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	res, err := box.Run(ctx, sandtrap.Script{
		Text: `
img := image.NewRGBA(image.Rect(0, 0, 20*len(values), 100))
draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
for i, v := range values {
	bar := image.Rect(20*i, 100-v, 20*i+16, 100)
	draw.Draw(img, bar, image.NewUniform(color.RGBA{0, 90, 200, 255}), image.Point{}, draw.Src)
}
var b bytes.Buffer
if err := png.Encode(&b, img); err != nil {
	return err
}
return artifact("chart.png", b.Bytes())`,
		Inputs: map[string]any{"values": []int{10, 60, 35}},
	})
	for _, a := range res.Artifacts {
		chart, format, err := image.Decode(bytes.NewReader(a.Data))
		fmt.Println(a.Name, a.MediaType, format, chart.Bounds().Size(), chart.At(5, 95), err)
	}
	fmt.Println(err)
	// Output:
	// chart.png image/png png (60,100) {0 90 200 255} <nil>
	// <nil>
}

// Example_kernel: Run code that may be an attack, in a worker that the kernel confines. Call worker.Init first in your
// main. "sandtrap doctor" says what a machine lacks; in a container see [security.md](security.md#in-a-container).
func Example_kernel() {
	ctx := context.Background()
	policy := sandtrap.Policy{Std: sandtrap.StdPure(), Isolation: sandtrap.Kernel}
	if _, err := sandtrap.Probe(ctx, sandtrap.Kernel, ""); err != nil {
		policy.Isolation = sandtrap.Process // so that this recipe runs anywhere: isolation process contains crashes, and no attack
	}
	policy.AllowDegraded = true // likewise: leave it out, and a missing layer is an error
	box, err := sandtrap.New(ctx, policy)
	if err != nil {
		panic(err)
	}
	defer box.Close()
	res, err := box.Run(ctx, sandtrap.Script{Text: `fmt.Println("inside")`})
	fmt.Println(res.Stdout, err, res.Isolation.Mode != sandtrap.None)
	// Output:
	// inside
	//  <nil> true
}

// Example_tenants: Serve many tenants from one pool of workers. No two tenants share a worker.
func Example_tenants() {
	ctx := context.Background()
	plan, err := sandtrap.Compile(sandtrap.Policy{Std: sandtrap.StdPure(), Isolation: sandtrap.Process})
	if err != nil {
		panic(err)
	}
	pool, err := plan.Pool(ctx, sandtrap.PoolLimits{Size: 1, Max: 4})
	if err != nil {
		panic(err)
	}
	defer pool.Close(ctx)
	for _, tenant := range []string{"ann", "bob"} {
		box, err := pool.Sandbox(ctx, tenant)
		if err != nil {
			panic(err)
		}
		defer box.Close()
		res, err := box.Run(ctx, sandtrap.Script{Text: `fmt.Print("hello ", name)`, Inputs: map[string]any{"name": tenant}})
		fmt.Println(res.Stdout, err)
	}
	stats := pool.Stats()
	fmt.Println(stats.Tenants, "tenants,", stats.Hired, "runs,", stats.Queued, "waiting")
	// Output:
	// hello ann <nil>
	// hello bob <nil>
	// 2 tenants, 2 runs, 0 waiting
}

// Example_end: Tell apart why a run ended.
func Example_end() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Ticks: 1000}})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	for _, text := range []string{`x := 1`, `var m map[string]int; m["a"] = 1`, `for {}`, `net.Dial("tcp", "a:1")`, `os.Exit(3)`} {
		_, err := box.Run(ctx, sandtrap.Script{Text: text})
		failed, _ := errors.AsType[*sandtrap.Error](err)
		switch {
		case err == nil:
			fmt.Println("fine")
		case errors.Is(err, sandtrap.ErrRefused):
			fmt.Println("refused, nothing ran:", failed.Kind)
		case errors.Is(err, sandtrap.KindExit):
			fmt.Println("exit code", failed.Code)
		default:
			fmt.Println("ended:", failed.Kind, "at line", failed.Pos.Line)
		}
	}
	// Output:
	// fine
	// ended: panic at line 1
	// ended: ticks at line 1
	// refused, nothing ran: denied
	// exit code 3
}
