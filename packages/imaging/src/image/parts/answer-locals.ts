import type { ImageWishes } from '../image-wishes.ts';

/** The locals of a build from the installation medium, which answers its questions. */
export function answerLocals({ platform }: ImageWishes): string {
  if (platform !== 'vsphere' && platform !== 'qemu') return '';
  const tools = platform === 'vsphere' ? TOOLS : '{}';
  return `
  answer_file = templatefile("\${path.root}/answers/autounattend.xml.pkrtpl.hcl", {
    product_key            = var.product_key
    time_zone              = var.time_zone
    administrator_password = replace(replace(replace(var.administrator_password, "&", "&amp;"), "<", "&lt;"), ">", "&gt;")
  })
  first_logon = templatefile("\${path.root}/answers/first-logon.ps1.pkrtpl.hcl", ${tools})
`;
}

/** The template has them in single quotes of PowerShell. */
const TOOLS = `{
    vmware_tools_url    = replace(var.vmware_tools_url, "'", "''")
    vmware_tools_sha256 = var.vmware_tools_sha256
    vmware_tools_signer = replace(var.vmware_tools_signer, "'", "''")
  }`;
