import { proofText } from '../../support/reporting/proofs.ts';
import { type Fault, FAULTS, FAULTS_FILE } from './faults.ts';
import { type Finding, FINDINGS } from './findings.ts';

/** The files of `docs/reference` about what the tests of `keadm batch` show, by name. */
export function batchProofReferenceFiles(): ReadonlyMap<string, string> {
  return new Map([['batch-proofs.md', pageText()]]);
}

function pageText(): string {
  return `# What the tests show about \`keadm batch\`

<!-- Made by scripts/reference.ts from e2e/suites/batch/findings.ts and e2e/suites/batch/faults.ts. Do not edit: change those, then run it again. -->

Each row names a test by its file and a part of its name. \`npm run e2e -- batch\` runs those in \`e2e/suites/batch\`,
\`npm run e2e -- ssh\` those in \`e2e/suites/ssh\`, and \`npm run check\` all others.

## What KubeEdge's own batch command gets wrong

| # | KubeEdge's | This one | Shown by |
| --- | --- | --- | --- |
${FINDINGS.map(findingRow).join('\n')}

## What may go wrong, and how it ends

Each is made on a real SSH server. A node that fails does not stop the others. [The errors](../errors.md) say what to do,
[the events](batch-events.md#states-of-a-node) what the states mean.

| Fault | Exit code | State of the node | Error | Shown by |
| --- | --- | --- | --- | --- |
${FAULTS.map(faultRow).join('\n')}
`;
}

function findingRow({ number, weakness, ours, proofs }: Finding): string {
  return `| ${number} | ${weakness.charAt(0).toUpperCase()}${weakness.slice(1)} | ${ours} | ${proofs.map(proofText).join('; ')} |`;
}

function faultRow({ wrong, end: { exitCode, state, code }, test }: Fault): string {
  const error = code === undefined ? '' : `\`${code}\``;
  return `| ${wrong} | ${exitCode} | \`${state}\` | ${error} | ${proofText({ file: FAULTS_FILE, test })} |`;
}
