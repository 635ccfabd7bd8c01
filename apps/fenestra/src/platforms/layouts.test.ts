import { expect, test } from 'vitest';
import { linuxWorkerLayout, windowsWorkerLayout } from './layouts.ts';

test('everything of a Linux worker is below its root, where kubeadm has it', () => {
  expect(linuxWorkerLayout('/')).toMatchObject({
    kubelet: '/usr/local/bin/kubelet',
    flagsFile: '/var/lib/kubelet/kubeadm-flags.env',
    kubeconfig: '/etc/kubernetes/kubelet.conf',
    hostExecutable: '/var/lib/fenestra/worker/keadm',
  });
  for (const path of Object.values(linuxWorkerLayout('/srv/node'))) expect(path).toMatch(/^\/srv\/node\//);
});

test('everything of a Windows worker is on one drive, whichever is the current one', () => {
  expect(windowsWorkerLayout('C:')).toMatchObject({
    kubelet: 'C:\\k\\kubelet.exe',
    flagsFile: 'C:\\var\\lib\\kubelet\\kubeadm-flags.env',
    kubeconfig: 'C:\\etc\\kubernetes\\kubelet.conf',
    caFile: 'C:\\etc\\kubernetes\\pki\\ca.crt',
  });
  for (const path of Object.values(windowsWorkerLayout('D:'))) expect(path).toMatch(/^D:\\[a-z]/);
});

test('both systems have the same names below their folders', () => {
  const names = Object.values(linuxWorkerLayout('/')).map((path) => path.split('/').at(-1));
  const others = Object.values(windowsWorkerLayout('C:')).map((path) =>
    path
      .replace(/\.exe$/, '')
      .split('\\')
      .at(-1),
  );
  expect(others.slice(1)).toEqual(names.slice(1));
});
