import { powershellMistakes } from '@fenestra/worker/testing/powershell-grammar';
import { expect, test } from 'vitest';
import { IMAGE_PLATFORMS } from '../image/config.ts';
import { setupCompleteText } from './cloudbase.ts';

test.each(IMAGE_PLATFORMS)('on %s the service starts by itself from then on, and last of all', (platform) => {
  const lines = setupCompleteText(platform).split('\r\n');
  expect(lines.slice(-3)).toEqual(['sc.exe config cloudbase-init start= auto', 'net.exe start cloudbase-init', '']);
});

test('nothing of the way in that the builder had is left: rules, password, listener, key', () => {
  const text = setupCompleteText('vsphere');
  expect(text.match(/delete rule name="Image build: \w+"/g)).toHaveLength(2);
  expect(text).toContain('auth_basic /t REG_DWORD /d 0');
  expect(text).toContain(
    String.raw`reg.exe delete HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\WSMAN\Listener\*+HTTPS`,
  );
  expect(text).toContain("-eq 'Image build' } | Remove-Item -DeleteKey");
});

test('the wire server of Azure answers the system alone', () => {
  expect(setupCompleteText('azure')).toMatch(/168\.63\.129\.16 -RemotePort 80 -Action Block .*\(D;;CC;;;S-1-5-18\)/);
  expect(setupCompleteText('aws')).not.toContain('168.63');
});

test('ports that programs get by chance end with the last one there is', () => {
  const [, start = '', count = ''] = /tcp start=(\d+) num=(\d+)/.exec(setupCompleteText('qemu')) ?? [];
  expect(Number(start) + Number(count) - 1).toBe(65_535);
  expect(Number(start)).toBeGreaterThan(32_767);
});

test('nothing in it means something else to cmd.exe: no percent signs, and quotes in pairs', () => {
  for (const line of setupCompleteText('azure').split('\r\n')) {
    expect(line).not.toContain('%');
    expect(line.split('"').length % 2).toBe(1);
  }
});

test('what it has PowerShell do is PowerShell', async () => {
  const commands = [...setupCompleteText('azure').matchAll(/-Command "([^"]+)"/g)].map(([, command = '']) => command);
  expect(commands).toHaveLength(2);
  expect((await powershellMistakes(...commands)).flat()).toEqual([]);
});
