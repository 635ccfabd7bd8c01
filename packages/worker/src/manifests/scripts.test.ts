import { listAt, stringAt } from '@fenestra/kube-api';
import { expect, test } from 'vitest';
import { powershellMistakes } from '../script/testing/powershell-grammar.ts';
import { POD_NETWORKS } from './manifest-request.ts';
import { requestWith } from './testing/requests.ts';
import { windowsManifests } from './windows-manifests.ts';

/** Everything in the pods that PowerShell is to read. */
function scriptsOf(wins: boolean): readonly string[] {
  return POD_NETWORKS.flatMap((network) => windowsManifests(requestWith({ network, wins })).objects).flatMap(
    (object) => {
      if (object.kind === 'ConfigMap') return [stringAt(object, 'data', 'start.ps1')];
      const command = listAt(listAt(object, 'spec', 'template', 'spec', 'containers')[0], 'command');
      return command.includes('-Command') ? command.slice(-1).filter((word) => typeof word === 'string') : [];
    },
  );
}

test('what pods give to PowerShell is PowerShell', async () => {
  const scripts = new Set([...scriptsOf(false), ...scriptsOf(true)]);
  expect(scripts.size).toBe(5);
  expect((await powershellMistakes(...scripts)).flat()).toEqual([]);
});

test('no script of a pod is longer than a screen', () => {
  for (const script of [...scriptsOf(false), ...scriptsOf(true)]) expect(script.split('\n').length).toBeLessThan(60);
});
