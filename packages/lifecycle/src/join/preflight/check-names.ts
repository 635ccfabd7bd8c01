import { MACHINE_CHECKS } from './judge-machine.ts';

/** Every check before a join, each of which can be waived. */
export const JOIN_CHECKS: readonly string[] = [...MACHINE_CHECKS, 'cloud', 'token', 'clock', 'node-name'];
