import { answerFiles, iso, SHUTDOWN } from '../answer-files.ts';
import { communicatorText } from '../communicator.ts';
import type { ImageWishes, PlatformParts } from '../image-wishes.ts';
import { text } from '../variables.ts';

/** A disk of QEMU, made from the installation medium. */
export function qemuParts(wishes: ImageWishes): PlatformParts {
  return {
    plugin: { name: 'qemu', source: 'github.com/hashicorp/qemu', version: '>= 1.1.0' },
    sourceType: 'qemu',
    variables: [
      text('accelerator', 'How the machine is run: kvm, hvf, whpx or tcg', { default: '"kvm"' }),
      text('efi_firmware_code', 'The program of the firmware, which is a part of OVMF', {
        default: '"/usr/share/OVMF/OVMF_CODE_4M.fd"',
      }),
      text('efi_firmware_vars', 'The memory of the firmware, which is a part of OVMF', {
        default: '"/usr/share/OVMF/OVMF_VARS_4M.fd"',
      }),
      text('disk_size', 'The size of the disk', { default: '"80G"' }),
      text('output_folder', 'Output folder for the disk on this machine', { default: '"output"' }),
      ...iso(),
    ],
    source: sourceText(wishes),
    files: answerFiles(wishes, ''),
    seals: 'at-shutdown',
  };
}

/** Disk and network are of kinds that Windows has drivers for. */
function sourceText(wishes: ImageWishes): string {
  return `  iso_url      = var.os_iso_url
  iso_checksum = var.os_iso_checksum
  cd_label     = "ANSWERS"
  cd_content = {
    "autounattend.xml" = local.answer_file
    "first-logon.ps1"  = local.first_logon
  }

  accelerator       = var.accelerator
  machine_type      = "q35"
  efi_firmware_code = var.efi_firmware_code
  efi_firmware_vars = var.efi_firmware_vars
  cpus              = 4
  memory            = 8192
  disk_interface    = "ide"
  disk_size         = var.disk_size
  net_device        = "e1000e"
  format            = "qcow2"
  output_directory  = var.output_folder
  vm_name           = "\${var.image_name}.qcow2"
  headless          = true

  # The medium waits for a key.
  boot_wait    = "2s"
  boot_command = ["<enter><wait2s><enter><wait2s><enter>"]

${communicatorText(wishes, 'Administrator', 'var.administrator_password')}
${SHUTDOWN}`;
}
