import { posixProgramHost } from '../service-host/posix-program-host.ts';

/** Run as a program: becomes the program of its command line; without one there is nothing to run. */
const [executable, ...args] = process.argv.slice(2);
const compose = async () => (executable === undefined ? undefined : { executable, args });
process.exit(await posixProgramHost().run({ name: 'testing', logFile: '/dev/null', compose }));
