import {
  linuxHost,
  linuxPodHost,
  posixAccessControl,
  posixFileStore,
  posixServiceHost,
} from '@fenestra/platform-linux';
import { runEdgecore } from '../../../apps/edgecore/src/run-edgecore.ts';

/** Run as a program: the agent, from its sources. */
process.exit(
  await runEdgecore(process.argv.slice(2), {
    version: '0.1.0',
    now: () => new Date(),
    files: posixFileStore(),
    host: linuxHost(),
    podHost: linuxPodHost(),
    access: posixAccessControl(),
    serviceHost: posixServiceHost(),
  }),
);
