import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signFile, type CodeSigner } from '../authenticode.ts';
import type { InstallerRecipe } from '../installer-recipe.ts';
import { runTool } from '../run-tool.ts';
import { stableUuid } from '../stable-uuid.ts';
import { stageFile } from '../stage-file.ts';
import { databaseChanges } from './database-changes.ts';
import { pinSummary } from './pin-summary.ts';
import { wixSource } from './wix-source.ts';

const SOURCE = 'fenestra.wxs';
const PACKAGE = 'fenestra.msi';
/** As many letters of the digest as name the folder in which the program looks for its addon. */
const DIGEST_LETTERS = 32;

/** Makes the package for the installer of Windows. */
export async function makeMsi(recipe: InstallerRecipe, addon: string, signer?: CodeSigner): Promise<void> {
  const { version, epoch, executable, output, work } = recipe;
  await stageFile({ path: join(work, 'keadm.exe'), content: { from: executable }, mode: 0o755 }, epoch);
  await stageFile({ path: join(work, 'koffi.node'), content: { from: addon }, mode: 0o644 }, epoch);
  const digest = await sha256Of(addon);
  await writeFile(join(work, SOURCE), wixSource({ version, addonFolder: digest.slice(0, DIGEST_LETTERS) }));
  await runTool('wixl', ['--arch', 'x64', '--output', PACKAGE, SOURCE], { cwd: work, epoch });
  for (const statement of databaseChanges(version)) {
    await runTool('msibuild', [PACKAGE, '-q', statement], { cwd: work, epoch });
  }
  const database = await readFile(join(work, PACKAGE));
  // Packages of the same code must be the same, byte for byte.
  pinSummary(database, { code: stableUuid('package', version, await sha256Of(executable)), epoch });
  await writeFile(join(work, PACKAGE), database);
  await signFile(join(work, PACKAGE), output, signer);
}

async function sha256Of(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
