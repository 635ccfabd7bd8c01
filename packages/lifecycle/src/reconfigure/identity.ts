import { diffConfig, type EdgecoreConfig } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';

/** Which node this is, and whose: its certificate, its Node object and its data belong to these. */
const IDENTITY_KEYS: readonly string[] = [
  'modules.edged.hostnameOverride',
  'modules.edgeHub.httpServer',
  'modules.edgeHub.websocket.server',
];

/** Throws `NODE_CONFLICT` if the node would become another one, or one of another cloud. */
export function refuseOtherIdentity(present: EdgecoreConfig | undefined, wanted: EdgecoreConfig): void {
  if (present === undefined) return;
  const changed = diffConfig(present, wanted).filter(({ path }) => IDENTITY_KEYS.includes(path));
  if (changed.length === 0) return;
  const list = changed
    .map(({ path, before, after }) => `"${path}" from "${String(before)}" to "${String(after)}"`)
    .join(', ');
  throw new OperatorError('NODE_CONFLICT', `Cannot change ${list}: this node would be another one`, {
    hint: 'Use "keadm reset" and "keadm join" to make it one; if it is the same cloud at a new address, add "--allow-identity-change".',
    details: Object.fromEntries(changed.map(({ path, after }) => [path, String(after)])),
  });
}
