/** What can be told of a program by its file. Apart from the steps, so that who needs no more loads no more. */
export { pathExists } from './existing-path.ts';
export { digestOf } from './digest.ts';
export { executableTarget } from './release/executable-target.ts';
export { executableVersion } from './release/executable-version.ts';
