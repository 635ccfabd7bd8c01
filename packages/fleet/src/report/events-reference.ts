import * as z from 'zod/mini';
import { BatchEvent } from './events.ts';

const SCHEMA_FILE = 'batch-events.schema.json';

/** When each kind of event is told. Only the reference is made of it, never the program. */
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
  failed: 'could not be brought there; the end',
  unreachable: 'could not be reached; the end',
  'rolled-back': 'was changed, and is as it was before; the end',
  held: 'was not started, because the run was halted or held (final)',
};

/** The files of `docs/reference` about the events of a batch, by name. */
export function batchEventReferenceFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['batch-events.md', pageText()],
    [SCHEMA_FILE, schemaText()],
  ]);
}

function schemaText(): string {
  const { $schema, ...schema } = z.toJSONSchema(BatchEvent, { reused: 'inline' });
  return `${JSON.stringify({ $schema, title: 'An event of keadm batch', ...schema }, undefined, 2)}\n`;
}

function pageText(): string {
  return `# Events of a batch

<!-- Made by scripts/reference.ts from the schemas. Do not edit: change the schemas, then run it again. -->

With \`--output json\`, \`keadm batch run\`, \`resume\` and \`retry\` write one JSON object a line on standard output while they work. The
last one is \`run-ended\`, whatever happens to the nodes; an error that prevents the run from starting is one object with
\`error\` instead. Times are UTC. Nothing secret is in any of them. Their JSON Schema is [${SCHEMA_FILE}](${SCHEMA_FILE}).

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
