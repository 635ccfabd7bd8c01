/** `build-main.ts FOLDER STAMP TARGET`: builds one executable into the folder, with a stamp in place of git's. */
import { makeExecutable } from '../../../build/make-executable.ts';
import { TARGETS } from '../../../build/targets.ts';

const [folder = '', stamp = '', name] = process.argv.slice(2);
const target = TARGETS.find((each) => each.name === name);
if (target === undefined) throw new Error(`Unknown target "${name}"`);
await makeExecutable(target, folder, { stamp: JSON.parse(stamp) });
