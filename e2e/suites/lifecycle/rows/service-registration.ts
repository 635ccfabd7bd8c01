import { AGENT_SERVICE } from '@fenestra/lifecycle';
import { expect, test } from 'vitest';
import { registrationOf } from '../../../support/machines/registration.ts';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';

/** The test matrix's "Service install/uninstall", first half: what the system itself has on record. */
export function serviceInstall(parts: LifeParts): void {
  test('Service install/uninstall: the service is registered, with its program and automatic start', async () => {
    const { machine } = parts().node;
    const registration = await registrationOf(machine, AGENT_SERVICE);
    const program = machine.paths.agent;
    expect(registration?.replaceAll('\\\\', '\\')).toContain(program);
    expect(registration).toMatch(/Start\s+REG_DWORD\s+0x2|WantedBy=multi-user.target|"startType": "automatic"/);
  });
}

/** The second half: after a reset there is nothing on record. */
export function serviceUninstall(parts: LifeParts): void {
  test('Service install/uninstall: after the uninstall no registration is left', async () => {
    expect(await registrationOf(parts().node.machine, AGENT_SERVICE)).toBeUndefined();
  });
}
