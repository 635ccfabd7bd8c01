import { SYSTEMS, type ImageWishes, type PlatformParts } from '../image-wishes.ts';
import { communicatorText } from '../communicator.ts';
import { builderNetworks, text } from '../variables.ts';

/** An image in a gallery of Azure, made from Microsoft's own. */
export function azureParts(wishes: ImageWishes): PlatformParts {
  return {
    plugin: { name: 'azure', source: 'github.com/hashicorp/azure', version: '>= 2.1.0' },
    sourceType: 'azure-arm',
    variables: [
      text('subscription_id', 'The subscription that pays'),
      builderNetworks(),
      text('location', 'Where the image is made', { default: '"westeurope"' }),
      text('vm_size', 'The size of the machine it is made on', { default: '"Standard_D4s_v5"' }),
      text('source_image_version', "The version of Microsoft's image", { default: '"latest"' }),
      text('gallery_resource_group', 'The resource group of the gallery'),
      text('gallery_name', 'The gallery the image goes to'),
      text('image_version', 'The version of the image', {
        validation: {
          pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$',
          message: 'The image_version must be like "1.33.1".',
        },
      }),
      {
        name: 'replication_regions',
        type: 'list(string)',
        description: 'Further regions for the image',
        default: '[]',
      },
    ],
    source: sourceText(wishes),
    files: [],
    seals: 'as-step',
  };
}

function sourceText(wishes: ImageWishes): string {
  return `  use_azure_cli_auth = true
  subscription_id    = var.subscription_id
  location           = var.location
  vm_size            = var.vm_size

  os_type         = "Windows"
  image_publisher = "MicrosoftWindowsServer"
  image_offer     = "WindowsServer"
  image_sku       = "${SYSTEMS[wishes.system].azureSku}"
  image_version   = var.source_image_version

  allowed_inbound_ip_addresses = var.builder_networks

${communicatorText(wishes, 'packer', undefined)}
  shared_image_gallery_destination {
    subscription        = var.subscription_id
    resource_group      = var.gallery_resource_group
    gallery_name        = var.gallery_name
    image_name          = var.image_name
    image_version       = var.image_version
    replication_regions = concat([var.location], var.replication_regions)
  }

  azure_tags = var.labels
`;
}
