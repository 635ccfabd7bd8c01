import { expect, test } from 'vitest';
import { interpreterIn } from './posix-scripts.ts';

test.each([
  ['#!/bin/bash\necho', 'bash'],
  ['#!/usr/bin/env bash -e\n', 'bash'],
  ['#!/bin/sh\n# for bash\n', '/bin/sh'],
  ['echo bash', '/bin/sh'],
  ['', '/bin/sh'],
])('interpreterIn: %j is run by %s', (text, interpreter) => {
  expect(interpreterIn(text)).toBe(interpreter);
});
