import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstallerRecipe } from '../installer-recipe.ts';
import { runTool } from '../run-tool.ts';
import { stageFile } from '../stage-file.ts';
import { debianScripts } from './debian-scripts.ts';

/** The processors of Debian. */
export type DebianArchitecture = 'amd64' | 'arm64';

/** A package for Debian and what descends from it. */
export interface DebianRecipe extends InstallerRecipe {
  readonly architecture: DebianArchitecture;
  readonly license: string;
}

const PROGRAM = 'usr/bin/keadm';
const LICENSE = 'usr/share/doc/fenestra/copyright';

/** Makes the package. Its program is what a node's agent is copied from; the package itself has no service. */
export async function makeDeb(recipe: DebianRecipe): Promise<void> {
  const { work, epoch, executable, output, quick } = recipe;
  const tree = join(work, 'tree');
  const scripts = Object.entries(debianScripts()).map(([name, text]) => ({
    path: `DEBIAN/${name}`,
    content: { text },
    mode: 0o755,
  }));
  const files = [
    { path: PROGRAM, content: { from: executable }, mode: 0o755 },
    { path: LICENSE, content: { from: recipe.license }, mode: 0o644 },
    { path: 'DEBIAN/control', content: { text: controlText(recipe, (await stat(executable)).size) }, mode: 0o644 },
    ...scripts,
  ];
  for (const file of files) await stageFile({ ...file, path: join(tree, file.path) }, epoch);
  // Folders have the rights that anyone who builds gives to new ones.
  await runTool('chmod', ['--recursive', 'u=rwX,go=rX', tree], { cwd: work, epoch });
  // One thread: several would cut the data into as many pieces as there are processors.
  const compression = quick ? ['-Zgzip', '-z1'] : ['-Zxz', '-z6', '--threads-max=1'];
  await runTool('dpkg-deb', [...compression, '--root-owner-group', '--build', tree, output], { cwd: work, epoch });
}

/** A pre-release is older than its release for dpkg only if a tilde stands between them. */
export function debianVersion(version: string): string {
  return version.replace('-', '~');
}

function controlText({ version, architecture }: DebianRecipe, bytes: number): string {
  return `Package: fenestra
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: Fenestra <fenestra@localhost>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6
Section: admin
Priority: optional
Description: makes this machine a managed node, and keeps it alive
 keadm joins a machine to an edge cluster or to plain Kubernetes, and looks
 after it for its whole life: upgrades, backups, configuration, reset.
`;
}
