import { IMAGE_PLATFORMS, type ImagePlatform } from './config.ts';
import { CONFIG_TEMPLATE, configTemplate } from './image-config-template.ts';
import { mainText, PLUGINS_FILE, pluginsText } from './main-file.ts';
import { type ImageWishes, type PlatformParts, type ProjectFile, requirePossible, SYSTEMS } from './image-wishes.ts';
import { awsParts } from './platforms/aws.ts';
import { azureParts } from './platforms/azure.ts';
import { qemuParts } from './platforms/qemu.ts';
import { vsphereParts } from './platforms/vsphere.ts';
import { scriptFiles } from './scripts.ts';
import { commonVariables, overridesText, type ProjectVariable, variablesText } from './variables.ts';

const PLATFORMS: Readonly<Record<ImagePlatform, (wishes: ImageWishes) => PlatformParts>> = {
  azure: azureParts,
  aws: awsParts,
  vsphere: vsphereParts,
  qemu: qemuParts,
};

/** The files of a Packer project that builds the image. */
export function imageProject(wishes: ImageWishes): readonly ProjectFile[] {
  requirePossible(wishes);
  const parts = PLATFORMS[wishes.platform](wishes);
  const variables = [...commonVariables(wishes.role), ...parts.variables];
  return [
    { path: 'README.md', text: readmeText(wishes) },
    { path: PLUGINS_FILE, text: pluginsText(parts) },
    { path: 'image.pkr.hcl', text: mainText(wishes, parts) },
    { path: 'variables.pkr.hcl', text: variablesText(variables) },
    { path: 'overrides.auto.pkrvars.hcl', text: overridesText(variables) },
    { path: CONFIG_TEMPLATE, text: configTemplate(wishes) },
    ...scriptFiles(parts.seals, wishes.platform),
    ...parts.files,
  ];
}

/** The variables of all projects, by their names. */
export function knownVariables(): ReadonlyMap<string, ProjectVariable> {
  const wishes = { system: '2022', role: 'worker', communicator: 'winrm' } as const;
  const ofPlatforms = IMAGE_PLATFORMS.flatMap((platform) => PLATFORMS[platform]({ ...wishes, platform }).variables);
  return new Map([...commonVariables('worker'), ...ofPlatforms].map((variable) => [variable.name, variable]));
}

function readmeText({ system, platform, role }: ImageWishes): string {
  return `# ${SYSTEMS[system].title} for ${platform}, as ${role === 'edge' ? 'an edge node' : 'a Kubernetes worker'}

1. Fill in \`overrides.auto.pkrvars.hcl\`: every download needs its SHA-256 digest. Each has a
   separate URL (\`*_url\`), so that you can use packages that you signed, and a field for a signature URL.
2. Check it: \`keadm image validate .\`
3. Build it: \`packer init . && packer validate . && packer build .\`

Inside the machine \`keadm image provision\` sets everything up and \`keadm image verify\` checks it: a build that does not
pass makes no image.
`;
}
