/** The process that the kernel makes first of all, and that lives as long as the system does. */
export const SYSTEM_PROCESS = 4;

/** What stands for a boot that the system does not tell us about. */
export const UNKNOWN_BOOT = 'unknown';

/** Whether two boots may be the same one: where either is unknown, the start time of a process has to do. */
export function isSameBoot(left: string, right: string): boolean {
  return left === right || left === UNKNOWN_BOOT || right === UNKNOWN_BOOT;
}
