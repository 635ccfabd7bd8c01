import { expect, test } from 'vitest';
import { metadataService } from '../../cloudbase/service.ts';
import { checkDelivery } from './delivery.ts';

const context = { version: '1.1.4', service: undefined } as const;
const delivered = { kind: 'empty' } as const;

test.each([
  [16_384, undefined, []],
  [16_385, 'note', ["EC2's user data"]],
  [50_000, 'note', ["EC2's user data", "VMware's guestinfo", 'a config drive', "OpenStack's user data"]],
  [65_536, 'warning', ["Azure's custom data", "EC2's user data"]],
] as const)('%i bytes without a service are reported as %s', (size, severity, titles) => {
  const [finding] = checkDelivery(size, delivered, context).filter(({ rule }) => rule === 'too-large');
  expect(finding?.severity).toBe(severity);
  for (const title of titles) expect(finding?.message).toContain(title);
});

test('gzip without a service is reported as a note, and its content is checked', () => {
  const unpacked = { kind: 'text', text: '#ps1\n', unpacked: true } as const;
  expect(checkDelivery(100, unpacked, context)).toMatchObject([
    { rule: 'gzip-not-unpacked', severity: 'note', message: expect.stringContaining("Azure's custom data") },
  ]);
  expect(checkDelivery(100, { ...unpacked, unpacked: false }, context)).toEqual([]);
  expect(checkDelivery(100, unpacked, { ...context, service: metadataService('ec2') })).toEqual([]);
});
