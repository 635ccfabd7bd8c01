import { expect, test } from 'vitest';
import { joinedAgentService } from '../service-program/agent-service.ts';
import { testLayout } from '../testing/test-layout.ts';
import { testNode } from '../testing/test-node.ts';
import { foreignService, refuseForeignRegistration } from './foreign-service.ts';
import { requireJoined } from './node-facts.ts';

const { spec } = joinedAgentService(testLayout);
const services = { commandLine: () => 'systemctl status edgecore' };
const judge = (executable: string) => foreignService({ ...spec, executable }, testLayout.agentExecutable, services);

test('a service that runs our program, or none at all, is not foreign', () => {
  expect(judge(testLayout.agentExecutable)).toBeUndefined();
  expect(judge('/usr/local/bin/./edgecore')).toBeUndefined();
  expect(foreignService(undefined, testLayout.agentExecutable, services)).toBeUndefined();
});

test("upstream's agent elsewhere is named, with the way to make the machine a node of ours", () => {
  expect(judge('/opt/kubeedge/edgecore')).toMatchObject({
    code: 'SERVICE_CONFLICT',
    message: expect.stringContaining('"/opt/kubeedge/edgecore"'),
    hint: expect.stringContaining('keadm reset'),
  });
});

test('a service that runs something else altogether is to be looked at', () => {
  expect(judge('/usr/bin/python3')?.hint).toContain('systemctl status edgecore');
});

test('a node whose service runs another program is not taken for one of ours, nor for none', () => {
  const foreign = judge('/opt/kubeedge/edgecore');
  const node = { ...testNode, foreignService: foreign, installedSha256: undefined };
  expect(() => requireJoined(node)).toThrow(foreign);
});

test("a unit of upstream's is not registered again, a unit of ours with old arguments is", () => {
  expect(() =>
    refuseForeignRegistration({ ...spec, displayName: 'edgecore.service', args: [] }, spec, services),
  ).toThrow(expect.objectContaining({ code: 'SERVICE_CONFLICT', hint: expect.stringContaining('keadm reset') }));
  expect(() => refuseForeignRegistration({ ...spec, args: ['--old'] }, spec, services)).not.toThrow();
  expect(() => refuseForeignRegistration(undefined, spec, services)).not.toThrow();
});
