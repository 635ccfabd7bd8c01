# The same kubelet under other versions, which is all that an upgrade can see, and for Windows: results in /out.
stamp() { printf -- '-X k8s.io/kubernetes/vendor/k8s.io/component-base/version.%s ' "$@"; }
build() {
  local system=$1 version=$2 file=$3 minor=${2#v1.}
  GOOS=$system go build -o "/out/$file" \
    -ldflags "-s -w $(stamp gitVersion="$version" gitMajor=1 gitMinor="${minor%%.*}" gitTreeState=clean)" ./cmd/kubelet
}

for version in v1.20.3 v1.21.0; do build linux $version kubelet-$version; done
for version in v1.20.2 v1.20.3; do build windows $version kubelet-$version.exe; done
