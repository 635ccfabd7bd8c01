import { OperatorError } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  certificateRequestHeaders,
  type KeyUsage,
  NODE_ORGANIZATION,
  nodeCommonName,
  nodeNameOf,
  readCertificateRequestHeaders,
} from './certificate-request.ts';
import { nodePath, parseCloudRequest } from './endpoints.ts';

const usages: fc.Arbitrary<readonly KeyUsage[]> = fc.constantFrom(
  ['clientAuth'],
  ['serverAuth'],
  ['serverAuth', 'clientAuth'],
);

test('the cloud reads the headers that a node wrote', () => {
  const name = fc.stringMatching(/^[a-z0-9-]+$/);
  const request = fc.record(
    { nodeName: name, keyUsages: usages, bearer: fc.stringMatching(/^[\w.-]+$/) },
    { requiredKeys: ['nodeName', 'keyUsages'], noNullPrototype: true },
  );
  fc.assert(
    fc.property(request, (given) => {
      expect(readCertificateRequestHeaders(received(certificateRequestHeaders(given)))).toEqual(given);
    }),
  );
});

test("a node's headers are upstream's", () => {
  const request = { nodeName: 'n1', keyUsages: ['serverAuth', 'clientAuth'], bearer: 'a.b.c' } as const;
  expect(certificateRequestHeaders(request)).toEqual({
    NodeName: 'n1',
    ExtKeyUsages: '[1,2]',
    Authorization: 'Bearer a.b.c',
  });
  expect(certificateRequestHeaders({ nodeName: 'n1', keyUsages: ['clientAuth'] })).toEqual({ NodeName: 'n1' });
});

test.each([
  ['no node name', {}, 'CERTIFICATE_INVALID'],
  ['two node names', { nodename: ['a', 'b'] }, 'CERTIFICATE_INVALID'],
  ['usages that are not list', { nodename: 'n', extkeyusages: '1' }, 'CERTIFICATE_INVALID'],
  ['no usage at all', { nodename: 'n', extkeyusages: '[]' }, 'CERTIFICATE_INVALID'],
  ['the right to sign code', { nodename: 'n', extkeyusages: '[3]' }, 'CERTIFICATE_INVALID'],
  ['a password', { nodename: 'n', authorization: 'Basic abc' }, 'TOKEN_INVALID'],
  ['a token in two parts', { nodename: 'n', authorization: 'Bearer a b' }, 'TOKEN_INVALID'],
])('a request with %s is refused', (_, headers, code) => {
  expect(() => readCertificateRequestHeaders(headers)).toThrow(expect.objectContaining({ code }));
});

test('no headers make reading them throw anything but an operator error', () => {
  const value = fc.option(fc.oneof(fc.string(), fc.json()), { nil: undefined });
  const headers = fc.record({ nodename: value, authorization: value, extkeyusages: value });
  fc.assert(
    fc.property(headers, (given) => {
      try {
        readCertificateRequestHeaders(given);
      } catch (error) {
        expect(error).toBeInstanceOf(OperatorError);
      }
    }),
  );
});

test.each([
  ['GET', '/ca.crt', { request: 'ca' }],
  ['GET', '/ca.crt?x=1', { request: 'ca' }],
  ['GET', '/edge.crt', { request: 'node-certificate' }],
  ['GET', nodePath('n 1'), { request: 'node', nodeName: 'n 1' }],
  ['POST', '/nodeupgrade', { request: 'node-upgrade-report' }],
  [
    'POST',
    '/task/prepull/name/t1/node/n1/status',
    { request: 'task-report', taskType: 'prepull', task: 't1', node: 'n1' },
  ],
  ['POST', '/edge.crt', undefined],
  ['GET', '/node/', undefined],
  ['GET', '/node/a/b', undefined],
  ['GET', '/node/%', undefined],
  ['GET', '/', undefined],
])('%s %s is understood', (method, url, expected) => {
  expect(parseCloudRequest(method, url)).toEqual(expected);
});

test('the node of a certificate is the one its subject names', () => {
  const commonName = nodeCommonName('n1');
  expect(nodeNameOf({ organization: NODE_ORGANIZATION, commonName })).toBe('n1');
  expect(nodeNameOf({ organization: 'KubeEdge', commonName })).toBeUndefined();
  expect(nodeNameOf({ organization: NODE_ORGANIZATION, commonName: 'system:node:' })).toBeUndefined();
  expect(nodeNameOf({ organization: NODE_ORGANIZATION, commonName: 'kubeedge.io' })).toBeUndefined();
});

function received(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
