import { superviseService } from '@fenestra/platform-linux';

/** Run as a program: supervises the service whose folder is on its command line. */
process.exit(await superviseService(process.argv[2] ?? ''));
