import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { powershellMistakes } from '@fenestra/worker/testing/powershell-grammar';
import { commandsScript } from './script-base.ts';
import { anyRequest } from './testing/requests.ts';
import { scriptOf } from './testing/script-of.ts';

test('the scripts are PowerShell, whatever is in them', async () => {
  const scripts = [
    ...fc.sample(anyRequest, { numRuns: 25, seed: 11 }).map(scriptOf),
    commandsScript('before', ["it's", 'größe\n"two" {# %', '$(x) `y`'], ["Set-Something @('corp.example')"]),
    commandsScript('after', ['dir'], []),
  ];
  expect(await powershellMistakes(...scripts)).toEqual(scripts.map(() => []));
}, 20_000);

test('the same check refuses a script that is broken', async () => {
  const whole = commandsScript('before', ['dir'], []);
  const broken = [
    whole.replace('} catch {', 'catch {'),
    whole.replace("'Stop'", "'Stop"),
    whole.slice(0, whole.indexOf('} finally')),
  ];
  for (const lines of await powershellMistakes(...broken)) expect(lines.length).toBeGreaterThan(0);
}, 20_000);
