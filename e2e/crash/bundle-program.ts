import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Some libraries ask for Node's own modules in the old way, which a bundle of the new kind has to be given. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Bundles a program of this folder, because it is started hundreds of times; returns the file to run. */
export async function bundleProgram(name: string): Promise<string> {
  const outfile = join(await mkdtemp(join(tmpdir(), `${name}-`)), `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: REQUIRE },
    logLevel: 'error',
  });
  return outfile;
}
