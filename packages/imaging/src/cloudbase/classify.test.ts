import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { windowsHostName } from '../lint/checks/host-and-time.ts';
import { classify, ec2Blocks, interpreterOfFile } from './classify.ts';
import {
  decodeContent,
  exitOfRuncmd,
  exitOfScript,
  fileMode,
  isReadOnly,
  runcmdLine,
  runcmdScript,
} from './file-content.ts';
import { deliver, metadataService, SERVICE_NAMES } from './service.ts';
import { instanceVariable } from './version.ts';

test.each([
  ['#cloud-config\n', { kind: 'cloud-config' }],
  ['\n#cloud-config\n', { kind: 'unknown' }],
  ['\uFEFF#cloud-config\n', { kind: 'unknown' }],
  ['#Cloud-config\n', { kind: 'unknown' }],
  ['#cloud-config-archive\n', { kind: 'cloud-config' }],
  ['## template: jinja\n#cloud-config\n', { kind: 'template' }],
  ['##TEMPLATE:Jinja \r\n#cloud-config\n', { kind: 'template' }],
  ['## template: mako\n#cloud-config\n', { kind: 'unknown' }],
  ['MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n', { kind: 'mime' }],
  ['content-type: multipart/mixed; boundary=x\n\n', { kind: 'unknown' }],
  ['#cloud-config\n\n# Content-Type: multipart\n', { kind: 'cloud-config' }],
  ['#cloud-config\r\n\r\n# Content-Type: multipart\r\n', { kind: 'mime' }],
  ['## template: jinja\nContent-Type: multipart\n', { kind: 'mime' }],
  ['\n -----BEGIN CERTIFICATE-----\n', { kind: 'certificate' }],
  ['rem cmd\r\ndir', { kind: 'script', interpreter: 'cmd' }],
  ['rem cmd', { kind: 'unknown' }],
  ['REM cmd\n', { kind: 'unknown' }],
  ['#!/usr/bin/env python\n', { kind: 'script', interpreter: 'python' }],
  ['#!/usr/bin/env python3\n', { kind: 'script', interpreter: 'bash' }],
  ['#ps1\n', { kind: 'script', interpreter: 'powershell' }],
  ['#ps1_sysnative\r\n', { kind: 'script', interpreter: 'powershell' }],
  ['#ps1_x86\n', { kind: 'script', interpreter: 'powershell-x86' }],
  ['#ps1_x86', { kind: 'unknown' }],
  ['#ps1\u00a0', { kind: 'unknown' }],
  ['## template: jinja\r#cloud-config\r', { kind: 'unknown' }],
  ['\uFEFF-----BEGIN CERTIFICATE-----\n', { kind: 'unknown' }],
  ['hello </powershell>', { kind: 'script', interpreter: 'ec2' }],
  ['#ps1\n<script>', { kind: 'script', interpreter: 'powershell' }],
])('%j is taken for %j', (text, kind) => {
  expect(classify(text)).toEqual(kind);
});

test('gzip is unpacked by every service but that of Azure', () => {
  const packed = gzipSync('#ps1\n');
  for (const name of SERVICE_NAMES) {
    const wanted =
      name === 'azure' ? { kind: 'packed', reason: 'service' } : { kind: 'text', text: '#ps1\n', unpacked: true };
    expect(deliver(packed, metadataService(name))).toEqual(wanted);
  }
});

test.each([
  ['a.PS1', 'rem cmd\n', 'powershell'],
  ['a.exe', '', 'program'],
  ['a.b/c', '#ps1\n', 'powershell'],
  ['a.txt', '', undefined],
  ['.ps1', '', undefined],
  ['a.constructor', '', undefined],
])('"%s" with %j is run by %s', (name, text, interpreter) => {
  expect(interpreterOfFile(name, text)).toBe(interpreter);
});

test('blocks of EC2 run by their kind, and empty ones do not', () => {
  const text = '<powershell>p1</powershell><script> </script><script>s1</script><powershell>p2</powershell>';
  expect(ec2Blocks(text).map(({ code }) => code)).toEqual(['s1', 'p1', 'p2']);
});

test.each([
  [0, { reboots: false, runsAgain: false }, { reboots: false, runsAgain: false }],
  [1, { reboots: false, runsAgain: false }, { reboots: false, runsAgain: false }],
  [1001, { reboots: true, runsAgain: false }, { reboots: true, runsAgain: true }],
  [1002, { reboots: false, runsAgain: true }, { reboots: false, runsAgain: false }],
  [1003, { reboots: true, runsAgain: true }, { reboots: true, runsAgain: true }],
  [1004, { reboots: false, runsAgain: false }, { reboots: false, runsAgain: false }],
])('exit code %i means %j to a script, and %j to runcmd', (code, script, runcmd) => {
  expect([exitOfScript(code), exitOfRuncmd(code)]).toEqual([script, runcmd]);
});

test.each([
  ['win-1', 'win-1'],
  ['win-1.example.com', 'win-1'],
  ['a-very-long-name-indeed', 'a-very-long-nam'],
  ['fourteen-long-x', 'fourteen-long-x'],
  ['fourteen-longx-y', 'fourteen-longx0'],
])('the host "%s" becomes "%s"', (wished, name) => {
  expect(windowsHostName(wished)).toBe(name);
});

test('commands become one script of cmd.exe', () => {
  const lines = ['dir', ['echo', 'a b', 5, true, null]].map((entry) => runcmdLine(entry) ?? '');
  expect(runcmdScript(lines)).toBe('rem cmd\r\ndir\r\necho a b 5 True None\r\n');
  expect([5, { a: 1 }, null].map(runcmdLine)).toEqual([undefined, undefined, undefined]);
});

test.each([
  ['YWJj', 'base64', 'abc', undefined],
  ['YW\nJj', ' B64 ', 'abc', undefined],
  ['YWJ', 'b64', 'YWJ', 'bad-base64'],
  ['abc', 'rot13', 'abc', 'unknown-encoding'],
  [gzipSync('abc').toString('base64'), 'gz+b64', 'abc', undefined],
  ['YWJj', 'gzip+base64', 'abc', 'bad-gzip'],
  ['abc', undefined, 'abc', undefined],
  ['YWI=YWI=', 'b64', 'ab', undefined],
  ['YW==Jj', 'b64', 'a', undefined],
  ['YWJj=', 'b64', 'abc', undefined],
  ['', 'gzip', '', undefined],
])('%j in "%s" is written as %j', (content, encoding, written, problem) => {
  expect(decodeContent(content, encoding)).toEqual({ bytes: Buffer.from(written), problem });
});

const PACKED = gzipSync('abc');

test.each([
  ['that is whole', PACKED, undefined],
  ['with a wrong sum', PACKED.with(PACKED.length - 6, 0), 'bad-gzip'],
  ['with something behind it', Buffer.concat([PACKED, Buffer.from('abc')]), 'bad-gzip'],
  ['that is cut off', PACKED.subarray(0, 15), 'damaged-gzip'],
  ['that makes no sense', PACKED.with(10, 0xff), 'damaged-gzip'],
])('gzip %s is distinguished from gzip that is written unchanged, or not at all', (_, bytes, problem) => {
  expect(decodeContent(bytes, 'gzip').problem).toBe(problem);
});

test.each([
  ['0400', true],
  [true, true],
  ['0_644', false],
  ['0o644', false],
  [0o644, false],
  [644, false],
  ['rw', false],
  [undefined, false],
  ['0555', true],
])('the mode %j makes a file read-only: %s', (permissions, readOnly) => {
  expect(isReadOnly(fileMode(permissions))).toBe(readOnly);
});

test.each([
  [['local_hostname'], 'missing', 'present'],
  [['instance_id'], 'missing', 'present'],
  [['ds', 'meta_data', 'local_hostname'], 'present', 'present'],
  [['v1', 'local_hostname'], 'present', 'present'],
  [['ds', 'meta_data', 'instance-id'], 'missing', 'present'],
  [['ds', 'meta_data', 'local_ipv4'], 'missing', 'present'],
  [['ds', 'other'], 'missing', 'missing'],
  [['nothing'], 'missing', 'missing'],
  [['nothing', 'below'], 'fails', 'fails'],
  [['ds', 'meta_data', 'zone'], 'missing', 'maybe'],
  [['ds', 'meta_data', 'public_ssh_keys'], 'present', 'present'],
  [['v1', 'cloud_name'], 'missing', 'maybe'],
  [['v1', 'cloud_name', 'x'], 'fails', 'fails'],
] as const)('the variable %j is %s in 1.1.4 and %s in 1.1.7', (names, before, since) => {
  expect(instanceVariable(names, { version: '1.1.4', service: 'vmware' })).toBe(before);
  expect(instanceVariable(names, { version: '1.1.7', service: 'vmware' })).toBe(since);
});
