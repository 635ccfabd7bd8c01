import assert from 'node:assert/strict';
import type { ContractCase } from '@fenestra/platform/contract';
import { type Native, scmServices } from '@fenestra/platform-windows';
import { soon, type WindowsBed, withService } from './windows-bed.ts';

const CONNECT = 0x1;
const QUERY_STATUS = 0x4;

/** Services that someone else has open, as services.msc does, and which Windows therefore cannot forget. */
export function heldServiceCases(bed: WindowsBed): readonly ContractCase[] {
  const services = scmServices(bed.native);
  return [
    {
      name: 'removing a service that someone has open times out, and is finished once it is closed',
      run: () =>
        withService(bed, {}, async (spec) => {
          const close = openService(bed.native, spec.name);
          try {
            await assert.rejects(services.remove(spec.name, AbortSignal.timeout(500)), { code: 'TIMED_OUT' });
            // Marked for deletion: it can be seen but not had any more.
            await assert.rejects(services.install(spec), { code: 'SERVICE_CONFLICT', details: { win32: 1072 } });
          } finally {
            close();
          }
          await services.remove(spec.name, soon());
          assert.equal((await services.status(spec.name)).state, 'absent');
          assert.equal(await services.install(spec), 'created');
        }),
    },
  ];
}

/** Opens the service behind the adapter's back; returns what closes it. */
function openService({ services }: Native, name: string): () => void {
  const scm = services.OpenSCManagerW(null, null, CONNECT);
  assert.ok(scm);
  const service = services.OpenServiceW(scm, name, QUERY_STATUS);
  assert.ok(service);
  return () => {
    services.CloseServiceHandle(service);
    services.CloseServiceHandle(scm);
  };
}
