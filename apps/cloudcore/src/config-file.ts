import { readFile } from 'node:fs/promises';
import {
  changedSettings,
  type CloudcoreConfig,
  cloudcoreDefaults,
  type CloudHost,
  loadCloudcoreConfig,
} from '@fenestra/contracts';
import { fileError } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';

/** The cloud's configuration, read as often up to date. */
export interface ConfigFile {
  /** Reads and checks the file; without a file there are the defaults. Says once what has no effect. */
  read(): Promise<CloudcoreConfig>;
}

/** The file at this path, or none. */
export function configFile(path: string | undefined, host: CloudHost, log: Logger): ConfigFile {
  const said = new Set<string>();
  return {
    async read() {
      if (path === undefined) return cloudcoreDefaults(host);
      const { config, notes } = loadCloudcoreConfig(await readText(path), path, host);
      for (const { path: setting, reason } of notes.filter((note) => !said.has(note.path))) {
        said.add(setting);
        log.info('A note on a setting', { setting, reason });
      }
      return config;
    },
  };
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw fileError(cause, `read the configuration "${path}"`);
  });
}

/** What a running cloud takes up by itself; everything else waits for a restart. */
const RELOADABLE: readonly string[] = [
  'modules.cloudHub.keepaliveInterval',
  'modules.cloudHub.nodeLimit',
  'modules.cloudHub.advertiseAddress',
  'modules.cloudHub.dnsNames',
  'modules.cloudHub.edgeCertSigningDuration',
  'modules.cloudHub.tokenRefreshDuration',
];

/** The settings that differ between two configurations but take effect only after a restart. */
export function restartNeeded(before: CloudcoreConfig, after: CloudcoreConfig): readonly string[] {
  return changedSettings(before, after)
    .map(({ path }) => path)
    .filter((path) => !RELOADABLE.includes(path));
}
