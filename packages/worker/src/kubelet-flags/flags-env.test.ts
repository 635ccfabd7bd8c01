import { expect, test } from 'vitest';
import { flagsEnvText, parseFlagsEnv } from './flags-env.ts';

const env = (value: string): string => `KUBELET_KUBEADM_ARGS=${value}\n`;

test('kubeadm-flags.env is written as kubeadm writes it', () => {
  expect(flagsEnvText(['--cert-dir=C:\\var\\lib', '--node-labels=a=b,c="d"'])).toBe(
    env(String.raw`"--cert-dir=C:\\var\\lib --node-labels=a=b,c=\"d\""`),
  );
  expect(flagsEnvText([])).toBe(env('""'));
});

test.each([
  [
    'escaped backslashes',
    String.raw`"--cert-dir=C:\\var\\lib\\kubelet\\pki --v=4"`,
    ['--cert-dir=C:\\var\\lib\\kubelet\\pki', '--v=4'],
  ],
  [
    'backslashes that a hand wrote plainly',
    String.raw`"--cert-dir=C:\temp\new\x --v=4"`,
    ['--cert-dir=C:\\temp\\new\\x', '--v=4'],
  ],
  ['nothing in quotes', '""', []],
  ['nothing at all', '', []],
  ['an empty value', '"--resolv-conf= --v=4"', ['--resolv-conf=', '--v=4']],
  ['values with an equals sign', '"--node-labels=a=b,c=d --v=4"', ['--node-labels=a=b,c=d', '--v=4']],
  ['values with spaces', '"--x=a b  c --v=4"', ['--x=a b  c', '--v=4']],
  ['values in quotes of their own', String.raw`"--x=\"a --b\" --v=4"`, ['--x=a --b', '--v=4']],
  ['values in single quotes', `"--x='a --b' --v=4"`, ['--x=a --b', '--v=4']],
  ['quotes within a value', String.raw`"--x={\"a\": \"b\"} --v=4"`, ['--x={"a": "b"}', '--v=4']],
  ['a value in its own word', '"--v 4 --x"', ['--v=4', '--x']],
  ['single quotes around all', "'--v=4 --x=\\n'", ['--v=4', '--x=\\n']],
  ['no quotes', '--v=4 --x=1', ['--v=4', '--x=1']],
])('kubeadm-flags.env may have %s', (_, value, args) => {
  expect(parseFlagsEnv(env(value))).toEqual(args);
});

test('kubeadm-flags.env may come from a Windows editor, with remarks and other variables', () => {
  const text = `\uFEFF# KUBELET_KUBEADM_ARGS="--v=1"\r\nOTHER=1\r\n\r\n${env('"--v=2"').trim()}\r\n${env('"--v=3"').trim()}\r\n`;
  expect(parseFlagsEnv(text)).toEqual(['--v=3']);
});

test.each([
  [
    [
      '--a=',
      '--b=x=y',
      '--c=x y',
      '--d="quoted"',
      "--e='",
      '--f= - --x',
      '--g=C:\\a b\\"',
      '--h=\\\\server\\share',
      '--i',
    ],
  ],
  [['--x={"a": "b"}', '--y=\\', '--z=a\\" b']],
])('what is written is read again: %j', (args) => {
  expect(parseFlagsEnv(flagsEnvText(args))).toEqual(args);
});

test.each([
  ['', 'does not set'],
  ['KUBELET_EXTRA_ARGS="--v=4"', 'does not set'],
  ['KUBELET_KUBEADM_ARGS="--v=4', 'quotes do not match'],
  ["KUBELET_KUBEADM_ARGS='--v=4", 'quotes do not match'],
  ['KUBELET_KUBEADM_ARGS="v=4"', 'does not begin with an argument'],
])('%j is refused: a kubelet without its arguments could take another name', (text, reason) => {
  expect(() => parseFlagsEnv(text)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(reason) }),
  );
});

test('an argument with a line break is not written', () => {
  expect(() => flagsEnvText(['--x=a\nEVIL=1'])).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});
