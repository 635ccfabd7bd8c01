#!/bin/bash
# Builds Kubernetes from Debian's source package, inside a Debian 12 that has Go: results in /out.
set -euo pipefail

export GOPATH=/go GOCACHE=/gocache HOME=/root PATH=/usr/lib/go-1.19/bin:/usr/bin:/bin:/usr/sbin:/sbin
# Module mode refuses the vendor folder; without C the programs run anywhere.
export GO111MODULE=off CGO_ENABLED=0
TREE=$GOPATH/src/k8s.io/kubernetes
VERSION=v1.20.2

sed -i 's/^deb /deb-src /w /etc/apt/sources.list.d/source.list' /etc/apt/sources.list
sed -i 's/^deb-src /deb /' /etc/apt/sources.list
apt-get update
cd /tmp
apt-get source --download-only kubernetes
mkdir -p "$(dirname "$TREE")" /out
dpkg-source --no-check -x kubernetes_*.dsc "$TREE"
cd "$TREE"

# Its JSON library reaches into Go's maps in a way that Go 1.18 changed: a custom resource would crash the API server.
perl -0777 -i -pe '
  s/linkname mapiterinit reflect/linkname beginMapIteration reflect/ or die "no link to reflect.mapiterinit";
  s/func mapiterinit\((.*?), (.*?)\) .*hiter\)?\n/func beginMapIteration($1, $2, it *hiter)\n/ or die "no mapiterinit";
  $_ .= <<"GO";

// The layout of the iterator that the runtime of Go 1.18 and later expects its caller to bring.
func mapiterinit(rtype unsafe.Pointer, m unsafe.Pointer) *hiter {
	it := &struct {
		hiter
		pointers [6]unsafe.Pointer
		counters [5]uintptr
	}{}
	beginMapIteration(rtype, m, &it.hiter)
	return &it.hiter
}
GO
' vendor/github.com/modern-go/reflect2/unsafe_link.go

