module github.com/sandtrap-go/sandtrap/testdata/bench

go 1.26.0

require (
	github.com/d5/tengo/v2 v2.17.0
	github.com/dop251/goja v0.0.0-20260917113740-793a2a65c13b
	github.com/sandtrap-go/sandtrap v0.0.0
	github.com/spf13/afero v1.15.0
	github.com/traefik/yaegi v0.16.1
	github.com/yuin/gopher-lua v1.1.2
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5
)

require (
	github.com/dlclark/regexp2/v2 v2.5.2 // indirect
	github.com/elastic/go-seccomp-bpf v1.6.0 // indirect
	github.com/fxamacker/cbor/v2 v2.9.6 // indirect
	github.com/go-sourcemap/sourcemap v2.1.3+incompatible // indirect
	github.com/godbus/dbus/v5 v5.2.4 // indirect
	github.com/google/pprof v0.0.0-20230207041349-798e818bf904 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/net v0.61.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)

replace github.com/sandtrap-go/sandtrap => ../..
