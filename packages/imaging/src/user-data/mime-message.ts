import { createHash } from 'node:crypto';

/** A part of a message; its content is plain ASCII. */
export interface MessagePart {
  readonly type: string;
  readonly fileName: string;
  readonly content: string;
}

/** A MIME message as cloudbase-init takes it: its type in the first line, a file name for every part. */
export function mimeMessage(parts: readonly MessagePart[]): string {
  const boundary = boundaryFor(parts);
  const head = `Content-Type: multipart/mixed; boundary="${boundary}"\nMIME-Version: 1.0\n\n`;
  return `${head}${parts.map((part) => `--${boundary}\n${partText(part)}`).join('')}--${boundary}--\n`;
}

function partText({ type, fileName, content }: MessagePart): string {
  return [
    `Content-Type: ${type}; charset="us-ascii"`,
    'MIME-Version: 1.0',
    `Content-Disposition: attachment; filename="${fileName}"`,
    'Content-Transfer-Encoding: 7bit',
    '',
    content,
    '',
  ].join('\n');
}

/** Made of the contents, so that the same request gives the same bytes, and never a line of any of them. */
function boundaryFor(parts: readonly MessagePart[]): string {
  const whole = parts.map(({ content }) => content).join('\n');
  const digest = createHash('sha256').update(whole).digest('hex');
  const candidate = (length: number): string => `=_${digest.slice(0, length)}`;
  return whole.includes(candidate(24)) ? candidate(64) : candidate(24);
}
