import type { ProjectModel } from '../project-model.ts';
import type { ProjectProblem } from '../project-problem.ts';

/** The plugin that a type of source comes with. */
const PLUGINS: readonly (readonly [RegExp, string])[] = [
  [/^azure-/, 'azure'],
  [/^amazon-/, 'amazon'],
  [/^vsphere-/, 'vsphere'],
  [/^vmware-/, 'vmware'],
  [/^qemu$/, 'qemu'],
  [/^hyperv-/, 'hyperv'],
  [/^googlecompute$/, 'googlecompute'],
];

/** Sources whose plugin is not asked for: `packer init` would not fetch it. */
export function plugins({ sources, plugins: asked }: ProjectModel): readonly ProjectProblem[] {
  return sources.flatMap(({ file, line, name }) => {
    const type = name.split('.')[0] ?? '';
    const [, plugin] = PLUGINS.find(([pattern]) => pattern.test(type)) ?? [];
    if (plugin === undefined || asked.includes(plugin)) return [];
    return [{ file, line, severity: 'error', message: `"${type}" needs the plugin "${plugin}" in "required_plugins"` }];
  });
}
