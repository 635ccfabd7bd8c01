import * as z from 'zod/mini';
import { BatchEvent } from './events.ts';
import { BatchReport, BatchReportNode, BatchReportWave } from './report.ts';

const EVENTS_FILE = 'batch-events.schema.json';
const REPORT_FILE = 'batch-report.schema.json';

/** When each kind of event is published. Only the reference is made of it, never the program. */
const MEANINGS: Readonly<Record<BatchEvent['type'], string>> = {
  'run-begun': 'The run starts, or continues after an interruption (`resumed`).',
  'wave-begun': 'A wave starts with these nodes.',
  'wave-soaking': 'All nodes of the wave are done; they are watched for this many seconds before the next wave starts.',
  'wave-ended': 'Nothing more happens in this wave.',
  node: 'The state of a node changed. `text` is for people; `failure` says why it failed or is retried.',
  'node-progress': 'How much of what a node needs has been sent to it.',
  'node-log': 'One line of keadm output on the node, without secrets.',
  paused: 'No command starts until the run continues.',
  resumed: 'The run continues after a pause.',
  halted: 'No more commands start: too many nodes failed, or an operator requested it.',
  'run-ended': 'The last event of a run: how it ended, and how many nodes are in each state.',
};

const STATES: Readonly<Record<string, string>> = {
  waiting: 'its turn has not come',
  surveying: 'is being checked',
  delivering: 'is sent what it lacks',
  executing: 'the command runs there',
  proving: 'is being verified',
  retrying: 'waits for the next attempt',
  'rolling-back': 'what was done is being undone',
  unchanged: 'was already up to date (final)',
  done: 'is up to date now (final)',
  failed: 'failed (final)',
  unreachable: 'unreachable (final)',
  'rolled-back': 'was changed and rolled back (final)',
  held: 'was not started, because the run was halted or held (final)',
};

/** The files of `docs/reference` about the events and the report of a batch, by name. */
export function batchReportReferenceFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['batch-events.md', eventsPage()],
    [EVENTS_FILE, schemaText('An event of keadm batch', BatchEvent)],
    ['batch-report.md', reportPage()],
    [REPORT_FILE, schemaText('The report of a run of keadm batch', BatchReport)],
  ]);
}

function schemaText(title: string, of: z.ZodMiniType): string {
  const { $schema, ...schema } = z.toJSONSchema(of, { reused: 'inline' });
  return `${JSON.stringify({ $schema, title, ...schema }, undefined, 2)}\n`;
}

function eventsPage(): string {
  return `# Events of a batch

<!-- Made by scripts/reference.ts from the schemas. Do not edit: change the schemas, then run it again. -->

With \`--output json\`, \`keadm batch run\`, \`resume\` and \`retry\` write one JSON object a line on standard output while they work. The
last one is \`run-ended\`, whatever happens to the nodes; an error that prevents the run from starting is one object with
\`error\` instead. Times are UTC. Nothing secret is in any of them. Their JSON Schema is [${EVENTS_FILE}](${EVENTS_FILE}).

| \`type\` | Fields besides \`type\` and \`time\` | Sent when |
| --- | --- | --- |
${BatchEvent.def.options.map(eventRow).join('\n')}

## States of a node

| \`state\` | The node |
| --- | --- |
${Object.entries(STATES)
  .map(([state, meaning]) => `| \`${state}\` | ${meaning} |`)
  .join('\n')}
`;
}

function eventRow({ shape }: (typeof BatchEvent.def.options)[number]): string {
  const [type] = shape.type.def.values;
  const fields = Object.entries(shape)
    .filter(([name]) => name !== 'type' && name !== 'time')
    .map(([name, schema]) => `\`${name}\`${schema.def.type === 'optional' ? ' (optional)' : ''}`);
  return `| \`${String(type)}\` | ${fields.join(', ')} | ${type === undefined ? '' : MEANINGS[type]} |`;
}

type Meanings<Part> = Readonly<Record<keyof Part, string>>;

// Only the reference is made of these, never the program.
const RUN: Meanings<BatchReport> = {
  run: 'the name of the run',
  file: 'the path of the batch file',
  outcome: 'how it ended; `not-ended` while it is in progress, and after an interruption',
  begun: 'when it began',
  ended: 'when it ended last',
  total: 'number of nodes',
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
  command: 'the arguments of keadm on the node; secrets are `***`',
  wave: 'its wave',
  state: 'its [state](batch-events.md#states-of-a-node)',
  versionBefore: 'the version that the survey found; `none` if there was no node',
  versionAfter: 'the present version, if the run knows it; `none` after a reset',
  text: 'a text for people: the present operation, or the result',
  attempts: 'attempts at the present operation; 0 if none was started since the survey',
  begun: 'when work on it began',
  seconds: 'seconds of work on it',
  failure: 'why it failed or is retried: `code`, `message`, `hint`',
  lines: 'the last lines of keadm output on a node that failed; all are in its log. Empty in `status`',
};

function reportPage(): string {
  return `# The report of a batch

<!-- Made by scripts/reference.ts from the schemas. Do not edit: change the schemas, then run it again. -->

\`keadm batch report --format json\` and \`report.json\` in the folder of a run hold one JSON object; \`keadm batch report
--output json\` prints the same, and \`keadm batch status --output json\` too, with two more keys: \`standing\` (how the run
ended, or \`goes on\`, \`paused\`, \`cut off\`) and \`folder\`. What is not known, or does not apply, is \`null\`. Times are UTC.
Nothing secret is in it. Its JSON Schema is [${REPORT_FILE}](${REPORT_FILE}).

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
