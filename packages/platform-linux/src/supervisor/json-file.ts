import { readFile } from 'node:fs/promises';
import { fileError, parseJson, systemCodeOf } from '@fenestra/kernel';

/** An object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The object in a JSON file; `undefined` if the file is absent or holds anything else. */
export async function readJsonObject(path: string): Promise<JsonObject | undefined> {
  try {
    const value = parseJson(await readFile(path, 'utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(cause))) return undefined;
    throw fileError(cause, `read "${path}"`);
  }
}

/** Whether a value is an object and not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
