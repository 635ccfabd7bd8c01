import { type Check, type Finding, pass } from '@fenestra/session';

/** Whether the cloud answers, the one to be joined or the one of the node on this machine. */
export const cloud: Check<{ readonly cloud: Finding | undefined }> = {
  name: 'cloud',
  about: 'the cloud can be reached at both of its ports',
  judge: ({ cloud: found }) => found ?? pass('This machine has not joined a cloud yet'),
};
