import type { FarEndFacts } from '../../far-end/messages.ts';
import { digestIn, digestLine } from './own-program.ts';

/** What a Windows machine says before our program is there. */
export interface WindowsAnswer {
  readonly facts: FarEndFacts;
  readonly programBytes: number | undefined;
  /** Of the program, where the machine can make one by itself. */
  readonly programDigest: string | undefined;
  /** Whether this run has left something there already. */
  readonly left: boolean;
}

const MARK = 'fenestra-part';

/** One line for cmd. The paths have no spaces and no quotes; `if` is last, since all after it depends on it. */
export function factsLine(program: string, runFolder: string): string {
  const parts = [
    'echo %PROCESSOR_ARCHITECTURE%',
    `dir /-c ${program}`,
    digestLine(program),
    'dir /-c C:\\',
    'type C:\\etc\\kubeedge\\version.txt',
    `if exist ${runFolder} echo left`,
  ];
  return `cmd /c "${parts.map((part) => `echo ${MARK} & ${part}`).join(' & ')}"`;
}

/** Reads the answer; `undefined` if it is not whole. */
export function readWindowsAnswer(output: string): WindowsAnswer | undefined {
  const [, processor, file, digest, disk, version, left] = partsOf(output);
  if (processor === undefined || file === undefined || disk === undefined || version === undefined) return undefined;
  const size = /(\d+)\s+keadm\.exe\s*$/im.exec(file)?.[1];
  const free = disk.trim().split('\n').at(-1)?.match(/\d+/g)?.at(-1);
  const installed = version.trim();
  return {
    facts: {
      os: 'windows',
      arch: ARCHES[processor.trim()] ?? processor.trim(),
      // Only our program can tell it in a way that does not depend on the machine's language.
      clock: Number.NaN,
      elevated: true,
      ...(installed === '' ? {} : { version: installed }),
      configured: installed !== '',
      running: false,
      servers: [],
      ...(free === undefined ? {} : { freeBytes: Number(free) }),
    },
    programBytes: size === undefined ? undefined : Number(size),
    programDigest: digestIn(digest ?? ''),
    left: left?.trim() === 'left',
  };
}

function partsOf(output: string): readonly string[] {
  return output.replaceAll('\r', '').split(new RegExp(`^${MARK} *$`, 'm'));
}

const ARCHES: Readonly<Record<string, string>> = { AMD64: 'x64', ARM64: 'arm64' };
