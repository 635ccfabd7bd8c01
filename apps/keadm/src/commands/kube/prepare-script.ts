import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '@fenestra/kernel';
import { prepareScript, SCRIPT_SHELLS, type ScriptShell } from '@fenestra/worker/script';
import { Command, Option } from 'commander';
import { outputOption, success, type CommandResult } from '../../cli/result.ts';
import type { CommandContext } from '../../cli/program.ts';

/** The options of `keadm kube prepare` for a script that does its work on another machine. */
export interface ScriptFlags {
  readonly printScript?: ScriptShell;
  readonly keadm?: string;
  readonly keadmSha256?: string;
}

/** Adds `--print-script` and where the script gets keadm from. */
export function scriptOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--print-script <shell>', 'print a script that does the same on another machine').choices(
        SCRIPT_SHELLS,
      ),
    )
    .option(
      '--keadm <source>',
      'with "--print-script": URL of keadm, or its path on the other machine (default: path of this executable)',
    )
    .option(
      '--keadm-sha256 <digest>',
      'with "--print-script": SHA-256 of that keadm (default: that of the file at the same path here)',
    );
}

/** The script for what was typed. Nothing is looked at but the file of keadm itself. */
export async function scriptResult(
  { args, environment }: CommandContext,
  shell: ScriptShell,
  flags: ScriptFlags,
): Promise<CommandResult> {
  const source = flags.keadm ?? environment.executable;
  requireRightProgram(source, shell);
  const sha256 = await digestOf(source, flags.keadmSha256);
  const words = wordsOfScript(args);
  if ([source, ...words].some(mayHoldSecrets)) environment.terminal.err(KEEP_PRIVATE);
  const script = prepareScript(shell, { source, sha256, words });
  return success({ shell, source, sha256, script }, script.trimEnd());
}

function wordsOfScript(args: readonly string[]): readonly string[] {
  const { operands, unknown } = scriptOptions(new Command())
    .addOption(outputOption())
    .parseOptions([...args]);
  return [...operands, ...unknown];
}

const KEEP_PRIVATE = '  warn    The script contains a URL with credentials: keep it private.\n';

/** The user and password of an address, or the key that some services put into its query. */
function mayHoldSecrets(word: string): boolean {
  const url = addressOf(word.replace(/^--[a-z-]+=/, ''));
  return url !== undefined && url.username + url.password + url.search !== '';
}

/** A program for Windows is no use to a shell of Linux, nor the other way round. */
function requireRightProgram(source: string, shell: ScriptShell): void {
  const path = addressOf(source)?.pathname ?? source;
  if (path.toLowerCase().endsWith('.exe') === (shell === 'powershell')) return;
  const wanted = shell === 'powershell' ? 'Windows, such as "keadm.exe"' : 'Linux';
  throw new OperatorError(
    'USAGE',
    `Cannot use keadm from "${shown(source)}" in a ${shell} script: it is for another system`,
    {
      hint: `Give a keadm for ${wanted} with "--keadm SOURCE", and its SHA-256 with "--keadm-sha256".`,
    },
  );
}

async function digestOf(source: string, given: string | undefined): Promise<string> {
  if (given !== undefined) return requireDigest(given);
  if (SCHEME.test(source)) throw unknownDigest(source);
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(source), hash);
  } catch (cause) {
    throw unknownDigest(source, cause);
  }
  return hash.digest('hex');
}

function unknownDigest(source: string, cause?: unknown): OperatorError {
  return new OperatorError(
    'USAGE',
    `Missing the SHA-256 of the keadm at "${shown(source)}": it is not a file on this machine`,
    {
      hint: 'Give its SHA-256 with "--keadm-sha256".',
      cause,
    },
  );
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** A source as people may see it: nothing of an address that cannot be read, for a password may be why. */
function shown(source: string): string {
  const [scheme] = SCHEME.exec(source) ?? [];
  if (scheme === undefined) return source;
  const url = URL.parse(source);
  return url === null ? `${scheme}…` : `${scheme}${url.host}${url.pathname}`;
}

function addressOf(source: string): URL | undefined {
  const url = URL.parse(source);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

function requireDigest(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new OperatorError('USAGE', `Cannot use "${text}" as a SHA-256`, { hint: 'Give its 64 hexadecimal digits.' });
}
