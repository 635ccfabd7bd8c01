import { join } from 'node:path';
import { build } from 'esbuild';

/** Makes the far end of the tests one file, which starts in a fraction of the time that its sources take. */
export async function bundleFarEnd(folder: string): Promise<string> {
  const outfile = join(folder, 'far-end.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'far-end-main.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    // Some packages are of the old kind and ask for others by name.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return outfile;
}
