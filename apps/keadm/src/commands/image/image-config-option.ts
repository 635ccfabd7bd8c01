import { readFile } from 'node:fs/promises';
import { readImageConfig, type ImageConfig } from '@fenestra/imaging';
import { fileError } from '@fenestra/kernel';
import type { Option } from 'commander';
import { InputOption } from '../input-option.ts';
import { toPath } from '../lifecycle-options.ts';

/** The flag's value as commands receive it. */
export interface ImageConfigFlag {
  readonly config: string;
}

/** `--config FILE`: what an image must have. */
export function imageConfigOption(): Option {
  return new InputOption('-c, --config <file>', 'file that describes the image')
    .argParser(toPath)
    .default(toPath('image.yaml'), 'image.yaml');
}

/** Reads the file; every mistake at once. */
export async function loadImageConfig(path: string): Promise<ImageConfig> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fileError(cause, `read "${path}"`);
  });
  return readImageConfig(text, path);
}
