import { SYSTEMS, type ImageWishes, type PlatformParts } from '../image-wishes.ts';
import { communicatorText, openingScript } from '../communicator.ts';
import { builderNetworks, text } from '../variables.ts';

/** An AMI, made from Amazon's own. */
export function awsParts(wishes: ImageWishes): PlatformParts {
  return {
    plugin: { name: 'amazon', source: 'github.com/hashicorp/amazon', version: '>= 1.3.0' },
    sourceType: 'amazon-ebs',
    variables: [
      text('region', 'Where the image is made'),
      builderNetworks(),
      text('instance_type', 'The size of the machine it is made on', { default: '"m5.xlarge"' }),
      text('subnet_id', 'The subnet it is made in; empty for the default one', { default: '""' }),
      { name: 'disk_size_gb', type: 'number', description: 'The size of the system disk', default: '80' },
      { name: 'ami_regions', type: 'list(string)', description: 'Further regions for the image', default: '[]' },
    ],
    source: sourceText(wishes),
    files: [{ path: 'scripts/user-data.ps1', text: userData(wishes) }],
    seals: 'as-step',
  };
}

function sourceText(wishes: ImageWishes): string {
  return `  region         = var.region
  instance_type  = var.instance_type
  subnet_id      = var.subnet_id
  ami_name       = var.image_name
  ami_regions    = var.ami_regions
  tags           = var.labels
  user_data_file = "\${path.root}/scripts/user-data.ps1"

  source_ami_filter {
    filters = {
      name                = "${SYSTEMS[wishes.system].awsFilter}"
      root-device-type    = "ebs"
      virtualization-type = "hvm"
    }
    owners      = ["amazon"]
    most_recent = true
  }

  launch_block_device_mappings {
    device_name           = "/dev/sda1"
    volume_size           = var.disk_size_gb
    volume_type           = "gp3"
    delete_on_termination = true
  }

  # What asks the machine for its metadata must prove that it runs on it.
  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  temporary_security_group_source_cidrs = var.builder_networks

${communicatorText(wishes, 'Administrator', undefined)}`;
}

/** For SSH, Packer generates a key, which the machine fetches from its metadata. */
const TAKE_KEY = `
$token = Invoke-RestMethod -Method Put -Uri 'http://169.254.169.254/latest/api/token' -Headers @{ 'X-aws-ec2-metadata-token-ttl-seconds' = '300' }
$key = Invoke-RestMethod -Uri 'http://169.254.169.254/latest/meta-data/public-keys/0/openssh-key' -Headers @{ 'X-aws-ec2-metadata-token' = $token }
$file = 'C:\\ProgramData\\ssh\\administrators_authorized_keys'
Set-Content -Path $file -Value $key -Encoding ascii
& "$env:SystemRoot\\System32\\icacls.exe" $file /inheritance:r /grant '*S-1-5-18:F' '*S-1-5-32-544:F' | Out-Null
`;

function userData(wishes: ImageWishes): string {
  return `<powershell>
${openingScript(wishes)}${wishes.communicator === 'ssh' ? TAKE_KEY : ''}</powershell>
`;
}
