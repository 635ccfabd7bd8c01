import { templateEngine } from '../../cloudbase/classify.ts';
import type { PlacedText } from '../../cloudbase/placed-text.ts';
import { type Delivered, metadataService, SERVICE_NAMES } from '../../cloudbase/service.ts';
import { type Finding, found, type LintContext } from '../finding.ts';

/** The most that one of the usual platforms takes. */
const ANY_PLATFORM = 65_535;
/** User-data is never larger than this; the rest is not read. */
const WORTH_READING = 1_048_576;
const TOP = { line: 1 };

/** What becomes of the bytes before anyone reads them. */
export function checkDelivery(size: number, delivered: Delivered, context: LintContext): readonly Finding[] {
  return [...checkSize(size, context), ...checkDelivered(delivered, context)];
}

function checkSize(size: number, { service }: LintContext): readonly Finding[] {
  if (service === undefined) return checkAnySize(size);
  const most = service.mostBytes ?? WORTH_READING;
  if (size <= most) return [];
  return [found('too-large', TOP, `${size} bytes are more than the ${most} that ${service.title} takes`, 'error')];
}

/** Without a named service, the limits of all of them count. */
function checkAnySize(size: number): readonly Finding[] {
  const narrow = SERVICE_NAMES.map(metadataService).filter(({ mostBytes }) => size > (mostBytes ?? size));
  if (narrow.length === 0) return [];
  const titles = narrow.map(({ title }) => title).join(', ');
  return [
    found('too-large', TOP, `${size} bytes are too many for ${titles}`, size > ANY_PLATFORM ? 'warning' : 'note'),
  ];
}

function checkDelivered(delivered: Delivered, { service }: LintContext): readonly Finding[] {
  switch (delivered.kind) {
    case 'text':
      return delivered.unpacked && service === undefined ? [packedSomewhere()] : [];
    case 'empty':
      return [found('empty', TOP, 'there is nothing in it')];
    case 'not-text':
      return [found('not-text', TOP, 'it contains bytes that are not UTF-8')];
    case 'packed':
      return delivered.reason === 'broken'
        ? [found('gzip-broken', TOP, 'it starts like gzip and cannot be unpacked')]
        : [found('gzip-not-unpacked', TOP, `${service?.title ?? 'the service'} is handed over packed`)];
  }
}

/** Without a named service, some of them leave it packed. */
function packedSomewhere(): Finding {
  const services = SERVICE_NAMES.map(metadataService).filter(({ unpacksGzip }) => !unpacksGzip);
  const titles = services.map(({ title }) => title).join(', ');
  return found('gzip-not-unpacked', TOP, `${titles} is handed over packed; all others unpack it`, 'note');
}

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
