import type { Delivered } from '../../cloudbase/delivered.ts';
import type { LintContext } from '../context.ts';
import { found, type Finding } from '../finding.ts';

/** More than any of the usual platforms takes. */
const ANY_PLATFORM = 65_535;
/** Nobody writes more than this by intent; it is not read any further. */
const WORTH_READING = 1_048_576;
const TOP = { line: 1 };

/** What becomes of the bytes before anybody reads them. */
export function checkDelivery(size: number, delivered: Delivered, context: LintContext): readonly Finding[] {
  return [...checkSize(size, context), ...checkDelivered(delivered, context)];
}

function checkSize(size: number, { service }: LintContext): readonly Finding[] {
  const most = service === undefined ? ANY_PLATFORM : (service.mostBytes ?? WORTH_READING);
  if (size <= most) return [];
  const message =
    service === undefined
      ? `${size} bytes are more than Azure, EC2, OpenStack or vSphere take`
      : `${size} bytes are more than the ${most} that ${service.title} takes`;
  return [found('too-large', TOP, message, service === undefined ? 'warning' : 'error')];
}

function checkDelivered(delivered: Delivered, { service }: LintContext): readonly Finding[] {
  switch (delivered.kind) {
    case 'text':
      return [];
    case 'empty':
      return [found('empty', TOP, 'there is nothing in it')];
    case 'not-text':
      return [found('not-text', TOP, 'it holds bytes that are no UTF-8')];
    case 'packed':
      return delivered.reason === 'broken'
        ? [found('gzip-broken', TOP, 'it begins like gzip and cannot be unpacked')]
        : [found('gzip-not-unpacked', TOP, `${service?.title ?? 'the service'} is handed over packed`)];
  }
}
