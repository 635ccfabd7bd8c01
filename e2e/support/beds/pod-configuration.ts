import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PAUSE_IMAGE } from './test-images.ts';

/** The network of the pods. */
export const POD_NETWORK = '10.88.0.';

const PLUGINS = '/usr/lib/cni';

/** Configures containerd, and the network of its pods, in a folder. Versions from 2 on have another form. */
export async function podConfiguration(folder: string, form: 'version 2' | 'version 3'): Promise<string> {
  const network = join(folder, 'cni');
  await mkdir(network, { recursive: true });
  await writeFile(join(network, '10-pods.conflist'), JSON.stringify(podNetwork(folder)));
  const common = `root = "${folder}/root"
state = "${folder}/state"

[grpc]
address = "${folder}/containerd.sock"

[plugins."io.containerd.internal.v1.opt"]
path = "${folder}/opt"
`;
  return form === 'version 2' ? version2(common, network) : version3(common, network);
}

function podNetwork(folder: string): object {
  const ranges = [[{ subnet: `${POD_NETWORK}0/24` }]];
  const ipam = { type: 'host-local', ranges, routes: [{ dst: '0.0.0.0/0' }], dataDir: join(folder, 'addresses') };
  return {
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [
      { type: 'bridge', bridge: 'pods0', isGateway: true, hairpinMode: true, ipMasq: false, ipam },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
}

function version2(common: string, network: string): string {
  return `version = 2
${common}
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "${PAUSE_IMAGE}"
stream_server_address = "127.0.0.1"
disable_apparmor = true
restrict_oom_score_adj = true

[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "${PLUGINS}"
conf_dir = "${network}"
`;
}

/** The form of containerd 2. */
function version3(common: string, network: string): string {
  return `version = 3
${common}
[plugins."io.containerd.grpc.v1.cri"]
stream_server_address = "127.0.0.1"

[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = "${PAUSE_IMAGE}"

[plugins."io.containerd.cri.v1.runtime"]
disable_apparmor = true
restrict_oom_score_adj = true

[plugins."io.containerd.cri.v1.runtime".cni]
bin_dirs = ["${PLUGINS}"]
conf_dir = "${network}"
`;
}
