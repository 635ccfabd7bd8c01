import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checksReferenceFiles, cliReferenceFiles } from '../apps/keadm/src/cli/reference.ts';
import { buildProgram } from '../apps/keadm/src/cli/program.ts';
import { environmentInMemory } from '../apps/keadm/src/testing/keadm-in-memory.ts';
import { batchProofReferenceFiles } from '../e2e/suites/batch/proofs-page.ts';
import { podProofReferenceFiles } from '../e2e/suites/pods/behaviours-page.ts';
import { configReferenceFiles } from '../packages/contracts/src/config/reference/reference-files.ts';
import { batchFileReferenceFiles } from '../packages/fleet/src/inventory/file/reference.ts';
import { batchReportReferenceFiles } from '../packages/fleet/src/report/reference.ts';
import { lintReferenceFiles } from '../packages/imaging/src/lint/rules.ts';
import { nodePoolReferenceFiles } from '../packages/imaging/src/template/node-pool-config.ts';
import { withSuiteTable } from './suites.ts';

/** `node scripts/reference.ts` writes the generated pages of docs/reference and the table of suites; with `--check` it only compares. */
const FOLDER = join(import.meta.dirname, '../docs/reference');
const environment = environmentInMemory({ out: () => {}, err: () => {} });
const program = await buildProgram([], environment, { deliver: () => {}, writeHelp: () => {} });
const files = [
  ...cliReferenceFiles(program),
  ...checksReferenceFiles(),
  ...configReferenceFiles(),
  ...batchFileReferenceFiles(),
  ...batchReportReferenceFiles(),
  ...batchProofReferenceFiles(),
  ...podProofReferenceFiles(),
  ...nodePoolReferenceFiles(),
  ...lintReferenceFiles(),
].map(([name, text]) => ({ path: join(FOLDER, name), text }));
const suites = join(import.meta.dirname, '../e2e/README.md');
files.push({ path: suites, text: withSuiteTable(readFileSync(suites, 'utf8')) });

if (process.argv.includes('--check')) {
  const stale = files.filter(({ path, text }) => read(path) !== text);
  for (const { path } of stale) console.error(`${path} is not what the sources say: run "node scripts/reference.ts"`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  mkdirSync(FOLDER, { recursive: true });
  for (const { path, text } of files) writeFileSync(path, text);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
