import type { ServiceManager, ServiceSpec, ServiceStatus } from '@fenestra/platform';

const LIMIT_MS = 60_000;
const LINES = 50;

/** What became of the service: why the action failed, if it did, how it is now, and what it said last. */
export interface ManagedService {
  readonly error?: string;
  readonly status: ServiceStatus;
  readonly lines: readonly string[];
}

/** Does one thing to a service and shows what became of it. */
export async function manageService(
  services: ServiceManager,
  action: string,
  spec: ServiceSpec,
): Promise<ManagedService> {
  const failure = await act(services, action, spec).then(
    () => ({}),
    (error: unknown) => ({ error: String(error) }),
  );
  const { name } = spec;
  return { ...failure, status: await services.status(name), lines: await services.lastLines(name, LINES) };
}

async function act(services: ServiceManager, action: string, spec: ServiceSpec): Promise<void> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  switch (action) {
    case 'install':
      return void (await services.install(spec));
    case 'start':
      return services.start(spec.name, signal);
    case 'stop':
      return services.stop(spec.name, signal);
    case 'remove':
      return services.remove(spec.name, signal);
    case 'look':
      return undefined;
    default:
      throw new Error(`unknown action "${action}"`);
  }
}
