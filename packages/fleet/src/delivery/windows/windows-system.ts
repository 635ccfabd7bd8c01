import { FarEndFacts, jsonIn } from '../../far-end/messages.ts';
import { unsupported } from '../failures.ts';
import { type FarSystem, type Findings, type Missing, type Places, runName, type Task } from '../far-system.ts';
import { runRemote } from '../remote-command.ts';
import type { RemoteWorkerOptions } from '../worker-options.ts';
import { windowsDeliver } from './deliver.ts';
import { callProgram, digestIn, digestLine, windowsPlaces } from './own-program.ts';

/** Windows machines, whether cmd or PowerShell reads the command lines. */
export function windowsSystem(programs: RemoteWorkerOptions['programs']): FarSystem {
  return {
    os: 'windows',
    look: async (task) => look(task, programs),
    missing: (notes, { program, parcel }): Missing => {
      const lacksProgram = notes['program'] !== `${program.sha256} ${program.size}`;
      return { program: lacksProgram, files: [], bytes: (lacksProgram ? program.size : 0) + parcel.bytes };
    },
    deliver: async (task, _notes, payload, missing) => windowsDeliver(task, payload, missing),
    places: ({ name, runId }, _notes, sha256) => windowsPlaces(runName(runId, name), sha256),
    call: async (task, program, { input, ...call }) =>
      callProgram(task, program, { ...call, ...(input === undefined ? {} : { input: lineOf(input) }) }),
    tidy,
  };
}

async function* lineOf(text: string): AsyncGenerator<string> {
  yield `${text}\n`;
}

/** A program that is there already tells the rest: whether the agent runs, and what it says. */
async function look(task: Task, programs: RemoteWorkerOptions['programs']): Promise<Findings> {
  const { node, host, context, signal } = task;
  const name = runName(context.runId, node.name);
  // Nothing is made for other processors, so this one is asked for and the answer is checked afterwards.
  const program = await programs('windows', 'x64');
  const places = windowsPlaces(name, program.sha256);
  const line = factsLine(places.program, places.runFolder);
  const { output, errors } = await runRemote(host, { line, activity: 'looking at it' }, signal);
  const answer = readWindowsAnswer(output);
  if (answer === undefined) throw unsupported(node.name, `it does not identify its system: ${errors}`);
  const { programBytes, programDigest = program.sha256 } = answer;
  const isWhole = programBytes === program.size && programDigest === program.sha256;
  const facts = isWhole ? await ask(task, places.program) : undefined;
  // One that cannot even say this much counts as missing, so that it is sent again.
  if (programBytes !== undefined && facts === undefined) context.log('The program in its store is damaged');
  const notes = { program: facts === undefined ? '' : `${program.sha256} ${program.size}`, left: String(answer.left) };
  return { facts: facts ?? answer.facts, notes };
}

async function ask(task: Task, program: string): Promise<FarEndFacts | undefined> {
  const { output } = await callProgram(task, program, {
    words: ['far-end', 'facts', '--output', 'json'],
    activity: 'looking at it',
  });
  return FarEndFacts.safeParse(jsonIn(output)).data;
}

async function tidy(task: Task, { program, runFolder }: Places): Promise<void> {
  const activity = 'tidying up';
  const { exitCode } = await callProgram(task, program, { words: ['far-end', 'clear', runFolder], activity });
  // A program that never arrived has started nothing, so only the folder is left.
  if (exitCode !== 0) await runRemote(task.host, { line: `cmd /c "rmdir /s /q ${runFolder}"`, activity }, task.signal);
}

/** What a Windows machine says before our program is there. */
interface WindowsAnswer {
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
