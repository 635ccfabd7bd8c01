import { readFile } from 'node:fs/promises';
import { blankToken } from '@fenestra/contracts';
import type { FileStore, Logger } from '@fenestra/platform';
import { failureFields } from '../modules/describe-failure.ts';
import type { JoinTokenSource } from './certificate-keeper.ts';
import { readIfThere } from './identity-files.ts';

/** Where a token may be. */
export interface TokenPlaces {
  /** A file with nothing but the token in it, which comes first. */
  readonly bootstrapFile: string;
  readonly configFile: string;
  /** The token in the configuration that is in effect. */
  readonly configToken: () => string;
  readonly files: FileStore;
  readonly log: Logger;
}

/** Takes the token from the bootstrap file, else from the configuration; in both it is blanked once it was used. */
export function joinTokenSource({ bootstrapFile, configFile, configToken, files, log }: TokenPlaces): JoinTokenSource {
  return {
    async read() {
      const token = (await readBootstrap(bootstrapFile)) || configToken().trim();
      return token === '' ? undefined : token;
    },
    async used(token) {
      try {
        if (token === (await readBootstrap(bootstrapFile))) await files.replace(bootstrapFile, '');
        if (token === configToken().trim()) await blankTokenIn(configFile, token, files);
      } catch (cause) {
        log.warn('The used join token stays where it is', failureFields(cause));
      }
    },
  };
}

async function readBootstrap(path: string): Promise<string> {
  return ((await readIfThere(path)) ?? '').trim();
}

async function blankTokenIn(path: string, token: string, files: FileStore): Promise<void> {
  const text = await readFile(path, 'utf8');
  const blanked = blankToken(text, token);
  if (blanked !== text) await files.replace(path, blanked);
}
