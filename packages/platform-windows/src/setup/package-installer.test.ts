import { expect, test } from 'vitest';
import { judgeExit } from './package-installer.ts';

test('judgeExit takes a wish to restart for success', () => {
  expect(judgeExit(0)).toMatchObject({ isDone: true, restart: false });
  expect(judgeExit(3010)).toMatchObject({ isDone: true, restart: true });
});

test('judgeExit says what a failure means', () => {
  expect(judgeExit(1618)).toMatchObject({ isDone: false, meaning: 'another installation is in progress' });
  expect(judgeExit(1605)).toMatchObject({ isDone: false, isAbsent: true });
  expect(judgeExit(-1)).toMatchObject({ isDone: false, meaning: 'it failed' });
});
