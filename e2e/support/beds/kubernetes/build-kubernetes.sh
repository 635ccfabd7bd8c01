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

# The one generated file that the source package leaves out: the OpenAPI definitions of every type that asks for them.
go build -o /tmp/openapi-gen ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
packages=$(grep -rl --include='*.go' '+k8s:openapi-gen=' pkg staging/src/k8s.io | xargs -n1 dirname | sort -u |
  sed -e 's#^staging/src/#k8s.io/kubernetes/vendor/#' -e 's#^pkg#k8s.io/kubernetes/pkg#' | paste -sd,)
/tmp/openapi-gen --go-header-file hack/boilerplate/boilerplate.generatego.txt --output-file-base zz_generated.openapi \
  --output-package k8s.io/kubernetes/pkg/generated/openapi --input-dirs "$packages" --output-base $GOPATH/src \
  --report-filename /dev/null

# Programs say one version, the API itself the other.
stamp() {
  local minor=${1#v1.} name
  for name in component-base/version client-go/pkg/version; do
    printf -- '-X k8s.io/kubernetes/vendor/k8s.io/%s ' "$name.gitVersion=$1" "$name.gitMajor=1" \
      "$name.gitMinor=${minor%%.*}" "$name.gitTreeState=clean"
  done
}
build() { GOOS=$1 go build -ldflags "-s -w $(stamp "$2")" -o "/out/$4" "./cmd/$3"; }

for program in kube-apiserver kube-controller-manager kube-scheduler kubelet kubeadm; do
  build linux $VERSION $program $program
done
# The same kubelet under other versions, which is all that an upgrade can see of it, and for Windows.
for version in v1.20.3 v1.21.0; do build linux $version kubelet kubelet-$version; done
for version in $VERSION v1.20.3; do build windows $version kubelet kubelet-$version.exe; done
