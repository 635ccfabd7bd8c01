import * as z from 'zod/mini';
import { NodePoolConfig } from './schema.ts';

/** The files of `docs/reference` about pools of nodes, by name. */
export function nodePoolReferenceFiles(): ReadonlyMap<string, string> {
  const { $schema, ...schema } = z.toJSONSchema(NodePoolConfig, { io: 'input', reused: 'inline' });
  const text = JSON.stringify({ $schema, title: 'The file of keadm capi template', ...schema }, undefined, 2);
  return new Map([['node-pool.schema.json', `${text}\n`]]);
}
