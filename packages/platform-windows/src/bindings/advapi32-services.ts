import type { Koffi } from '../koffi.ts';
import { bindServiceConfigCalls, type ServiceConfigCalls } from './advapi32-service-config.ts';
import { bindServiceControlCalls, type ServiceControlCalls } from './advapi32-service-control.ts';
import { bindServiceExtrasCalls, type ServiceExtrasCalls } from './advapi32-service-extras.ts';

/** The Service Control Manager's calls that manage services. */
export type ServiceCalls = ServiceControlCalls & ServiceConfigCalls & ServiceExtrasCalls;

/** Binds the service calls of advapi32. */
export function bindServiceCalls(koffi: Koffi): ServiceCalls {
  return { ...bindServiceControlCalls(koffi), ...bindServiceConfigCalls(koffi), ...bindServiceExtrasCalls(koffi) };
}
