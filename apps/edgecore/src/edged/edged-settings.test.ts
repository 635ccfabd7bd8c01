import { loadEdgecoreConfig } from '@fenestra/contracts';
import { expect, test } from 'vitest';
import { edgedSettings, type EdgedSettings } from './edged-settings.ts';

function settingsOf(kubelet: object): EdgedSettings {
  const text = JSON.stringify({ modules: { edged: { tailoredKubeletConfig: kubelet } } });
  return edgedSettings(loadEdgecoreConfig(text, 'edgecore.yaml', 'linux').config);
}

test.each(['0s', '0', '-1s'])('with volumeStatsAggPeriod %s, the disk that pods use is not measured', (period) => {
  expect(settingsOf({ volumeStatsAggPeriod: period }).pressure.limitsStorage).toBe(false);
});

test('the disk that pods use is measured once a second at most', () => {
  expect(settingsOf({ volumeStatsAggPeriod: '1ms' }).pressure).toMatchObject({ limitsStorage: true, measureMs: 1000 });
  expect(settingsOf({}).pressure).toMatchObject({ limitsStorage: true, measureMs: 60_000 });
});

test.each(['0s', '-10s', '1ms'])('with containerLogMonitorInterval %s, logs are checked once a second', (interval) => {
  expect(settingsOf({ containerLogMonitorInterval: interval }).logRotation.checkMs).toBe(1000);
});

test('at least two files of a log are kept', () => {
  expect(settingsOf({ containerLogMaxFiles: 1 }).logRotation.maxFiles).toBe(2);
  expect(settingsOf({ containerLogMaxFiles: 7 }).logRotation.maxFiles).toBe(7);
});
