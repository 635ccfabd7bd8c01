import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll } from 'vitest';

/** Some libraries ask for Node's own modules in the old way, which a bundle of the new kind has to be given. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Bundles a program of this folder, because it is started hundreds of times; returns the file to run. It goes after all. */
export async function bundleProgram(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  afterAll(async () => rm(folder, { recursive: true }));
  const outfile = join(folder, `${name}.mjs`);
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
