import { createHash } from 'node:crypto';

/** The name of a run's folder on a machine: nodes of one machine have a folder each, whatever they are called. */
export function runName(runId: string, node: string): string {
  const mark = createHash('sha256').update(node).digest('hex').slice(0, 8);
  return `${plain(runId)}-${plain(node).slice(0, 40)}-${mark}`;
}

function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9.-]/g, '-');
}
