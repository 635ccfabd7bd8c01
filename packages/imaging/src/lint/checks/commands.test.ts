import { expect, test } from 'vitest';
import { lintFile } from '../lint-file.ts';
import type { RuleId } from '../rules.ts';
import { config } from '../testing/documents.ts';

function has(rule: RuleId, ...commands: readonly string[]): boolean {
  const text = config(`runcmd: ${JSON.stringify(commands)}`);
  const documents = lintFile(Buffer.from(text), { version: '1.1.4', service: undefined });
  return documents.some(({ findings }) => findings.some((finding) => finding.rule === rule));
}

const JOIN = 'powershell -File C:\\join.ps1';

test.each([
  [[JOIN, 'echo done']],
  [[JOIN, 'rem all of it', 'del C:\\join.ps1']],
  [['dir || exit /b 1', JOIN, 'echo done', 'rem end']],
])('a last line that hides the exit code of %j is reported', (commands) => {
  expect(has('runcmd-goes-on', ...commands)).toBe(true);
});

test.each([
  [[JOIN]],
  [['echo on', JOIN, 'rem done']],
  [[`${JOIN} || exit /b 1`, 'echo done']],
  [[JOIN, 'if errorlevel 1 exit /b 1', 'echo done']],
  [['echo one', 'echo two']],
])('%j hides nothing', (commands) => {
  expect(has('runcmd-goes-on', ...commands)).toBe(false);
});

test.each(['x && C:/a.cmd', 'C:\\a.bat', '"C:\\a b.cmd" /q', 'if exist C:\\a C:\\a.cmd', 'x & (a.cmd)'])(
  'a batch file without a call is seen in: %s',
  (command) => {
    expect(has('runcmd-call', command, 'dir')).toBe(true);
    expect(has('runcmd-call', 'dir', command)).toBe(false);
  },
);

test.each([
  'x && call C:/a.cmd',
  'echo "x && C:/a.cmd"',
  'cmd /c C:\\a.cmd',
  'type x | C:\\a.cmd',
  'if exist C:\\a.cmd dir',
  'dir C:\\a.cmd',
])('none is seen in: %s', (command) => {
  expect(has('runcmd-call', command, 'dir')).toBe(false);
});

test.each([
  'Restart-Computer',
  'shutdown /r',
  'shutdown.exe /r /t 0',
  'C:\\Windows\\System32\\shutdown.exe -r -f',
  'powershell -Command "Restart-Computer"',
  'powershell.exe -NoProfile -Command Restart-Computer -Force',
  'powershell -Command "Rename-Computer -NewName x -Restart"',
])('a restart is seen in: %s', (command) => {
  expect(has('restart-inside', command)).toBe(true);
});

test.each([
  'shutdown /r /t 60',
  'shutdown /a',
  'powershell -Command "Rename-Computer -NewName x"',
  'powershell -Command "Rename-Computer -NewName x -Restart:$false"',
  'echo Restart-Computer',
])('no restart is seen in: %s', (command) => {
  expect(has('restart-inside', command)).toBe(false);
});
