import { answerLocals } from './answer-files.ts';
import type { ImageRole } from './config.ts';
import { CONFIG_TEMPLATE, templateValues } from './image-config-template.ts';
import { BUILD_FOLDER, type ImageWishes, type PlatformParts } from './image-wishes.ts';

const KUBERNETES = 'https://dl.k8s.io/release/${var.kubernetes_version}/bin/windows/amd64';
const CONTAINERD =
  'https://github.com/containerd/containerd/releases/download/v${var.containerd_version}/containerd-${var.containerd_version}-windows-amd64.tar.gz';
const CLOUDBASE =
  'https://github.com/cloudbase/cloudbase-init/releases/download/${var.cloudbase_init_version}/CloudbaseInitSetup_${replace(var.cloudbase_init_version, ".", "_")}_x64.msi';

/** The file of the `packer` block, which Packer before 1.7 cannot read. */
export const PLUGINS_FILE = 'plugins.pkr.hcl';

export function pluginsText({ plugin }: PlatformParts): string {
  return `packer {
  required_version = ">= 1.9.0"
  required_plugins {
    ${plugin.name} = {
      source  = "${plugin.source}"
      version = "${plugin.version}"
    }
  }
}
`;
}

/** The file of the locals, the source and the build. */
export function mainText(wishes: ImageWishes, parts: PlatformParts): string {
  const { sourceType, source, seals } = parts;
  return `locals {
${localsText(wishes.role)}
  # The configuration of keadm inside the machine. Only the provenance of the image keeps it.
  image_config = templatefile("\${path.root}/${CONFIG_TEMPLATE}", {
${aligned(templateValues(wishes), '    ')}
  })
${answerLocals(wishes)}}

source "${sourceType}" "image" {
${source}}

build {
  sources = ["source.${sourceType}.image"]

${provisioners()}${seals === 'as-step' ? SEALING : SEALING_LATER}}
`;
}

function localsText(role: ImageRole): string {
  const origins = {
    containerd: CONTAINERD,
    ...(role === 'worker'
      ? {
          kubelet: `${KUBERNETES}/kubelet.exe`,
          kubeadm: `${KUBERNETES}/kubeadm.exe`,
          kube_proxy: `${KUBERNETES}/kube-proxy.exe`,
        }
      : {}),
    cloudbase_init: CLOUDBASE,
  };
  const values = Object.entries(origins).map(
    ([prefix, origin]) => [`${prefix}_url`, `var.${prefix}_url != "" ? var.${prefix}_url : "${origin}"`] as const,
  );
  return `${aligned(values, '  ')}\n`;
}

/** A line for each value, aligned as "packer fmt" does. */
function aligned(values: readonly (readonly [string, string])[], indent: string): string {
  const width = Math.max(...values.map(([name]) => name.length));
  return values.map(([name, value]) => `${indent}${name.padEnd(width)} = ${value}`).join('\n');
}

function provisioners(): string {
  const keadm = `${BUILD_FOLDER}\\keadm.exe`.replaceAll('\\', '\\\\');
  const config = `${BUILD_FOLDER}\\image.yaml`.replaceAll('\\', '\\\\');
  const run = (words: string): string => `  provisioner "powershell" {
    inline = [
      "& '${keadm}' ${words} --config '${config}'",
      "exit $LASTEXITCODE",
    ]
  }
`;
  return `  # keadm is verified first, since it verifies everything else.
  provisioner "powershell" {
    script = "\${path.root}/scripts/get-keadm.ps1"
    environment_vars = [
      "KEADM_URL=\${var.keadm_url}",
      "KEADM_SHA256=\${var.keadm_sha256}",
      "KEADM_SIGNER=\${var.keadm_signer}",
    ]
  }

  provisioner "file" {
    content     = local.image_config
    destination = "${config}"
  }

${run('image provision')}
  provisioner "windows-restart" {
    restart_timeout = "20m"
  }

  provisioner "powershell" {
    script = "\${path.root}/scripts/clean-up.ps1"
  }

  # The image must pass this check, or it is not made.
${run('image verify')}`;
}

/** The script has to be in the machine before it is called. */
const SEALING_LATER = `
  # Makes Windows forget which machine it was, when the builder shuts it down.
  provisioner "file" {
    source      = "\${path.root}/scripts/seal.ps1"
    destination = "${`${BUILD_FOLDER}\\seal.ps1`.replaceAll('\\', '\\\\')}"
  }
`;

const SEALING = `
  # Generalizes Windows. This must be the last provisioner.
  provisioner "powershell" {
    script = "\${path.root}/scripts/seal.ps1"
  }
`;
