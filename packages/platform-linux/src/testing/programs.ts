import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'fenestra-programs-'));

/** `service-main.ts`, to be run by Node. */
export const SERVICE_MAIN = bundled('service-main');

/** `program-main.ts`, to be run by Node. */
export const PROGRAM_MAIN = bundled('program-main');

/** `supervisor-main.ts`, to be run by Node. */
export const SUPERVISOR_MAIN = bundled('supervisor-main');

/** In one file, because it is started dozens of times and would spend most of its time on loading modules. */
function bundled(name: string): string {
  const outfile = join(folder, `${name}.mjs`);
  const entryPoints = [join(import.meta.dirname, `${name}.ts`)];
  buildSync({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return outfile;
}
