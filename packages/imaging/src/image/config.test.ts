import { generateKeyPairSync } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { readImageConfig } from './config.ts';

const DIGEST = 'a'.repeat(64);

const WORKER = `apiVersion: fenestra.dev/v1
kind: ImageConfig
system: 2022
platform: azure
role: worker
containerd:
  version: 2.1.4
  url: https://mirror.example/containerd-2.1.4-windows-amd64.tar.gz
  sha256: ${DIGEST}
kubernetes:
  version: v1.33.1
  kubelet:
    url: https://mirror.example/kubelet.exe
    sha256: ${DIGEST}
cloudbaseInit:
  version: 1.1.6
  url: https://mirror.example/CloudbaseInitSetup_x64.msi
  sha256: ${DIGEST}
`;

function problemsOf(text: string): readonly string[] {
  try {
    readImageConfig(text, 'image.yaml');
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    expect(error.code).toBe('CONFIG_INVALID');
    return error.message.split('\n').slice(1);
  }
  return [];
}

test('readImageConfig takes a version that looks like a number as the text it is', () => {
  expect(readImageConfig(WORKER, 'image.yaml')).toMatchObject({ system: '2022', role: 'worker' });
});

test('readImageConfig names every problem with its line', () => {
  const text = WORKER.replace('2022', '2016')
    .replace(DIGEST, 'b'.repeat(128))
    .replace('https://mirror.example/kubelet.exe', 'http://mirror.example/kubelet.exe')
    .replace('1.1.6', 'newest')
    .replace('platform: azure', 'platfrom: azure');
  expect(problemsOf(text)).toEqual([
    '  image.yaml:1 platform: must be "azure" or "aws" or "vsphere" or "qemu"',
    '  image.yaml:3 system: must be "2019" or "2022" or "2025"',
    '  image.yaml:4 platfrom: unknown key; did you mean "platform"?',
    '  image.yaml:9 containerd.sha256: must be a SHA-256 digest: 64 hexadecimal digits; this one is of SHA-512',
    '  image.yaml:13 kubernetes.kubelet.url: must be an address that begins with "https://", or an absolute path',
    '  image.yaml:16 cloudbaseInit.version: must be a version such as "1.2.3"',
  ]);
});

test('readImageConfig refuses what would be a secret in the image, without repeating it', () => {
  const [problem = ''] = problemsOf(WORKER.replace('kubelet.exe', 'kubelet.exe?sig=hunter2'));
  expect(problem).toContain('kubernetes.kubelet.url: must have no user, password or query');
  expect(problem).not.toContain('hunter2');
});

test('readImageConfig wants a kubelet for a worker, and none for an edge node', () => {
  expect(problemsOf(WORKER.replace(/kubernetes:[^]*(?=cloudbaseInit)/, ''))).toEqual([
    '  image.yaml:5 role: is "worker", which needs the part "kubernetes"',
  ]);
  expect(problemsOf(WORKER.replace('role: worker', 'role: edge')).join()).toContain('kubernetes: is for the role');
});

test('readImageConfig takes the public key of a signer, and no private one', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  expect(problemsOf(signed(publicKey.export({ type: 'spki', format: 'pem' })))).toEqual([]);
  expect(problemsOf(signed(privateKey.export({ type: 'pkcs8', format: 'pem' })))).toEqual([
    '  image.yaml:21 cloudbaseInit.signature.key: must be a public key in PEM form',
  ]);
});

function signed(pem: string | Buffer): string {
  return `${WORKER}  signature:\n    url: https://mirror.example/setup.sig\n    key: |\n${indented(String(pem))}`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '      ');
}
