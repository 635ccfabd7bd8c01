import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileError } from '@fenestra/kernel';
import type { Batch, BatchEnvironment } from './batch.ts';
import { batchFileError, type BatchReading, readBatchFile } from './file/read-batch-file.ts';
import type { BatchFile } from './file/schema.ts';
import { openSecrets } from './secrets.ts';
import { buildNode, checkDuplicates, type NodeReading } from './settings/build-node.ts';
import { isConsequence, tellMergeKeys } from './settings/consequences.ts';
import { collectClearSecrets, type Findings, newFindings } from './settings/findings.ts';
import { collectPaths, pathsFrom } from './settings/paths.ts';
import { runPolicy } from './settings/policy.ts';
import { programSource } from './settings/program-source.ts';

/** The text of a batch file, and what has to be known of the file itself. */
export interface BatchText {
  readonly text: string;
  /** As it was given: how messages name it, and where its relative paths begin. */
  readonly path: string;
  readonly readableByOthers: boolean;
}

/** Reads a batch file. All mistakes are one `CONFIG_INVALID` with lines and paths. It asks for no secret. */
export async function loadBatch(path: string, environment: BatchEnvironment): Promise<Batch> {
  return parseBatch(await readBatchText(path), environment);
}

/** The same for a text that is already there. */
export async function parseBatch(source: BatchText, environment: BatchEnvironment): Promise<Batch> {
  const reading = readBatchFile(source.text, source.path);
  const { content: file } = reading;
  const findings = newFindings();
  const paths = pathsFrom(dirname(resolve(source.path)), environment.variables);
  const [clear, needed] = [collectClearSecrets(), collectPaths(paths)];
  const secrets = openSecrets(environment, paths);
  const parts: NodeReading = { file, findings, clear, paths, ...needed, environment, secrets };

  const built = (file.nodes ?? []).map((settings, index) => buildNode(settings, `nodes[${index}]`, parts));
  if (built.length === 0) findings.problem('nodes', 'must be given: there is nothing to do without them');
  checkDuplicates(built, findings);
  const nodes = built.map(({ node }) => node);
  const policy = runPolicy(file, nodes, findings);
  const keadm = programSource(file, parts);
  clear.judge({ readableByOthers: source.readableByOthers, allowed: file.allowClearSecrets === true }, findings);
  await needed.check(findings);
  failOn(source.path, reading, findings);
  return {
    file: source.path,
    digest: createHash('sha256').update(source.text).digest('hex'),
    nodes,
    policy,
    keadm,
    delivery: file.delivery ?? 'auto',
    compress: file.compress ?? 'auto',
    notes: [...findings.notes, ...remarks(file)],
  };
}

/** The text and the permissions of the same file, even if it is replaced during this. */
async function readBatchText(path: string): Promise<BatchText> {
  try {
    await using file = await open(path, 'r');
    const { mode } = await file.stat();
    return { text: await file.readFile('utf8'), path, readableByOthers: hasModes() && (mode & 0o077) !== 0 };
  } catch (cause) {
    throw fileError(cause, `read the batch file "${path}"`);
  }
}

/** Where there are no numbered accounts, the bits that stat shows say nothing about who may read a file. */
function hasModes(): boolean {
  return process.getuid !== undefined;
}

function failOn(path: string, reading: BatchReading, findings: Findings): void {
  const problems = tellMergeKeys(reading.problems);
  const found = findings.problems.filter((problem) => !isConsequence(problem, problems));
  const all = [...problems, ...found.map((problem) => reading.locate(problem))];
  if (all.length > 0) throw batchFileError(path, all);
}

function remarks({ nodes = [] }: BatchFile): Batch['notes'] {
  const stated = nodes.findIndex(({ arch }) => arch !== undefined);
  return stated === -1 ? [] : [{ path: `nodes[${stated}].arch`, reason: 'is not used: keadm detects it on each node' }];
}
