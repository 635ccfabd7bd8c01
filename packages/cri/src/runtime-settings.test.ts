import { expect, test } from 'vitest';
import { readSettings } from './runtime-settings.ts';

const runc = { options: { SystemdCgroup: true } };
const cniconfig = {
  PluginDirs: ['/opt/cni/bin'],
  PluginConfDir: '/etc/cni/net.d',
  Networks: [
    { Config: { Plugins: [{ Network: { type: 'loopback', ipam: {} } }] } },
    {
      Config: {
        Plugins: [
          { Network: { type: 'bridge', ipam: { type: 'host-local' } } },
          { Network: { type: 'portmap', ipam: {} } },
        ],
      },
    },
  ],
};

test('readSettings finds what pods depend on', () => {
  const config = {
    sandboxImage: 'pause:3.9',
    restrictOOMScoreAdj: false,
    containerd: { defaultRuntimeName: 'runc', runtimes: { runc } },
  };
  const info = { config: JSON.stringify(config), cniconfig: JSON.stringify(cniconfig) };
  expect(readSettings(info)).toEqual({
    cgroupDriver: 'systemd',
    sandboxImage: 'pause:3.9',
    restrictsOomScores: false,
    network: {
      configFolder: '/etc/cni/net.d',
      pluginFolders: ['/opt/cni/bin'],
      plugins: ['loopback', 'bridge', 'host-local', 'portmap'],
    },
  });
});

test.each([{}, { config: 'not JSON', cniconfig: '' }, { config: '{"containerd":{"runtimes":null}}' }])(
  'readSettings of %j is nothing',
  (info) => {
    expect(readSettings(info)).toEqual({});
  },
);
