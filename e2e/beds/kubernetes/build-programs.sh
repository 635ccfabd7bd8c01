# The one generated file that the source package leaves out: the OpenAPI definitions of every type that asks for them.
go build -o /tmp/openapi-gen ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
packages=$(grep -rl --include='*.go' '+k8s:openapi-gen=' pkg staging/src/k8s.io | xargs -n1 dirname | sort -u |
  sed -e 's#^staging/src/#k8s.io/kubernetes/vendor/#' -e 's#^pkg#k8s.io/kubernetes/pkg#' | paste -sd,)
/tmp/openapi-gen --go-header-file hack/boilerplate/boilerplate.generatego.txt --output-file-base zz_generated.openapi \
  --output-package k8s.io/kubernetes/pkg/generated/openapi --input-dirs "$packages" --output-base $GOPATH/src \
  --report-filename /dev/null

stamp() { printf -- '-X k8s.io/kubernetes/vendor/k8s.io/component-base/version.%s ' "$@"; }
flags="-s -w $(stamp gitVersion=$VERSION gitMajor=1 gitMinor=20 gitTreeState=clean)"
for program in kube-apiserver kube-controller-manager kube-scheduler kubelet kubeadm; do
  go build -ldflags "$flags" -o /out/$program ./cmd/$program
done
