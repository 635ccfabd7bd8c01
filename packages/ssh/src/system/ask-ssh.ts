import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import { notStarted, sshEnvironment } from './run-ssh.ts';

const ANSWER_SECONDS = 5;
const HINT = 'Fix the settings of ssh, or set "transport: library" for this machine.';
const run = promisify(execFile);

/** What ssh would do for a host with this configuration, by keywords in small letters. */
export type Settings = ReadonlyMap<string, string>;

/** Asks ssh what it would do for a host; undefined if there is no ssh. Rejects if it cannot tell. */
export async function askSsh(program: string, config: string, host: string): Promise<Settings | undefined> {
  try {
    const limits = { env: sshEnvironment({}), timeout: ANSWER_SECONDS * 1000 };
    const { stdout } = await run(program, ['-F', config, '-T', '-G', '--', host], limits);
    return readPrinted(stdout);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw systemCodeOf(error) === 'unknown' ? notTold(host, error) : notStarted(program, error);
  }
}

/** What `ssh -G` has printed. */
export function readPrinted(printed: string): Settings {
  return new Map(printed.split(/\r?\n/).map((line) => splitLine(line)));
}

function splitLine(line: string): readonly [string, string] {
  const [keyword = ''] = line.split(' ', 1);
  return [keyword, line.slice(keyword.length + 1).trim()];
}

function notTold(host: string, cause: unknown): OperatorError {
  const what = `Cannot find out what ssh is set up to do for "${host}"`;
  if (cause instanceof Error && 'killed' in cause && cause.killed === true)
    return new OperatorError('REMOTE_TIMEOUT', `${what} within ${ANSWER_SECONDS} s`, { hint: HINT, cause });
  const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : '';
  const reason = said.split(/\r?\n/).join('; ') || 'ssh said nothing';
  return new OperatorError('CONFIG_INVALID', `${what}: ${reason}`, { hint: HINT, cause });
}
