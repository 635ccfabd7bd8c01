import { parse } from 'yaml';
import { z } from 'zod';
import { decodeContent } from '../../cloudbase/file-content.ts';
import { readMessage } from '../../cloudbase/mime/message.ts';
import { wholeFile } from '../../cloudbase/placed-text.ts';
import { makeUserData } from '../make-user-data.ts';
import type { UserDataRequest } from '../request.ts';

const CloudConfig = z.object({ write_files: z.array(z.object({ content: z.string(), encoding: z.string() })) });

/** The script as the machine gets it, in whichever form. */
export function scriptOf(request: UserDataRequest): string {
  const { form, text } = makeUserData(request);
  if (form === 'powershell') return text;
  if (form === 'multipart') return readMessage(wholeFile(text)).at(-1)?.content.text ?? '';
  const [file] = CloudConfig.parse(parse(text)).write_files;
  return file === undefined ? '' : decodeContent(file.content, file.encoding).bytes.toString('utf8');
}
