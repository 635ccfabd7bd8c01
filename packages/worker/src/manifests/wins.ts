import type { JsonObject, KubeObject } from '@fenestra/kube-api';
import { flannelPart } from './flannel.ts';
import { kubeProxyPart } from './kube-proxy.ts';
import type { ManifestRequest } from './manifest-request.ts';
import { MOUNTS, type PodShape } from './part.ts';

/** The historic set: the same programs, started on the host by wins. */
export function winsObjects(request: ManifestRequest): readonly KubeObject[] {
  const { network } = request;
  const isOverlay = network === 'flannel-overlay';
  const kubeProxy = kubeProxyPart(request, {
    script: WINS_KUBE_PROXY_SCRIPT,
    variables: { OVERLAY: String(isOverlay), POD_ADDRESS: { fieldPath: 'status.podIP' } },
    // Its pod's address shows which subnet is the node's.
    pod: winsPod('start.ps1', { hostNetwork: false }),
  });
  if (network === 'none') return kubeProxy;
  const flannel = flannelPart(request, {
    script: WINS_FLANNEL_SCRIPT,
    variables: { SETUP_MODE: isOverlay ? 'overlay' : 'l2bridge' },
    pod: winsPod('start.ps1', { hostNetwork: true }),
  });
  return [...flannel, ...kubeProxy];
}

const PIPE = String.raw`\\.\pipe\rancher_wins`;

/** A pod that has the whole host's disk, and has wins start processes on the host. */
function winsPod(script: string, spec: JsonObject): PodShape {
  return {
    command: ['pwsh', '-NoLogo', '-NoProfile', '-NonInteractive', '-File', `${MOUNTS.files}/${script}`],
    // A pipe of the host can be mounted for this user alone.
    spec: { ...spec, securityContext: { windowsOptions: { runAsUserName: 'ContainerAdministrator' } } },
    mounts: [
      { name: 'host', mountPath: '/host' },
      { name: 'wins', mountPath: PIPE },
    ],
    volumes: [
      { name: 'host', hostPath: { path: '/' } },
      { name: 'wins', hostPath: { path: PIPE } },
    ],
  };
}

const WINS_KUBE_PROXY_SCRIPT = String.raw`$ErrorActionPreference = 'Stop'
New-Item -ItemType Directory -Force -Path /host/k/kube-proxy | Out-Null
Copy-Item /k/kube-proxy/* /host/k/kube-proxy -Force
Copy-Item ${MOUNTS.access}/kubeconfig, ${MOUNTS.access}/ca.crt, ${MOUNTS.access}/token /host/k/kube-proxy -Force

$arguments = @('--kubeconfig=/k/kube-proxy/kubeconfig', "--hostname-override=$env:NODE_NAME")
$arguments += Get-Content ${MOUNTS.files}/arguments.txt
# The first address of the node's own subnet, which no pod gets.
if ($env:OVERLAY -eq 'true') { $arguments += "--source-vip=$($env:POD_ADDRESS -replace '\.\d+$', '.0')" }
wins cli process run --path /k/kube-proxy/kube-proxy.exe --args ($arguments -join ' ')
exit $LASTEXITCODE
`;

const WINS_FLANNEL_SCRIPT = String.raw`$ErrorActionPreference = 'Stop'
New-Item -ItemType Directory -Force -Path /host/k/flannel, /host/opt/cni/bin, /host/etc/cni/net.d | Out-Null
Copy-Item /cni/* /host/opt/cni/bin -Force -Recurse
Copy-Item /k/flannel/* /host/k/flannel -Force
Copy-Item ${MOUNTS.access}/kubeconfig, ${MOUNTS.access}/ca.crt, ${MOUNTS.access}/token /host/k/flannel -Force
Copy-Item ${MOUNTS.files}/net-conf.json /host/k/flannel -Force

$subnet = (wins cli net get | ConvertFrom-Json).SubnetCIDR
$configuration = Get-Content -Raw ${MOUNTS.files}/cni-conf.json
$configuration = $configuration.Replace('HOST_ADDRESS', $env:HOST_ADDRESS).Replace('HOST_SUBNET', $subnet)
Set-Content /host/etc/cni/net.d/10-flannel.conf $configuration

wins cli process run --path /k/flannel/setup.exe --args "--mode=$env:SETUP_MODE --interface=Ethernet"
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
$arguments = '--kube-subnet-mgr --kubeconfig-file=/k/flannel/kubeconfig --net-config-path=/k/flannel/net-conf.json'
wins cli process run --path /k/flannel/flanneld.exe --args "$arguments --iface=$env:HOST_ADDRESS" --envs "NODE_NAME=$env:NODE_NAME"
exit $LASTEXITCODE
`;
