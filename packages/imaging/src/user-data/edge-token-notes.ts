import type { JoinToken } from '@fenestra/contracts';

/** As long as a token for one node lives. */
const SHORT_MS = 60 * 60_000;

/** What to know of an edge node's token that stands in the user-data. */
export function edgeTokenNotes({ claims: { expiresAt, node } }: JoinToken, now: Date): readonly string[] {
  if (expiresAt !== undefined && expiresAt - now.getTime() <= SHORT_MS) {
    return [`The user-data contains the token; it is valid until ${timeText(expiresAt)}.`];
  }
  const whom = node === undefined ? 'nodes' : `as "${node}"`;
  const end = expiresAt === undefined ? 'for ever' : `until ${timeText(expiresAt)}`;
  return [
    `The user-data contains the token, and anyone who reads it can join ${whom} ${end}: "keadm gettoken --node NAME" makes a token for one node, valid for one hour and one use.`,
  ];
}

/** A token may name a time that no calendar has. */
function timeText(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? 'the end of time' : date.toISOString();
}
