import type { ImageWishes } from './image-wishes.ts';

/** The name of the template in the project. */
export const CONFIG_TEMPLATE = 'image.yaml.pkrtpl.hcl';

interface TemplateDownload {
  readonly prefix: string;
  readonly indent: string;
}

/** The template of the image configuration. Strings are written as JSON, which is valid YAML. */
export function configTemplate({ system, platform, role }: ImageWishes): string {
  return `apiVersion: fenestra.dev/v1
kind: ImageConfig
system: "${system}"
platform: ${platform}
role: ${role}
containerd:
  version: \${jsonencode(containerd_version)}
${downloadText({ prefix: 'containerd', indent: '  ' })}${role === 'worker' ? kubernetesText() : ''}cloudbaseInit:
  version: \${jsonencode(cloudbase_init_version)}
${downloadText({ prefix: 'cloudbase_init', indent: '  ' })}%{ if pause_image != "" }
pauseImage: \${jsonencode(pause_image)}
%{ endif }
labels: \${jsonencode(labels)}
`;
}

/** The variables that the template needs, each with the expression that gives it. */
export function templateValues({ role }: ImageWishes): readonly (readonly [string, string])[] {
  const prefixes = ['containerd', ...(role === 'worker' ? ['kubelet', 'kubeadm', 'kube_proxy'] : []), 'cloudbase_init'];
  return [
    ...['containerd_version', 'cloudbase_init_version', 'pause_image', 'labels'].map(ofVariable),
    ...(role === 'worker' ? [ofVariable('kubernetes_version')] : []),
    ...prefixes.flatMap((prefix) => [
      [`${prefix}_url`, `local.${prefix}_url`] as const,
      ...['sha256', 'signature_url', 'signature_key'].map((part) => ofVariable(`${prefix}_${part}`)),
    ]),
  ];
}

function ofVariable(name: string): readonly [string, string] {
  return [name, `var.${name}`];
}

function kubernetesText(): string {
  const optional = (key: string, prefix: string): string => `%{ if ${prefix}_sha256 != "" }
  ${key}:
${downloadText({ prefix, indent: '    ' })}%{ endif }
`;
  return `kubernetes:
  version: \${jsonencode(kubernetes_version)}
  kubelet:
${downloadText({ prefix: 'kubelet', indent: '    ' })}${optional('kubeadm', 'kubeadm')}${optional('kubeProxy', 'kube_proxy')}`;
}

/** keadm reports half of a signature as a mistake; left out, the download would seem to be verified. */
function downloadText({ prefix, indent }: TemplateDownload): string {
  return `${indent}url: \${jsonencode(${prefix}_url)}
${indent}sha256: \${jsonencode(${prefix}_sha256)}
%{ if ${prefix}_signature_url != "" || ${prefix}_signature_key != "" }
${indent}signature:
${indent}  url: \${jsonencode(${prefix}_signature_url)}
${indent}  key: |
${indent}    \${indent(${indent.length + 4}, ${prefix}_signature_key)}
%{ endif }
`;
}
