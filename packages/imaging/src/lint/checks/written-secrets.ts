import type { Entry } from '../../cloudbase/cloud-config/entry.ts';
import { decodeContent } from '../../cloudbase/file-content.ts';
import { runcmdLine } from '../../cloudbase/runcmd-script.ts';
import { found, type Finding } from '../finding.ts';
import { seenSecrets } from '../secret-pattern.ts';
import { memberOf } from './entries.ts';

/** A file with a secret in it that no command removes. */
export function checkWrittenSecrets(file: Entry, commands: readonly Entry[]): readonly Finding[] {
  const [path, content, encoding] = ['path', 'content', 'encoding'].map((key) => memberOf(file, key)?.value);
  if (typeof path !== 'string' || typeof content !== 'string') return [];
  const { bytes } = decodeContent(content, typeof encoding === 'string' ? encoding : undefined);
  const [secret] = seenSecrets(bytes.toString('latin1'));
  if (secret === undefined || commands.some(({ value }) => removes(runcmdLine(value) ?? '', path))) return [];
  return [found('secret-left-behind', file, `${secret.what} stays in "${path}", where every user can read it`)];
}

/** By its last name: paths have many spellings. */
function removes(command: string, path: string): boolean {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  return /\b(?:del|erase|rd|rmdir|remove-item)\b/i.test(command) && command.includes(name);
}
