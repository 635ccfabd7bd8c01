/** A bootstrap token as documentation has it. */
export const TOKEN = 'abcdef.0123456789abcdef';

/** A cloud-config of these lines. */
export function config(...lines: readonly string[]): string {
  return `${['#cloud-config', ...lines].join('\n')}\n`;
}

/** A KubeadmConfig with these lines below `spec`, which is in line 4. */
export function kubeadmConfig(...lines: readonly string[]): string {
  const head = [
    'apiVersion: bootstrap.cluster.x-k8s.io/v1beta1',
    'kind: KubeadmConfig',
    'metadata: {name: win}',
    'spec:',
  ];
  return `${[...head, ...lines.map((line) => `  ${line}`)].join('\n')}\n`;
}

/** A part of a MIME message. */
export function part(type: string, content: string, fileName?: string, encoding?: string): string {
  return [
    `Content-Type: ${type}`,
    ...(fileName === undefined ? [] : [`Content-Disposition: attachment; filename="${fileName}"`]),
    ...(encoding === undefined ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
    '',
    content,
  ].join('\n');
}

/** A MIME message of these parts; the first of them begins in line 5. */
export function message(...parts: readonly string[]): string {
  const head = 'Content-Type: multipart/mixed; boundary="=cut="\nMIME-Version: 1.0\n\n';
  return `${head}${parts.map((each) => `--=cut=\n${each}\n`).join('')}--=cut=--\n`;
}
