export { reportFailure, runKeadm } from './cli/run-keadm.ts';
export {
  type CloudTools,
  type KeadmEnvironment,
  type KeadmPlatform,
  type PassingStreams,
  type Terminal,
} from './platform.ts';
