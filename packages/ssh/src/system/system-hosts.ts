import { tmpdir } from 'node:os';
import { type RemoteHost, type RemoteHosts, type RemoteTarget, throwIfAborted } from '@fenestra/platform';
import { hostKeyBook, type HostKeyBook, type HostKeySources } from '../host-keys/host-key-book.ts';
import { fingerprint, hostName, keyType, namesHost } from '../host-keys/known-hosts.ts';
import { placeName } from '../host-keys/judge-host-key.ts';
import { lost, tooSlow } from '../remote-errors.ts';
import { classifyFailure } from './classify-failure.ts';
import { hostArgument } from './config-keywords.ts';
import { type SshFiles, type SystemPlaces, writeSshFiles } from './private-files.ts';
import { runSsh, type SshResult } from './run-ssh.ts';
import { startSystemProcess, systemUpload } from './system-process.ts';

/** A connection that no one uses nor closes, as after a crash of ours, ends after so long. */
const ABANDONED_SECONDS = 600;
const CHECK_MS = 5000;
/** Reads the same in sh, cmd and PowerShell. */
const DO_NOTHING = 'exit 0';

/** How the system's ssh is used. */
export interface SystemSshOptions extends HostKeySources {
  readonly program?: string | undefined;
  readonly sftpProgram?: string | undefined;
  /** The user's own settings for ssh, which hold for all that a target does not say. */
  readonly configFiles?: readonly string[] | undefined;
  readonly temporaryFolder?: string | undefined;
  /** One connection for all commands; Windows' ssh cannot do that. */
  readonly multiplex?: boolean | undefined;
}

/** Machines reached by the system's own ssh: for what only it can do (certificates, ProxyCommand, FIDO, GSSAPI). */
export function systemSsh(options: SystemSshOptions): RemoteHosts {
  const places = placesOf(options);
  const book = hostKeyBook(options);
  return {
    async connect(target, signal) {
      throwIfAborted(`connecting to ${placeName(target)}`, signal);
      const files = await writeSshFiles(target, places);
      try {
        const result = await logIn(target, files, places, signal);
        if (places.multiplex) await files.forgetSecrets();
        // A key stays recorded, whether or not the machine then lets us in.
        await tellNewKeys(target, result.said, options, book);
        requireLoggedIn(target, result, signal);
        return systemHost(target, files, places, options.sftpProgram ?? 'sftp');
      } catch (error) {
        await files.remove();
        throw error;
      }
    },
  };
}

/** Where things are on this machine, unless something else is said. */
export function placesOf(options: SystemSshOptions): SystemPlaces {
  const { acceptNew, knownHosts } = options;
  return {
    program: options.program ?? 'ssh',
    temporaryFolder: options.temporaryFolder ?? tmpdir(),
    includes: options.configFiles ?? [],
    knownHosts: acceptNew === undefined ? knownHosts : [...new Set([acceptNew.file, ...knownHosts])],
    acceptNew: acceptNew !== undefined,
    multiplex: options.multiplex ?? true,
  };
}

interface LogInResult extends SshResult {
  readonly tookTooLong: boolean;
}

async function logIn(
  target: RemoteTarget,
  files: SshFiles,
  { program, multiplex }: SystemPlaces,
  signal: AbortSignal,
): Promise<LogInResult> {
  const limit = AbortSignal.timeout(target.limits.connectSeconds * 1000);
  const mode = multiplex
    ? ['-o', 'ControlMaster=yes', '-o', `ControlPersist=${ABANDONED_SECONDS}`, '-f', '-N']
    : ['-T'];
  const command = multiplex ? [] : [DO_NOTHING];
  const argv = [program, '-F', files.config, '-v', ...mode, '--', hostArgument(target.host), ...command];
  const result = await runSsh(argv, files.env, AbortSignal.any([signal, limit]));
  return { ...result, tookTooLong: limit.aborted && result.exitCode === undefined };
}

function requireLoggedIn(
  target: RemoteTarget,
  { exitCode, said, tookTooLong }: LogInResult,
  signal: AbortSignal,
): void {
  throwIfAborted(`connecting to ${placeName(target)}`, signal);
  if (tookTooLong) throw tooSlow(target, 'log in to', target.limits.connectSeconds);
  if (exitCode !== 0) throw classifyFailure(target, said);
}

function systemHost(target: RemoteTarget, files: SshFiles, places: SystemPlaces, sftpProgram: string): RemoteHost {
  const { program, multiplex } = places;
  const { config, env, folder } = files;
  const host = hostArgument(target.host);
  // Without the shared connection ssh would log in again, as if nothing had happened.
  const shared = multiplex ? ['-o', 'ControlMaster=no', '-o', 'ProxyCommand=false'] : [];
  let closed = false;

  async function control(command: string): Promise<boolean> {
    const argv = [program, '-F', config, '-O', command, '--', host];
    return (await runSsh(argv, env, AbortSignal.timeout(CHECK_MS))).exitCode === 0;
  }

  function requireOpen(): void {
    if (closed) throw lost(target, 'it was closed here');
  }

  // Without a shared connection no one can determine ssh's own failure from a command that ends the same way.
  async function connected(): Promise<boolean> {
    return multiplex && !closed && (await control('check'));
  }

  function sftpCommand(batchFile: string): readonly string[] {
    return [sftpProgram, '-F', config, '-q', ...shared, '-b', batchFile, '--', sftpHost(host)];
  }

  return {
    target: { ...target, transport: 'system' },
    async start(commandLine, signal) {
      requireOpen();
      const argv = [program, '-F', config, '-o', 'LogLevel=ERROR', '-T', ...shared, '--', host, commandLine];
      return startSystemProcess({ target, argv, env, connected }, signal);
    },
    async upload(file, signal) {
      requireOpen();
      await systemUpload({ target, folder, env, argv: sftpCommand }, file, signal);
    },
    async close() {
      if (closed) return;
      closed = true;
      if (multiplex) await control('exit');
      await files.remove();
    },
  };
}

/** sftp takes a colon for the end of the host. */
function sftpHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** ssh records new keys by itself, under the name that its settings lead to; the user who allowed that is informed here. */
async function tellNewKeys(
  target: RemoteTarget,
  said: string,
  { acceptNew }: SystemSshOptions,
  book: HostKeyBook,
): Promise<void> {
  if (acceptNew === undefined) return;
  for (const [, name = ''] of said.matchAll(/Permanently added '([^']+)'/g)) {
    const hop = target.jumps.find(({ host, port }) => hostName(host, port) === name) ?? target;
    const { lines } = await book.expected(hop);
    const line = lines.findLast(({ file, hosts }) => file === acceptNew.file && namesHost(hosts, name));
    if (line === undefined) continue;
    acceptNew.recorded({ target: hop, type: keyType(line.key), fingerprint: fingerprint(line.key), file: line.file });
  }
}
