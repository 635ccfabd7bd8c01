import type { ImageWishes } from '../image-wishes.ts';
import { SYSTEMS } from '../systems.ts';

/** How to use the project. */
export function readmeText({ system, platform, role }: ImageWishes): string {
  return `# ${SYSTEMS[system].title} for ${platform}, as ${role === 'edge' ? 'an edge node' : 'a Kubernetes worker'}

1. Fill in \`overrides.auto.pkrvars.hcl\`: every piece that comes from elsewhere needs its SHA-256 digest. Each has an
   address of its own (\`*_url\`), so that packages you have signed yourself can be used, and a place for a signature.
2. Check it: \`keadm image validate .\`
3. Build it: \`packer init . && packer build .\`

Inside the machine \`keadm image provision\` does all the work and \`keadm image verify\` tests it: a build that does not
pass makes no image.
`;
}
