import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A text value as the system's own tool shows it: our adapter is not its own witness. */
export interface ShownValue {
  readonly type: string;
  readonly text: string;
}

/** Reads a text value with reg.exe; `undefined` if the key or the value is absent. */
export async function showValue(key: string, name: string): Promise<ShownValue | undefined> {
  try {
    const { stdout } = await promisify(execFile)('reg.exe', ['query', key, '/v', name]);
    const [, type, text] = /^ +\S+ +(REG_\w+) +(.*?)\r?$/m.exec(stdout) ?? [];
    return type === undefined || text === undefined ? undefined : { type, text };
  } catch {
    return undefined;
  }
}

/** Writes a text value with reg.exe. */
export async function putValue(key: string, name: string, { type, text }: ShownValue): Promise<void> {
  await promisify(execFile)('reg.exe', ['add', key, '/v', name, '/t', type, '/d', text, '/f']);
}
