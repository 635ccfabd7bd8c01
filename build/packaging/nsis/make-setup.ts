import { basename, join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { signCommandLine, signFile, type CodeSigner } from '../authenticode.ts';
import type { InstallerRecipe } from '../installer-recipe.ts';
import { runTool } from '../run-tool.ts';
import { stageFile } from '../stage-file.ts';
import { setupScript } from './setup-script.ts';

const SCRIPT = 'setup.nsi';
const PROGRAM = 'keadm.exe';

/** Makes the installer for Windows that is a program itself. */
export async function makeSetup(recipe: InstallerRecipe, signer?: CodeSigner): Promise<void> {
  const { version, quick, epoch, executable, output, work } = recipe;
  await stageFile({ path: join(work, PROGRAM), content: { from: executable }, mode: 0o755 }, epoch);
  const signCommand = signer === undefined ? undefined : signCommandLine(signer);
  const script = setupScript({ version, quick, executable: PROGRAM, output: basename(output), signCommand });
  await writeFile(join(work, SCRIPT), script);
  await runTool('makensis', ['-V2', '-WX', SCRIPT], { cwd: work, epoch });
  await signFile(join(work, basename(output)), output, signer);
}
