import { readFile } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import type { FileStore, Logger } from '@fenestra/platform';
import { failureFields } from '../modules/describe-failure.ts';
import type { JoinTokenSource } from './certificate-keeper.ts';

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

/** Takes the token from the bootstrap file, else from the configuration, where it is blanked once it was used. */
export function joinTokenSource({ bootstrapFile, configFile, configToken, files, log }: TokenPlaces): JoinTokenSource {
  return {
    async read() {
      const token = (await readBootstrap(bootstrapFile)) || configToken().trim();
      return token === '' ? undefined : token;
    },
    async used(token) {
      if (token !== configToken().trim()) return;
      try {
        await blankToken(configFile, token, files);
      } catch (cause) {
        log.warn('The used join token stays in the configuration', failureFields(cause));
      }
    },
  };
}

async function readBootstrap(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return '';
    throw fileError(cause, `read "${path}"`);
  }
}

/** The token is long and random, so it can be found as text: comments and order of the file stay as they are. */
async function blankToken(path: string, token: string, files: FileStore): Promise<void> {
  const text = await readFile(path, 'utf8');
  const blanked = [`"${token}"`, `'${token}'`, token].reduce((rest, form) => rest.replaceAll(form, '""'), text);
  if (blanked !== text) await files.replace(path, blanked);
}
