import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { toEndpoints, toNetworks, outputOf } from './container-networks.ts';

const NETWORKS = JSON.stringify({
  Success: true,
  Output: [
    { ID: 'A1', Name: 'vxlan0', Type: 'Overlay', Subnets: [] },
    { ID: 'B2', Name: 'nat' },
    { Name: 'without an id' },
    'no object',
  ],
});

test('networks are read from an answer, and what is none is left out', () => {
  expect(toNetworks(outputOf(NETWORKS, 'GET', '/networks/'))).toEqual([
    { id: 'A1', name: 'vxlan0', type: 'Overlay' },
    { id: 'B2', name: 'nat', type: 'unknown' },
  ]);
});

test('the endpoints of a network are found in either case', () => {
  const endpoints = [
    { ID: 'e1', VirtualNetwork: 'a1' },
    { ID: 'e2', VirtualNetwork: 'B2' },
    { ID: 'e3', VirtualNetwork: 'A1' },
  ];
  expect(toEndpoints(endpoints, 'A1')).toEqual(['e1', 'e3']);
});

test('an answer without networks is none', () => {
  expect(toNetworks(outputOf('{"Success":true}', 'GET', '/networks/'))).toEqual([]);
});

test.each([
  ['{"Success":false,"Error":"Element not found. "}', /Element not found/],
  ['{"Success":false}', /no reason/],
  ['', /not JSON/],
])('the answer %j is a refusal', (text, reason) => {
  expect(() => outputOf(text, 'DELETE', '/networks/A1')).toThrow(OperatorError);
  expect(() => outputOf(text, 'DELETE', '/networks/A1')).toThrow(reason);
});
