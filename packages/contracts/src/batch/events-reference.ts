import * as z from 'zod/mini';
import { BatchEvent } from './events.ts';

const SCHEMA_FILE = 'batch-events.schema.json';

/** When each kind of event is told. Only the reference is made of it, never the program. */
const MEANINGS: Readonly<Record<BatchEvent['type'], string>> = {
  'run-begun': 'The run begins, or goes on after it was cut off (`resumed`).',
  'wave-begun': 'A wave begins with these nodes.',
  'wave-soaking': 'All nodes of the wave are done; they are watched for so many seconds before the next wave begins.',
  'wave-ended': 'Nothing more happens in this wave.',
  node: 'A node has come to another state. `text` is for people; `failure` says why it failed or is tried again.',
  'node-progress': 'How much of what a node needs has been sent to it.',
  'node-log': 'One line that keadm has said on the node, without secrets.',
  paused: 'Nothing new begins until the run goes on.',
  resumed: 'The run goes on after a pause.',
  halted: 'Nothing new begins any more: too much has failed, or somebody wants it so.',
  'run-ended': 'The last event of a run: how it ended, and how many nodes are in each state.',
};

const STATES: Readonly<Record<string, string>> = {
  waiting: 'its turn has not come',
  surveying: 'is being looked at',
  delivering: 'is sent what it lacks',
  executing: 'the command runs there',
  proving: 'is being proved to be as wanted',
  retrying: 'waits for the next attempt',
  'rolling-back': 'what was done is being undone',
  unchanged: 'was as wanted already; the end',
  done: 'is as wanted now; the end',
  failed: 'could not be brought there; the end',
  unreachable: 'could not be reached; the end',
  'rolled-back': 'was changed, and is as it was before; the end',
  held: 'was not begun with, because the run was halted or held; the end',
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
last one is \`run-ended\`, whatever happens to the nodes; an error that keeps the run from beginning is one object with
\`error\` instead. Times are UTC. Nothing secret is in any of them. Their JSON Schema is [${SCHEMA_FILE}](${SCHEMA_FILE}).

| \`type\` | Fields besides \`type\` and \`time\` | Told when |
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
