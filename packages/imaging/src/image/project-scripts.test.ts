import { generateKeyPairSync } from 'node:crypto';
import { IMAGE_PLATFORMS, readImageConfig } from './config.ts';
import { expect, test } from 'vitest';
import { powershellMistakes } from '@fenestra/worker/testing/powershell-grammar';
import { setupCompleteText } from '../provision/cloudbase.ts';
import { imageProject } from './image-project.ts';
import { COMMUNICATORS, type ImageWishes } from './image-wishes.ts';
import { openingScript } from './communicator.ts';
import { templateValues } from './image-config-template.ts';
import { filledIn } from './testing/filled-in.ts';

const WORKER: ImageWishes = { system: '2022', platform: 'vsphere', role: 'worker', communicator: 'winrm' };

function fileOf(wishes: ImageWishes, path: string): string {
  return imageProject(wishes).find((file) => file.path === path)?.text ?? '';
}

test('every script of every project is PowerShell', async () => {
  const wishes = IMAGE_PLATFORMS.flatMap((platform) =>
    COMMUNICATORS.filter((way) => platform !== 'azure' || way === 'winrm').map((communicator) => ({
      ...WORKER,
      platform,
      communicator,
    })),
  );
  const scripts = wishes
    .flatMap(imageProject)
    .filter(({ path }) => /\.ps1(\.pkrtpl\.hcl)?$/.test(path))
    .map(({ text }) => text.replaceAll(/<\/?powershell>/g, '').replaceAll(/\$\{\w+\}/g, 'value'));
  const distinct = [...new Set(scripts)];
  // The grammar takes it, but PowerShell takes "$name:" in a text for the drive of a variable.
  expect(distinct.filter((script) => /"[^"\n]*\$(?!env:)\w+:/.test(script))).toEqual([]);
  expect((await powershellMistakes(...distinct)).flat()).toEqual([]);
});

const VALUES: Readonly<Record<string, string>> = {
  containerd_version: '2.1.4',
  cloudbase_init_version: '1.1.6',
  kubernetes_version: 'v1.33.1',
  containerd_url: 'https://mirror.example/containerd.tar.gz',
  kubelet_url: 'https://mirror.example/kubelet.exe',
  kubeadm_url: 'https://mirror.example/kubeadm.exe',
  kube_proxy_url: 'https://mirror.example/kube-proxy.exe',
  cloudbase_init_url: 'https://mirror.example/setup.msi',
  containerd_sha256: 'a'.repeat(64),
  kubelet_sha256: 'b'.repeat(64),
  cloudbase_init_sha256: 'c'.repeat(64),
};

test('what Packer makes of the template is a file that keadm understands', () => {
  const template = fileOf(WORKER, 'image.yaml.pkrtpl.hcl');
  const config = readImageConfig(filledIn(template, VALUES), 'image.yaml');
  expect(config).toMatchObject({ system: '2022', platform: 'vsphere', role: 'worker', labels: {} });
  expect(config.kubernetes).toEqual({
    version: 'v1.33.1',
    kubelet: { url: 'https://mirror.example/kubelet.exe', sha256: 'b'.repeat(64) },
  });
  const more = { ...VALUES, kubeadm_sha256: 'd'.repeat(64), pause_image: 'mirror.example/pause:3.10' };
  const fuller = readImageConfig(filledIn(template, more), 'image.yaml');
  expect(fuller.kubernetes?.kubeadm).toMatchObject({ sha256: 'd'.repeat(64) });
  expect(fuller.pauseImage).toBe('mirror.example/pause:3.10');
});

test('a signature and its key come through the template as they are', () => {
  const key = String(generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }));
  const url = 'https://mirror.example/kubelet.exe.sig';
  const values = { ...VALUES, kubelet_signature_url: url, kubelet_signature_key: key };
  const config = readImageConfig(filledIn(fileOf(WORKER, 'image.yaml.pkrtpl.hcl'), values), 'image.yaml');
  expect(config.kubernetes?.kubelet.signature?.url).toBe(url);
  expect(config.kubernetes?.kubelet.signature?.key.trim()).toBe(key.trim());
});

test.each(['kubelet_signature_key', 'kubelet_signature_url'])(
  'half of a signature stops the build instead of passing for none: %s',
  (name) => {
    const template = fileOf(WORKER, 'image.yaml.pkrtpl.hcl');
    const given = filledIn(template, { ...VALUES, [name]: 'https://mirror.example/x' });
    expect(() => readImageConfig(given, 'image.yaml')).toThrow('kubernetes.kubelet.signature.');
  },
);

test('the template of an edge node has no kubelet', () => {
  const edge: ImageWishes = { ...WORKER, role: 'edge' };
  const config = readImageConfig(filledIn(fileOf(edge, 'image.yaml.pkrtpl.hcl'), VALUES), 'image.yaml');
  expect(config.kubernetes).toBeUndefined();
  expect(templateValues(edge).map(([name]) => name)).not.toContain('kubelet_url');
});

test('an answer file names the edition of its version of Windows', () => {
  for (const system of ['2019', '2022', '2025'] as const)
    expect(fileOf({ ...WORKER, system }, 'answers/autounattend.xml.pkrtpl.hcl')).toContain(
      `Windows Server ${system} SERVERSTANDARDCORE`,
    );
});

test('the way in that a project opens is the one that the first start closes', () => {
  for (const communicator of COMMUNICATORS) {
    const [, rule] = /-DisplayName '([^']+)'/.exec(openingScript({ ...WORKER, communicator })) ?? [];
    expect(setupCompleteText('vsphere')).toContain(`delete rule name="${rule}"`);
  }
});

test('the remote access services of the build are disabled before the image is verified and sealed', () => {
  for (const platform of IMAGE_PLATFORMS) {
    const wishes: ImageWishes = { ...WORKER, platform };
    expect(fileOf(wishes, 'scripts/clean-up.ps1')).toMatch(/'WinRM', 'sshd'[^]*-StartupType Disabled/);
    expect(fileOf(wishes, 'image.pkr.hcl')).toMatch(/windows-restart[^]*clean-up\.ps1[^]*image verify[^]*seal\.ps1/);
  }
});

test.each([
  ['azure', 'allowed_inbound_ip_addresses'],
  ['aws', 'temporary_security_group_source_cidrs'],
] as const)('on %s only the builder reaches the machine while it is made', (platform, setting) => {
  const wishes: ImageWishes = { ...WORKER, platform };
  expect(fileOf(wishes, 'image.pkr.hcl')).toContain(`${setting} = var.builder_networks\n`);
  expect(fileOf(wishes, 'overrides.auto.pkrvars.hcl')).toContain('# builder_networks = []\n');
});

test('the disc with the answers, which has the password on it, stays neither with the template nor in the datastore', () => {
  const main = fileOf(WORKER, 'image.pkr.hcl');
  expect(main).toMatch(/remove_cdrom += true/);
  expect(main).toMatch(/remote_cache_cleanup += true/);
});

test('no project has a password in it', () => {
  for (const platform of IMAGE_PLATFORMS)
    for (const { path, text } of imageProject({ ...WORKER, platform }))
      expect(path === 'variables.pkr.hcl' ? '' : text).not.toMatch(/password\s*=\s*"[^"$]+"/i);
});
