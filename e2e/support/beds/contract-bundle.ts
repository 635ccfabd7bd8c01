import { join } from 'node:path';
import { build } from 'esbuild';
import { CHECKOUT } from './checkout.ts';

/** Bundles the contract runner into one file that a bare Node.js of any system runs, and returns its path. */
export async function bundleRunner(folder: string): Promise<string> {
  const outfile = join(folder, 'contract-runner.cjs');
  await build({
    entryPoints: [join(CHECKOUT, 'e2e', 'support', 'contract-runner', 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    logLevel: 'warning',
  });
  return outfile;
}
