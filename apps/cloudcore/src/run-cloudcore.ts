import { defaultCloudcoreYaml, minimalCloudcoreYaml } from '@fenestra/contracts';
import { jsonLogger, type FileStore, type ServiceHost } from '@fenestra/platform';
import { cloudProgram } from './cloud-program.ts';
import { configFile } from './config-file.ts';
import { type CloudcoreFlags, ownAddresses, readFlags } from './flags.ts';
import type { OpenThread } from './embedded-api/run-thread.ts';

export type { OpenThread } from './embedded-api/run-thread.ts';

/** What cloudcore is and where it runs: given by the executable that carries it. */
export interface CloudcoreEnvironment {
  readonly version: string;
  readonly now: () => Date;
  readonly files: Pick<FileStore, 'replace'>;
  readonly serviceHost: ServiceHost;
  /** Starts the thread of the embedded API. */
  readonly openThread: OpenThread;
  /** Where answers such as `--defaultconfig` go; by default standard output. */
  readonly print?: (text: string) => void;
  /** Where the log goes, line by line; by default standard error. */
  readonly writeLog?: (line: string) => void;
}

const DEBUG_VERBOSITY = 4;

/** Runs the cloud until its service manager stops it, or prints what was asked for; returns the exit code. */
export async function runCloudcore(args: readonly string[], environment: CloudcoreEnvironment): Promise<number> {
  const flags = readFlags(args);
  const { version, print = (text) => void process.stdout.write(text) } = environment;
  const host = { addresses: ownAddresses() };
  switch (flags.action) {
    case 'version':
      print(`${version}\n`);
      return 0;
    case 'default-config':
      print(defaultCloudcoreYaml(host));
      return 0;
    case 'minimal-config':
      print(minimalCloudcoreYaml(host));
      return 0;
    case 'run':
      return runProgram(flags, environment, host.addresses);
  }
}

async function runProgram(
  flags: CloudcoreFlags,
  environment: CloudcoreEnvironment,
  addresses: readonly string[],
): Promise<number> {
  const {
    now,
    files,
    serviceHost,
    openThread,
    version,
    writeLog = (line) => void process.stderr.write(line),
  } = environment;
  const log = jsonLogger(writeLog, flags.verbosity >= DEBUG_VERBOSITY ? 'debug' : 'info', now);
  log.info('Cloudcore starts', { version, pid: process.pid });
  const file = configFile(flags.configFile, { addresses }, log);
  return serviceHost.run(flags.service, cloudProgram({ flags, configFile: file, files, log, now, openThread }));
}
