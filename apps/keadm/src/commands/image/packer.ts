import { execFile } from 'node:child_process';
import { mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packerProblems, PLUGINS_FILE, type ProjectFiles, type ProjectProblem } from '@fenestra/imaging';
import { childEnvironment, throwIfAborted } from '@fenestra/platform';

const LIMIT_MS = 60_000;
const READ_BY_PACKER = /^[^/]*\.(?:pkr|pkrvars)\.(?:hcl|json)$/;
/** Packer must not ask its vendor for updates, nor write a log. */
const SETTINGS = { CHECKPOINT_DISABLE: '1', PACKER_LOG: '', PACKER_NO_COLOR: '1' };

/** The problems that an installed Packer finds in the syntax of a project and in the types of its variables. */
export async function checkWithPacker(files: ProjectFiles, signal: AbortSignal): Promise<readonly ProjectProblem[]> {
  const { output } = await packer(['version'], tmpdir(), signal);
  const [, version = '', major, minor] = /^Packer v((\d+)\.(\d+)\S*)/m.exec(output) ?? [];
  // Another program of this name is part of cracklib.
  if (version === '') return [note('not checked by Packer: packer is not installed')];
  const readsPlugins = Number(major) > 1 || Number(minor) >= 7;
  const read = [...files].filter(([file]) => READ_BY_PACKER.test(file) && (readsPlugins || file !== PLUGINS_FILE));
  const problems = await validateCopy(read, signal);
  const old = `checked by Packer ${version}, which is too old to build this project: see "${PLUGINS_FILE}"`;
  return readsPlugins ? problems : [...problems, note(old)];
}

/** A copy, because one file may be left out, and so that the names in messages are those in the project. */
async function validateCopy(
  files: readonly (readonly [string, string])[],
  signal: AbortSignal,
): Promise<readonly ProjectProblem[]> {
  const folder = await mkdtemp(join(tmpdir(), 'keadm-packer-'));
  try {
    for (const [name, text] of files) await writeFile(join(folder, name), text, { mode: 0o600 });
    const { failed, output } = await packer(['validate', '-syntax-only', '.'], folder, signal);
    throwIfAborted('checking the project with Packer', signal);
    return failed ? packerProblems(output) : [];
  } finally {
    for (const [name] of files) await rm(join(folder, name), { force: true });
    await rmdir(folder);
  }
}

async function packer(
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<{ readonly failed: boolean; readonly output: string }> {
  const env = childEnvironment(SETTINGS, /^PKR_VAR_/);
  return new Promise((resolve) => {
    const options = { cwd, env, signal, timeout: LIMIT_MS, windowsHide: true };
    const child = execFile('packer', [...args], options, (error, stdout, stderr) => {
      resolve({ failed: error !== null, output: `${stdout}${stderr}` });
    });
    child.stdin?.end();
  });
}

function note(message: string): ProjectProblem {
  return { severity: 'note', message };
}
