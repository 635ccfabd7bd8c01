import { expect, test } from 'vitest';
import { lintFile } from '../lint-file.ts';
import { processorMs } from '../../../../../tests/processor-time.ts';

function found(text: string): readonly string[] {
  const documents = lintFile(Buffer.from(text), { version: '1.1.4', service: undefined });
  return documents.flatMap(({ findings }) => findings.map(({ rule, line }) => `${rule} ${line}`));
}

const CONFIGURATION = `kind: JoinConfiguration
nodeRegistration:
  kubeletExtraArgs:
    register-with-taints: a=b:NoSchedule
`;
const JOINED = 'kubeadm join --config x\necho success > C:\\run\\cluster-api\\bootstrap-success.complete\n';

test.each([`'`, `"`])('the configuration in a here-string of %s is judged as a file is', (quote) => {
  const script = `#ps1\n$join = @${quote}\n${CONFIGURATION}${quote}@\n`;
  expect(found(script)).toEqual(['kubelet-args-lost 5', 'taint-lost 6']);
  expect(found(script.replaceAll('\n', '\r\n'))).toEqual(['kubelet-args-lost 5', 'taint-lost 6']);
  expect(found(`${script}& C:\\k\\RestartKubelet.ps1\n`)).toEqual(['taint-lost 6']);
});

test('so is one in a block of EC2', () => {
  expect(found(`x\n<powershell>\n\n$join = @'\n${CONFIGURATION}'@\n</powershell>\n`)).toEqual([
    'kubelet-args-lost 7',
    'taint-lost 8',
  ]);
});

test.each(['#ps1', '#ps1_x86', 'rem cmd'])('a join in a script of "%s" must say that it succeeded', (marker) => {
  expect(found(`${marker}\nkubeadm.exe join --config x\n`)).toEqual(['sentinel-missing 2']);
  expect(found(`${marker}\n${JOINED}`)).toEqual([]);
});

test.each(['# kubeadm join', 'Write-Output "kubeadm join"', '$x = "kubeadm"'])('"%s" is not a join', (line) => {
  expect(found(`#ps1\n${line}\n`)).toEqual([]);
});

test('a batch file without a call ends a script of cmd.exe, unless it is the last', () => {
  expect(found('rem cmd\nC:\\a.cmd /q\ndir\n')).toEqual(['runcmd-call 2']);
  expect(found('rem cmd\r\ncall C:\\a.cmd /q\r\nC:\\a.cmd\r\nrem end\r\n')).toEqual([]);
  expect(found('<script>\ndir && C:\\a.cmd\ndir\n</script>\n')).toEqual(['runcmd-call 2']);
});

test('a restart in a script is seen in each of its forms', () => {
  expect(found('#ps1\nRename-Computer -NewName x -Force -Restart\n')).toEqual(['restart-inside 2']);
  expect(found('#ps1\n# Rename-Computer -NewName x -Restart\nRename-Computer -NewName x\n')).toEqual([]);
});

test.each([
  ['here-strings without an end', `#ps1\n${`@'\n`.repeat(20_000)}`],
  ['separators', `#ps1\n${';'.repeat(60_000)}`],
  ['shells', `#ps1\n${'powershell '.repeat(6000)}`],
  ['names of programs', `#ps1\n${'kubeadm '.repeat(8000)}`],
])('many %s are judged in no time', (_, script) => {
  const start = processorMs();
  found(script);
  expect(processorMs() - start).toBeLessThan(4000);
});
