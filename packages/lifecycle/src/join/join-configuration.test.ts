import { expect, test } from 'vitest';
import { cloudOf } from './cloud-address.ts';
import { joinConfiguration } from './join-configuration.ts';
import { testLayout as layout } from '../testing/test-layout.ts';
import { host, wishes } from './testing/facts.ts';

const HEADER = 'apiVersion: edgecore.config.kubeedge.io/v1alpha2\nkind: EdgeCore\n';

const given = (text: string) => ({ path: '/given.yaml', text: `${HEADER}${text}` });

const reportsEvents = (changes: Partial<typeof wishes>): boolean =>
  joinConfiguration({ ...wishes, ...changes }, host, layout).config.modules.edged.reportEvent;

test("joinConfiguration takes the host's name in lower case and the usual ports", () => {
  const { config, nodeName, token } = joinConfiguration(wishes, host, layout);
  expect({ nodeName, token }).toEqual({ nodeName: 'press-7', token: undefined });
  expect(cloudOf(config)).toEqual({
    certificates: { host: '10.0.0.5', port: 10_002 },
    hub: { host: '10.0.0.5', port: 10_000 },
  });
});

test('joinConfiguration has a node write events, unless a file or "--set" says otherwise', () => {
  expect(reportsEvents({})).toBe(true);
  expect(reportsEvents({ assignments: ['modules.edged.reportEvent=false'] })).toBe(false);
  expect(reportsEvents({ configuration: given('modules:\n  edged: { reportEvent: false }\n') })).toBe(false);
});

test('joinConfiguration puts flags over the file and "--set" over flags', () => {
  const { config, nodeName, text } = joinConfiguration(
    {
      ...wishes,
      nodeName: 'by-flag',
      labels: { zone: 'north', 'example.com/line': '3' },
      runtimeEndpoint: 'unix:///run/other.sock',
      configuration: given(
        '# keep me\nmodules:\n  edgeHub: { heartbeat: 7 }\n  edged: { hostnameOverride: by-file }\n',
      ),
      assignments: ['modules.edgeHub.heartbeat=9'],
    },
    host,
    layout,
  );
  const { edgeHub, edged } = config.modules;
  expect(nodeName).toBe('by-flag');
  expect(edgeHub.heartbeat).toBe(9);
  expect(edged.nodeLabels).toEqual({ zone: 'north', 'example.com/line': '3' });
  expect(edged.tailoredKubeletConfig.containerRuntimeEndpoint).toBe('unix:///run/other.sock');
  expect(text).toContain('# keep me');
});

test('joinConfiguration leaves the cloud to the file if no flag names one, and its ports if no flag does', () => {
  const text = 'modules:\n  edgeHub:\n    httpServer: https://a.example:1\n    websocket: { server: "a.example:2" }\n';
  const byFile = joinConfiguration({ ...wishes, cloud: undefined, configuration: given(text) }, host, layout);
  expect(cloudOf(byFile.config).hub).toEqual({ host: 'a.example', port: 2 });
  const cloud = { host: 'fd00::5', hubPort: 3, certificatePort: undefined };
  const byFlag = joinConfiguration({ ...wishes, cloud, configuration: given(text) }, host, layout);
  expect(byFlag.config.modules.edgeHub.httpServer).toBe('https://[fd00::5]:1');
  expect(cloudOf(byFlag.config)).toEqual({
    certificates: { host: 'fd00::5', port: 1 },
    hub: { host: 'fd00::5', port: 3 },
  });
});

test('joinConfiguration moves the paths of a node below a folder, but none that someone chose', () => {
  const moved = { ...layout, configFolder: '/n/etc/kubeedge', stateFolder: '/n/var/lib/kubeedge' };
  const text = 'modules:\n  edgeHub: { tlsCaFile: /own/ca.crt }\n';
  const { config } = joinConfiguration({ ...wishes, configuration: given(text) }, host, moved);
  expect(config.database.dataSource).toBe('/n/var/lib/kubeedge/edgecore.db');
  expect(config.modules.edgeHub.tlsPrivateKeyFile).toBe('/n/etc/kubeedge/certs/server.key');
  expect(config.modules.edgeHub.tlsCaFile).toBe('/own/ca.crt');
  expect(config.modules.edged.tailoredKubeletConfig.podLogsDir).toBe('/n/var/log/pods');
});

test('joinConfiguration takes the token out of the given file', () => {
  const configuration = given('modules:\n  edgeHub:\n    token: "very.secret.token.indeed"\n');
  const { text, token } = joinConfiguration({ ...wishes, configuration }, host, layout);
  expect(token).toBe('very.secret.token.indeed');
  expect(text).not.toContain('secret');
});

test.each(['Press-7', 'press_7', '-press', 'press-', 'a..b', 'preß', 'a'.repeat(64), ''])(
  'joinConfiguration refuses to call a node "%s", with the rule',
  (nodeName) => {
    expect(() => joinConfiguration({ ...wishes, nodeName }, host, layout)).toThrow(
      expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('lower-case') }),
    );
  },
);

test('joinConfiguration refuses a host name that is not a node name, unless another name is given', () => {
  const odd = { ...host, hostName: 'PRESS_7' };
  expect(() => joinConfiguration(wishes, odd, layout)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  expect(joinConfiguration({ ...wishes, nodeName: 'press-7' }, odd, layout).nodeName).toBe('press-7');
});

test('joinConfiguration tells every problem of a file, with its lines', () => {
  const configuration = given('modules:\n  edgeHub: { heartbeat: -1, tokn: x }\n');
  expect(() => joinConfiguration({ ...wishes, configuration }, host, layout)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(/2 problem.*:4 /s) }),
  );
});
