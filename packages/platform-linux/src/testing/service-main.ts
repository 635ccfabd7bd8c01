import { notingProgram, type ProgramBehaviour } from '@fenestra/platform/contract';
import { posixServiceHost } from '../service-host/posix-service-host.ts';

const BEHAVIOURS: readonly ProgramBehaviour[] = [
  'serve',
  'fail-at-start',
  'slow-start',
  'slow-stop',
  'crash-on-reload',
];

/** Run as a program: hosts the noting program with the note file and behaviour of its command line. */
const [noteFile = '', word = '', ...more] = process.argv.slice(2);
const behaviour = BEHAVIOURS.find((known) => known === word);
if (behaviour === undefined) throw new Error(`unknown behaviour "${word}"`);
process.exit(await posixServiceHost().run('testing', notingProgram(noteFile, behaviour, more)));
