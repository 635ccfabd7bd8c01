import {
  ContainerStatusResponseSchema,
  CreateContainerRequestSchema,
  CreateContainerResponseSchema,
} from '@fenestra/cri/messages';
import { expect, test } from 'vitest';
import { decode, encode } from '../../../packages/cri/src/codec.ts';
import { changeOf } from './message-changes.ts';

const MOUNTS = [
  { containerPath: 'c:/data', hostPath: 'C:\\var\\lib\\kubelet\\data', readonly: true },
  { containerPath: '\\\\.\\pipe\\x', hostPath: '\\\\.\\pipe\\x' },
];
const SANDBOX = {
  logDirectory: '\\var\\log\\pods\\p',
  linux: { securityContext: { namespaceOptions: { network: 2, pid: 1 } } },
  windows: { securityContext: { hostProcess: true } },
};
const windows = { securityContext: { hostProcess: true } };
const config = { workingDir: 'C:\\work', labels: { app: 'web' }, logPath: 'main/0.log', mounts: MOUNTS, windows };

test('a container for Windows is created as one for Linux, and its status has the mounts that were asked for', () => {
  const containers = new Map();
  const create = changeOf('CreateContainer', containers, '/host');
  const asked = encode(CreateContainerRequestSchema, { config, sandboxConfig: SANDBOX });
  const sent = decode(CreateContainerRequestSchema, create.request(asked));
  expect(sent.config).toMatchObject({
    workingDir: '/work',
    labels: { app: 'web' },
    mounts: [{ containerPath: '/data', hostPath: '/host/lib/kubelet/data', readonly: true }],
    linux: { securityContext: { namespaceOptions: { network: 2, pid: 1 } } },
  });
  expect(sent.config?.windows).toBeUndefined();
  expect(sent.sandboxConfig).toMatchObject({ logDirectory: '/host/log/pods/p' });
  expect(sent.sandboxConfig?.windows).toBeUndefined();

  create.answer(encode(CreateContainerResponseSchema, { containerId: 'c-1' }));
  const status = encode(ContainerStatusResponseSchema, {
    status: { id: 'c-1', logPath: '/host/log/pods/p/main/0.log' },
  });
  const { answer } = changeOf('ContainerStatus', containers, '/host');
  expect(decode(ContainerStatusResponseSchema, answer(status)).status).toMatchObject({
    logPath: 'C:\\var\\log\\pods\\p\\main\\0.log',
    mounts: MOUNTS,
  });
});

test('what only the Windows node has cannot be mounted', () => {
  const mounts = [{ containerPath: 'c:/x', hostPath: 'D:\\x' }];
  const message = encode(CreateContainerRequestSchema, { config: { ...config, mounts }, sandboxConfig: SANDBOX });
  expect(() => changeOf('CreateContainer', new Map(), '/host').request(message)).toThrow('"D:\\x"');
});

test('other messages are passed on as they are', () => {
  const message = Buffer.from('anything');
  const { request, answer } = changeOf('ListContainers', new Map(), '/host');
  expect([request(message), answer(message)]).toEqual([message, message]);
});
