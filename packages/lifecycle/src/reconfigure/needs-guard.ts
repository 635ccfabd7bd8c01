import type { ReconfigureFacts } from './facts.ts';

/** What the connection to the cloud hangs on. */
const CONNECTION = 'modules.edgeHub.';
/** Of that, what a living connection takes up without being made anew. */
const HARMLESS: readonly string[] = ['heartbeat', 'messageQPS', 'messageBurst', 'rotateCertificates', 'token'];

/** Whether the node could be left without its agent or its cloud if this command died on the way. */
export function needsGuard({ way, changes }: ReconfigureFacts): boolean {
  if (way !== 'reload') return way === 'restart';
  const touched = changes.map(({ path }) => path).filter((path) => path.startsWith(CONNECTION));
  return touched.some((path) => !HARMLESS.includes(path.slice(CONNECTION.length)));
}
