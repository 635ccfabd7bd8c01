import { type InstallOutcome, type ServiceSpec, type StartType, requireServiceName } from '@fenestra/platform';
import type { Pointer, Native } from '../native.ts';
import { encodeStrings } from '../registry/registry.ts';
import { WIN32, must, mustHave, win32Error } from '../win32-error.ts';
import { quoteCommandLine } from './command-line.ts';
import { readRecovery, toFailureActions } from './recovery.ts';
import { hasPrivileges, setPrivileges, isProtected, protectService } from './service-rights.ts';
import { SCM_ACCESS, SERVICE_ACCESS, withScm, withService } from './scm.ts';
import { readNumber, readSettings } from './service-settings.ts';

const OWN_PROCESS = 0x10;
const ERROR_NORMAL = 1;
const KEEP = 0xffff_ffff;
const ACCOUNT = 'LocalSystem';
const START_TYPES: Readonly<Record<StartType, number>> = {
  automatic: 2,
  'automatic-delayed': 2,
  manual: 3,
  disabled: 4,
};

const LEVEL = {
  DESCRIPTION: 1,
  FAILURE_ACTIONS: 2,
  DELAYED_START: 3,
  FAILURE_FLAG: 4,
  SID_TYPE: 5,
  PRESHUTDOWN: 7,
} as const;
const SID_UNRESTRICTED = 1;
/** How long the system waits for the service when it shuts down, in milliseconds. */
const PRESHUTDOWN_MS = 60_000;

/** Registers the service as the spec says, or changes it to be so; says which. */
export function installService(native: Native, spec: ServiceSpec): InstallOutcome {
  requireServiceName(spec.name);
  const outcome = withService(native, spec.name, SERVICE_ACCESS.ALL, (service): InstallOutcome => {
    if (isAsWanted(native, service, spec)) return refuseIfDeleted(native, service, spec.name);
    change(native, service, spec);
    configure(native, service, spec);
    return 'updated';
  });
  if (outcome !== undefined) return outcome;
  createService(native, spec);
  return 'created';
}

function isAsWanted(native: Native, service: Pointer, spec: ServiceSpec): boolean {
  const found = readSettings(native, spec.name, service);
  const recovery = readRecovery(native, service);
  return (
    found.displayName === spec.displayName &&
    found.description === spec.description &&
    found.commandLine === quoteCommandLine(spec.executable, spec.args) &&
    found.startType === spec.startType &&
    found.account.toLowerCase() === ACCOUNT.toLowerCase() &&
    same(found.dependencies, spec.dependencies) &&
    // What this system does not give back cannot differ.
    (recovery === undefined || same(toFailureActions(recovery), toFailureActions(spec.recovery))) &&
    numberIs(native, service, LEVEL.FAILURE_FLAG, 1) &&
    numberIs(native, service, LEVEL.SID_TYPE, SID_UNRESTRICTED) &&
    numberIs(native, service, LEVEL.PRESHUTDOWN, PRESHUTDOWN_MS) &&
    hasPrivileges(native, spec.name, spec.rights) &&
    isProtected(native, service) !== false
  );
}

/** A deleted service looks whole until its last handle is closed, and takes no changes; this one changes nothing. */
function refuseIfDeleted(native: Native, service: Pointer, name: string): 'unchanged' {
  const nothing = [KEEP, KEEP, KEEP, null, null, null, null, null, null, null] as const;
  must(native, native.services.ChangeServiceConfigW(service, ...nothing), `change service "${name}"`);
  return 'unchanged';
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function numberIs(native: Native, service: Pointer, level: number, wanted: number): boolean {
  return (readNumber(native, service, level) ?? wanted) === wanted;
}

function createService(native: Native, spec: ServiceSpec): void {
  withScm(native, SCM_ACCESS.CONNECT | SCM_ACCESS.CREATE_SERVICE, (scm) => {
    const created = native.services.CreateServiceW(
      scm,
      spec.name,
      spec.displayName,
      SERVICE_ACCESS.ALL,
      OWN_PROCESS,
      START_TYPES[spec.startType],
      ERROR_NORMAL,
      quoteCommandLine(spec.executable, spec.args),
      null,
      null,
      encodeStrings(spec.dependencies),
      ACCOUNT,
      null,
    );
    const service = mustHave(native, created, `create service "${spec.name}"`);
    try {
      configure(native, service, spec);
    } catch (cause) {
      // Half a service would look installed to the next run.
      native.services.DeleteService(service);
      throw cause;
    } finally {
      native.services.CloseServiceHandle(service);
    }
  });
}

function change(native: Native, service: Pointer, spec: ServiceSpec): void {
  const changed = native.services.ChangeServiceConfigW(
    service,
    OWN_PROCESS,
    START_TYPES[spec.startType],
    ERROR_NORMAL,
    quoteCommandLine(spec.executable, spec.args),
    null,
    null,
    encodeStrings(spec.dependencies),
    ACCOUNT,
    '',
    spec.displayName,
  );
  must(native, changed, `change service "${spec.name}"`);
}

/** Everything that creation itself does not take. */
function configure(native: Native, service: Pointer, spec: ServiceSpec): void {
  const { services } = native;
  const set = (result: number, what: string) => supported(native, result, `set the ${what} of service "${spec.name}"`);
  const number = (level: number, value: number, what: string) =>
    set(services.changeNumber(service, level, { value }), what);
  set(services.changeDescription(service, LEVEL.DESCRIPTION, { text: spec.description }), 'description');
  const actions = toFailureActions(spec.recovery);
  set(services.changeFailureActions(service, LEVEL.FAILURE_ACTIONS, actions), 'recovery policy');
  // Without this flag only crashes count as failures, not a stop that reports an error.
  number(LEVEL.FAILURE_FLAG, 1, 'recovery after errors');
  number(LEVEL.DELAYED_START, spec.startType === 'automatic-delayed' ? 1 : 0, 'delayed start');
  number(LEVEL.SID_TYPE, SID_UNRESTRICTED, 'SID type');
  number(LEVEL.PRESHUTDOWN, PRESHUTDOWN_MS, 'preshutdown time');
  setPrivileges(native, service, spec);
  protectService(native, service, `set the rights of service "${spec.name}"`);
}

/** A setting this system does not know is left out: recovery() then tells that there is none. */
function supported(native: Native, result: number, action: string): void {
  if (result !== 0) return;
  const error = native.kernel32.GetLastError();
  if (error !== WIN32.INVALID_LEVEL) throw win32Error(error, action);
}
