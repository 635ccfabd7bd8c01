import { templateEngine } from '../../cloudbase/classify.ts';
import type { PlacedText } from '../../cloudbase/placed-text.ts';
import { found, type Finding } from '../finding.ts';

/** Why a document is not taken for what it was meant to be. */
export function checkUnrecognised({ text, lineAt }: PlacedText): readonly Finding[] {
  const place = { line: lineAt(1) };
  const engine = templateEngine(text);
  if (engine !== undefined) return [found('template-engine', place, `there is no engine "${engine}"`)];
  if (/^[ \t]*content-type:[ \t]*multipart/im.test(text)) {
    return [
      found('mime-not-recognised', place, 'its "Content-Type: multipart" is not where, or not how, it is looked for'),
    ];
  }
  return [found('not-recognised', place, reasonOf(text))];
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/^\uFEFF/, 'a byte order mark precedes the first character'],
  [/^\s+(#|rem\s|<)/i, 'an empty line or a space precedes the first character'],
  [/^\s*\{\s*"ignition"/, 'it is a document of Ignition'],
  [/^#\s*cloud-config/i, 'the first line must be "#cloud-config", in lower case and without a blank'],
  [/^##?\s*template/i, 'the first line must be "## template: jinja"'],
  [/^#include/i, 'files to include are not fetched'],
  [/^#(cloud-boothook|upstart-job|part-handler|cloud-config-archive)/i, 'this kind of cloud-init is not known'],
  [/^#ps/i, 'the marker must be "#ps1_sysnative", "#ps1" or "#ps1_x86"'],
  [/^@?(rem|echo)\b/i, 'a script of cmd.exe must begin with "rem cmd"'],
  [/^(write_files|runcmd|users|hostname|ntp|groups|bootcmd)\s*:/m, '"#cloud-config" is missing in the first line'],
];

function reasonOf(text: string): string {
  return HINTS.find(([pattern]) => pattern.test(text))?.[1] ?? 'the first line has no marker';
}
