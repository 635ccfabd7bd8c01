import { cloudcoreDefaults } from '@fenestra/contracts';
import { expect, test } from 'vitest';
import { restartNeeded } from './config-file.ts';

test('restartNeeded: names what a reload cannot take up, and nothing else', () => {
  const before = cloudcoreDefaults();
  const { cloudHub } = before.modules;
  const websocket = { ...cloudHub.websocket, port: 10_100 };
  const after = { ...before, modules: { ...before.modules, cloudHub: { ...cloudHub, nodeLimit: 7, websocket } } };
  expect(restartNeeded(before, before)).toEqual([]);
  expect(restartNeeded(before, after)).toEqual(['modules.cloudHub.websocket.port']);
});
