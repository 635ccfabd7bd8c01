import { expect, test } from 'vitest';
import { containerdConfig, type ContainerdSettings } from './containerd.ts';

const settings: ContainerdSettings = {
  version: '2.1.4',
  root: 'C:\\ProgramData\\containerd\\root',
  state: 'C:\\ProgramData\\containerd\\state',
  cniPrograms: 'C:\\opt\\cni\\bin',
  cniConfig: 'C:\\etc\\cni\\net.d',
  pauseImage: 'registry.k8s.io/pause:3.10',
};

test('containerdConfig is of form 3 from containerd 2.0 on, with a list of folders from 2.1 on', () => {
  const text = containerdConfig(settings);
  expect(text).toContain('version = 3\n');
  expect(text).toContain("bin_dirs = ['C:\\opt\\cni\\bin']");
  expect(text).toContain(
    "[plugins.'io.containerd.cri.v1.images'.pinned_images]\nsandbox = 'registry.k8s.io/pause:3.10'",
  );
  expect(containerdConfig({ ...settings, version: '2.0.5' })).toContain("bin_dir = 'C:\\opt\\cni\\bin'");
});

test('containerdConfig is of form 2 for containerd 1', () => {
  const text = containerdConfig({ ...settings, version: 'v1.7.27' });
  expect(text).toContain('version = 2\n');
  expect(text).toContain("[plugins.'io.containerd.grpc.v1.cri']\nsandbox_image = 'registry.k8s.io/pause:3.10'");
});

test('containerdConfig takes a pre-release of 2.0 for 2.0', () => {
  expect(containerdConfig({ ...settings, version: '2.0.0-rc.1' })).toContain('version = 3\n');
});
