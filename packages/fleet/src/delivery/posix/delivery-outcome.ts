import { hasCode, noRoom, notDelivered, notUnpacked } from '../failures.ts';
import type { CommandEnd } from '../remote-command.ts';
import { FAILED_MARK } from './deliver-functions.ts';
import { DONE_MARK } from './deliver-script.ts';

/** What the script says about why it failed, in words for people; `undefined` if it did not. */
export function deliveryFailure(node: string, end: CommandEnd, bytes: number): Error | undefined {
  const lines = end.output.split('\n');
  if (lines.includes(DONE_MARK)) return undefined;
  const line = lines.find((text) => text.startsWith(`${FAILED_MARK} `)) ?? '';
  const [, reason = '', detail = '', ...more] = line.split(' ');
  switch (reason) {
    case 'full':
      return noRoom(node, bytes, Number(detail) * 1024);
    case 'digest':
      return notDelivered(
        node,
        `"${more.join(' ')}" arrived with the digest ${detail}, not the digest of what was sent`,
      );
    case 'owner':
      return notDelivered(node, `"${[detail, ...more].join(' ')}" there is writable by other accounts`);
    case 'damaged':
      return notDelivered(node, `"${detail}" was damaged in its store and has been removed`);
    case 'unpack':
      return notUnpacked(node, detail, because(end));
    case 'short':
      return notDelivered(node, `only a part of "${[detail, ...more].join(' ')}" arrived${because(end)}`);
    default:
      return notDelivered(node, `the machine cannot write them${because(end)}`);
  }
}

/** Whether a machine has failed at making whole again what was packed for it. */
export function cannotUnpack(error: unknown): boolean {
  return hasCode(error, 'DELIVERY_FAILED') && error.details['packing'] !== undefined;
}

function because({ errors, exitCode }: CommandEnd): string {
  return errors === '' ? ` (it ended with ${exitCode})` : `: ${errors.split('\n').slice(-2).join('; ')}`;
}
