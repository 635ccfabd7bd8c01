export { runKeadm } from './cli/run-keadm.ts';
export { type KeadmEnvironment, type KeadmPlatform, type Terminal } from './platform.ts';
