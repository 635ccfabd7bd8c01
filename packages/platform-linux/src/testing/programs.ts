import { fileURLToPath } from 'node:url';

/** The path of `service-main.ts`, to be run by Node. */
export const SERVICE_MAIN = fileURLToPath(new URL('./service-main.ts', import.meta.url));

/** The path of `supervisor-main.ts`, to be run by Node. */
export const SUPERVISOR_MAIN = fileURLToPath(new URL('./supervisor-main.ts', import.meta.url));
