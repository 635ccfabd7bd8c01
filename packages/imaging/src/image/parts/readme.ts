import type { ImageWishes } from '../image-wishes.ts';
import { SYSTEMS } from '../systems.ts';

/** How to use the project. */
export function readmeText({ system, platform, role }: ImageWishes): string {
  return `# ${SYSTEMS[system].title} for ${platform}, as ${role === 'edge' ? 'an edge node' : 'a Kubernetes worker'}

1. Fill in \`overrides.auto.pkrvars.hcl\`: every download needs its SHA-256 digest. Each has a
   separate URL (\`*_url\`), so that you can use packages that you signed, and a field for a signature URL.
2. Check it: \`keadm image validate .\`
3. Build it: \`packer init . && packer build .\`

Inside the machine \`keadm image provision\` sets everything up and \`keadm image verify\` checks it: a build that does not
pass makes no image.
`;
}
