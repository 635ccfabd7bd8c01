import { RECOVERY_POLICY } from '@fenestra/platform';
import { supervisedServices } from '@fenestra/platform-linux';
import { SERVICE_MAIN, SUPERVISOR_MAIN } from '@fenestra/platform-linux/testing/programs';

/** Does what its second argument says with a supervised service on the disk that the first names, and prints its state. */
const [stateFolder = '', action = ''] = process.argv.slice(2);
const services = supervisedServices({ stateFolder, supervisorCommand: [process.execPath, SUPERVISOR_MAIN] });
const name = 'cloudcore';

if (action === 'install') {
  await services.install({
    name,
    displayName: 'Cloud core',
    description: 'For tests',
    executable: process.execPath,
    args: [SERVICE_MAIN, '/dev/null', 'serve'],
    startType: 'manual',
    dependencies: [],
    recovery: RECOVERY_POLICY,
    writableFolders: [],
  });
} else {
  for (const round of [1, 2]) {
    await services.start(name, AbortSignal.timeout(30_000));
    process.stdout.write(`${round} ${(await services.status(name)).state}\n`);
    await services.stop(name, AbortSignal.timeout(30_000));
    process.stdout.write(`${round} ${(await services.status(name)).state}\n`);
  }
}
