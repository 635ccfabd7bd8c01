import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { InstallerRecipe } from '../installer-recipe.ts';
import { runTool } from '../run-tool.ts';
import { stageFile } from '../stage-file.ts';

/** An archive for any Linux. */
export interface TarballRecipe extends InstallerRecipe {
  readonly license: string;
}

/** What makes an archive depend on its files alone. */
const SAME_ANYWHERE = ['--sort=name', '--owner=root:0', '--group=root:0', '--format=ustar'];

/** Makes the archive: one folder, named like the archive, with the program in it. */
export async function makeTarball({ executable, license, output, work, epoch, quick }: TarballRecipe): Promise<void> {
  const name = basename(output, '.tar.gz');
  await mkdir(join(work, name), { recursive: true });
  await stageFile({ path: join(work, name, 'keadm'), content: { from: executable }, mode: 0o755 }, epoch);
  await stageFile({ path: join(work, name, 'LICENSE'), content: { from: license }, mode: 0o644 }, epoch);
  const draft = join(work, `${name}.tar`);
  const rights = ['--mode=u+rwX,go=rX', `--mtime=@${epoch}`];
  await runTool('tar', [...SAME_ANYWHERE, ...rights, '--create', '--file', draft, name], { cwd: work, epoch });
  await pipeline(createReadStream(draft), createGzip({ level: quick ? 1 : 9 }), createWriteStream(output));
}
