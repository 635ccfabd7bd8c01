import * as z from 'zod/mini';
import { BatchReport, BatchReportNode, BatchReportWave } from './report.ts';

const SCHEMA_FILE = 'batch-report.schema.json';

type Meanings<Part> = Readonly<Record<keyof Part, string>>;

// Only the reference is made of these, never the program.
const RUN: Meanings<BatchReport> = {
  run: 'the name of the run',
  file: 'the path of the batch file',
  outcome: 'how it ended; `not-ended` while it is in progress, and after an interruption',
  begun: 'when it began',
  ended: 'when it ended, the last time',
  total: 'how many nodes it is about',
  counts: 'how many of them are in each [state](batch-events.md#states-of-a-node); states without nodes are left out',
  halted:
    'the wave in which it was halted, why, and by what: a rule of the file, or an operator who requested hold or abort',
  waves: 'those that have started, in order',
  nodes: 'all of them',
};

const WAVE: Meanings<BatchReportWave> = {
  name: 'its name',
  begun: 'when it began',
  ended: 'when it ended',
  nodes: 'the names of its nodes',
};

const NODE: Meanings<BatchReportNode> = {
  name: 'its name in the batch file',
  command: 'the words that keadm is given there; secrets are `***`',
  wave: 'the wave that it went with',
  state: 'its [state](batch-events.md#states-of-a-node)',
  versionBefore: 'the version that the survey found; `none` if there was no node',
  versionAfter: 'the version that it has now, as far as the run knows; `none` after a reset',
  text: 'what it is doing, or how it ended, for people',
  attempts: 'how often the present operation was tried; 0 if nothing was started since the survey',
  begun: 'when work on it began',
  seconds: 'how long it was worked on',
  failure: 'why it failed, or is tried again: `code`, `message`, `hint`',
  lines: 'the last lines of keadm output on a node that failed; all are in its log. Empty in `status`',
};

/** The files of `docs/reference` about the report of a batch, by name. */
export function batchReportReferenceFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['batch-report.md', pageText()],
    [SCHEMA_FILE, schemaText()],
  ]);
}

function schemaText(): string {
  const { $schema, ...schema } = z.toJSONSchema(BatchReport, { reused: 'inline' });
  return `${JSON.stringify({ $schema, title: 'The report of a run of keadm batch', ...schema }, undefined, 2)}\n`;
}

function pageText(): string {
  return `# The report of a batch

<!-- Made by scripts/reference.ts from the schemas. Do not edit: change the schemas, then run it again. -->

\`keadm batch report --format json\` and \`report.json\` in the folder of a run hold one JSON object; \`keadm batch report
--output json\` prints the same, and \`keadm batch status --output json\` too, with two more keys: \`standing\` (how the run
ended, or \`goes on\`, \`paused\`, \`cut off\`) and \`folder\`. What is not known, or does not apply, is \`null\`. Times are UTC.
Nothing secret is in it. Its JSON Schema is [${SCHEMA_FILE}](${SCHEMA_FILE}).

${tableText(BatchReport, RUN)}

## A wave

${tableText(BatchReportWave, WAVE)}

## A node

${tableText(BatchReportNode, NODE)}
`;
}

function tableText<Part extends object>({ shape }: { readonly shape: Part }, meanings: Meanings<Part>): string {
  const names = Object.keys(shape).filter((name): name is Extract<keyof Part, string> => name in meanings);
  return ['| Key | Holds |', '| --- | --- |', ...names.map((name) => `| \`${name}\` | ${meanings[name]} |`)].join('\n');
}
