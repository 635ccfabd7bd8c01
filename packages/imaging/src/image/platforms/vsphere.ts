import { answerFiles, iso, SHUTDOWN } from '../answer-files.ts';
import { communicatorText } from '../communicator.ts';
import { SYSTEMS, type ImageWishes, type PlatformParts } from '../image-wishes.ts';
import { digest, text } from '../variables.ts';

/** A template of vSphere, and an OVA if wanted, made from the installation medium. */
export function vsphereParts(wishes: ImageWishes): PlatformParts {
  return {
    plugin: { name: 'vsphere', source: 'github.com/hashicorp/vsphere', version: '>= 1.4.0' },
    sourceType: 'vsphere-iso',
    variables: [
      text('vcenter_server', 'The address of vCenter'),
      text('vcenter_username', 'Who the builder is to vCenter'),
      text('vcenter_password', 'Its password', { sensitive: true }),
      { name: 'vcenter_insecure', type: 'bool', description: 'Whether to trust any certificate', default: 'false' },
      text('datacenter', 'The data centre'),
      text('cluster', 'The cluster'),
      text('datastore', 'The datastore'),
      text('folder', 'The folder of the template', { default: '""' }),
      text('network', 'The network'),
      { name: 'disk_size_mb', type: 'number', description: 'The size of the disk', default: '81920' },
      text('export_folder', 'Output folder for an OVF on this machine; empty for none', { default: '""' }),
      ...iso(),
      text('vmware_tools_url', 'Where the installer of VMware Tools is fetched from inside the machine', {
        validation: {
          pattern: '^https://[^?#@]+\\.exe$',
          message: 'The vmware_tools_url must begin with "https://" and lead to an ".exe".',
        },
      }),
      digest('vmware_tools_sha256', 'What the installer of VMware Tools must hash to'),
      text('vmware_tools_signer', 'Who must have signed it, as in the subject of an Authenticode certificate', {
        default: '"VMware"',
      }),
    ],
    source: sourceText(wishes),
    files: answerFiles(wishes, TOOLS),
    seals: 'at-shutdown',
  };
}

/** Disk and network are of kinds that Windows has drivers for, so that it needs none before VMware Tools are there. */
function sourceText(wishes: ImageWishes): string {
  return `  vcenter_server      = var.vcenter_server
  username            = var.vcenter_username
  password            = var.vcenter_password
  insecure_connection = var.vcenter_insecure
  datacenter          = var.datacenter
  cluster             = var.cluster
  datastore           = var.datastore
  folder              = var.folder

  vm_name              = var.image_name
  guest_os_type        = "${SYSTEMS[wishes.system].vsphereGuest}"
  firmware             = "efi-secure"
  CPUs                 = 4
  RAM                  = 8192
  disk_controller_type = ["lsilogic-sas"]
  notes                = join(", ", [for key, value in var.labels : "\${key}=\${value}"])

  storage {
    disk_size             = var.disk_size_mb
    disk_thin_provisioned = true
  }

  network_adapters {
    network      = var.network
    network_card = "e1000e"
  }

  iso_url      = var.os_iso_url
  iso_checksum = var.os_iso_checksum
  cd_label     = "ANSWERS"
  cd_content = {
    "autounattend.xml" = local.answer_file
    "first-logon.ps1"  = local.first_logon
  }
  # The disc with the answers contains the password: neither the template nor the datastore keeps it.
  remove_cdrom         = true
  remote_cache_cleanup = true

  # The medium waits for a key.
  boot_wait    = "2s"
  boot_command = ["<enter><wait2s><enter><wait2s><enter>"]

  # The machine has no address before Windows and VMware Tools are installed.
  ip_wait_timeout = "2h"

${communicatorText(wishes, 'Administrator', 'var.administrator_password')}
${SHUTDOWN}
  convert_to_template = true
  dynamic "export" {
    for_each = var.export_folder == "" ? [] : [var.export_folder]
    content {
      output_directory = export.value
    }
  }
`;
}

/** Without VMware Tools vSphere does not know the machine's address, and the builder waits without success. */
const TOOLS = `
$setup = Join-Path $env:TEMP 'vmware-tools.exe'
& "$env:SystemRoot\\System32\\curl.exe" --fail --silent --show-error --location --proto '=https' --retry 10 --retry-all-errors --output $setup '\${vmware_tools_url}'
if ($LASTEXITCODE -ne 0) { throw "Cannot fetch VMware Tools: curl ended with $LASTEXITCODE" }
$found = (Get-FileHash -Algorithm SHA256 -Path $setup).Hash
if ($found -ne '\${vmware_tools_sha256}') { throw "VMware Tools have the digest $found" }
$signature = Get-AuthenticodeSignature -FilePath $setup
if ($signature.Status -ne 'Valid' -or -not $signature.SignerCertificate.Subject.Contains('\${vmware_tools_signer}')) {
  throw "VMware Tools are signed by $($signature.SignerCertificate.Subject), and the signature is $($signature.Status)"
}
$run = Start-Process -FilePath $setup -ArgumentList '/S', '/v"/qn REBOOT=R"' -Wait -PassThru
if ($run.ExitCode -notin 0, 3010) { throw "The installer of VMware Tools ended with $($run.ExitCode)" }
Remove-Item -Force -Path $setup
`;
