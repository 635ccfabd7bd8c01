import type { Delivered } from '../../cloudbase/delivered.ts';
import { metadataService, SERVICE_NAMES } from '../../cloudbase/service.ts';
import type { LintContext } from '../context.ts';
import { found, type Finding } from '../finding.ts';

/** The most that one of the usual platforms takes. */
const ANY_PLATFORM = 65_535;
/** Nobody writes more than this by intent; it is not read any further. */
const WORTH_READING = 1_048_576;
const TOP = { line: 1 };

/** What becomes of the bytes before anybody reads them. */
export function checkDelivery(size: number, delivered: Delivered, context: LintContext): readonly Finding[] {
  return [...checkSize(size, context), ...checkDelivered(delivered, context)];
}

function checkSize(size: number, { service }: LintContext): readonly Finding[] {
  if (service === undefined) return checkAnySize(size);
  const most = service.mostBytes ?? WORTH_READING;
  if (size <= most) return [];
  return [found('too-large', TOP, `${size} bytes are more than the ${most} that ${service.title} takes`, 'error')];
}

/** Where nobody says how it gets to the machine, some ways may be too narrow for it. */
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

/** Where nobody says how it gets to the machine, some ways may leave it packed. */
function packedSomewhere(): Finding {
  const services = SERVICE_NAMES.map(metadataService).filter(({ unpacksGzip }) => !unpacksGzip);
  const titles = services.map(({ title }) => title).join(', ');
  return found('gzip-not-unpacked', TOP, `${titles} is handed over packed; all others unpack it`, 'note');
}
