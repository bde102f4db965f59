#!/bin/sh
# Tries the isolation of workers under another kernel, in a guest of qemu:
#
#	testdata/kernels/run.sh ARCH KERNEL ROOT [PARAMETER...]
#
# ARCH is amd64 or arm64. KERNEL is an image of Linux with what it takes built in: those that
# Debian makes for clouds do (linux-image-*-cloud-*, unpacked). ROOT is a directory with a
# /bin/busybox that is linked statically, and setpriv and unshare of util-linux with their
# libraries (busybox-static, util-linux, libcap-ng0 and libc6 of Debian, unpacked), or for
# users=managed all of a small Debian (mmdebstrap --variant=minbase with busybox-static,
# systemd-sysv, libpam-systemd and dbus-user-session). The other
# parameters are the kernel's, and those of the file init beside this one:
#
#	users=root,nobody,delegate checks=isolate,confine,doctor,boundary
#	users=root checks=isolate only=TestFailClosed|TestEachLayer
#	users=managed checks=scope
#	lsm=yama sysctl.user.max_user_namespaces=0
#
# It builds tests without C, and takes minutes: there is no Go in the guest, which is emulated.
set -eu
for tool in cpio mkfs.ext4; do
	command -v $tool >/dev/null || { echo "there is no $tool here"; exit 1; }
done
arch=$1 kernel=$2 root=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
guest=$work/guest
mkdir -p "$guest/tests" "$guest/tools"
cp -a "$root/." "$guest"
for package in isolate isolate/confine cmd/sandtrap sandtrap/sandtraptest; do
	mkdir -p "$guest/src/$package"
	(cd "$source" && CGO_ENABLED=0 GOARCH=$arch go test -c -ldflags=-s -o "$guest/tests/$(echo $package | tr / -).test" ./$package)
done
(cd "$source" && CGO_ENABLED=0 GOARCH=$arch go build -ldflags=-s -o "$guest/tools/sandtrap" ./cmd/sandtrap)
(cd "$source" && CGO_ENABLED=0 GOARCH=$arch go build -ldflags=-s -o "$guest/tools/worker" ./isolate/testdata/worker)
mkdir -p "$guest/src/docs"
cp "$source/docs/security.md" "$guest/src/docs"
printf 'package main\n\nfunc main() {\n\tfor {\n\t}\n}\n' >"$guest/src/loop.go"
printf 'package main\n\nfunc main() { println("hello") }\n' >"$guest/src/hello.go"
# What tests would build.
cat >"$guest/tools/go" <<'END'
#!/bin/sh
test "$1 $2" = "build -o" && test "${CGO_ENABLED-0}" = 0 || { echo "there is no Go here: $*"; exit 1; }
case $4 in
.) cp /tools/sandtrap "$3" ;;
./testdata/worker) cp /tools/worker "$3" ;;
*) exit 1 ;;
esac
END
cp "$here/init" "$guest/init"
chmod 755 "$guest/init" "$guest/tools/go"
(cd "$guest" && find . | cpio -o -H newc) 2>/dev/null | gzip -1 >"$work/initramfs"
truncate -s 512M "$work/disk"
mkfs.ext4 -q "$work/disk"
# Without what is slow to emulate, and cx16, which version 7.2 of qemu computes wrongly.
case $arch in
amd64) set -- console=ttyS0 "$@"; machine='qemu-system-x86_64 -cpu max,-cx16' ;;
arm64) set -- console=ttyAMA0 "$@"; machine='qemu-system-aarch64 -machine virt -cpu max,pauth-impdef=on' ;;
esac
nice $machine -accel tcg,thread=multi -smp 2 -m 3G -nographic -net none -drive "if=none,id=disk,format=raw,file=$work/disk" -device nvme,drive=disk,serial=disk -no-reboot -kernel "$kernel" -initrd "$work/initramfs" -append "quiet panic=-1 $*"
