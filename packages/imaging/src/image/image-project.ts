import type { ImagePlatform } from './config/schema.ts';
import { requirePossible, type ImageWishes } from './image-wishes.ts';
import { CONFIG_TEMPLATE, configTemplate } from './parts/image-config-template.ts';
import { mainText } from './parts/main-file.ts';
import { overridesText } from './parts/overrides.ts';
import { readmeText } from './parts/readme.ts';
import { scriptFiles } from './parts/scripts.ts';
import { variablesText } from './parts/variables-file.ts';
import { commonVariables } from './parts/variables.ts';
import { awsParts } from './platforms/aws.ts';
import { azureParts } from './platforms/azure.ts';
import { qemuParts } from './platforms/qemu.ts';
import { vsphereParts } from './platforms/vsphere.ts';
import type { PlatformParts, ProjectFile } from './project-file.ts';

const PLATFORMS: Readonly<Record<ImagePlatform, (wishes: ImageWishes) => PlatformParts>> = {
  azure: azureParts,
  aws: awsParts,
  vsphere: vsphereParts,
  qemu: qemuParts,
};

/** The files of a Packer project that makes the wanted image. */
export function imageProject(wishes: ImageWishes): readonly ProjectFile[] {
  requirePossible(wishes);
  const parts = PLATFORMS[wishes.platform](wishes);
  const variables = [...commonVariables(wishes.role), ...parts.variables];
  return [
    { path: 'README.md', text: readmeText(wishes) },
    { path: 'image.pkr.hcl', text: mainText(wishes, parts) },
    { path: 'variables.pkr.hcl', text: variablesText(variables) },
    { path: 'overrides.auto.pkrvars.hcl', text: overridesText(variables) },
    { path: CONFIG_TEMPLATE, text: configTemplate(wishes) },
    ...scriptFiles(parts.seals, wishes.platform),
    ...parts.files,
  ];
}
