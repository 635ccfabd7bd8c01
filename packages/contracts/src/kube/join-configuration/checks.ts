import * as z from 'zod/mini';
import type { NodeOs } from '../../config/edgecore/edge-paths.ts';
import type { FieldProblem } from '../../config/reading/problem.ts';
import { defaultCriEndpoint, isCriEndpoint } from '../cri-endpoint.ts';
import { pinProblem } from '../discovery.ts';
import { nodeNameOf, nodeNameProblem } from '../node-name.ts';
import { discoveryLocation } from './join-configuration.ts';
import { extraArgsOf, SoundParts } from './schema.ts';

/** What no single field's form tells: what fields mean together, and on this system. Fields of a wrong form are skipped. */
export function checkJoinFile(given: unknown, os: NodeOs): readonly FieldProblem[] {
  const parts = z.safeParse(SoundParts, given);
  if (!parts.success) return [];
  const { discovery, caCertPath, nodeRegistration, controlPlane } = parts.data;
  return [
    ...(discovery === undefined ? [] : discoveryProblems(discovery, os)),
    ...ifAny('caCertPath', caPathProblem(caCertPath, os)),
    ...(nodeRegistration === undefined ? [] : registrationProblems(nodeRegistration, os)),
    ...(controlPlane === undefined ? [] : [at('controlPlane', 'is for control planes: keadm joins workers only')]),
  ];
}

type Parts = z.infer<typeof SoundParts>;
type DiscoveryParts = NonNullable<Parts['discovery']>;

function discoveryProblems({ bootstrapToken, file }: DiscoveryParts, os: NodeOs): readonly FieldProblem[] {
  if (bootstrapToken === undefined && file === undefined)
    return [at('discovery', 'must have "bootstrapToken" or "file"')];
  if (bootstrapToken !== undefined && file !== undefined)
    return [at('discovery', 'must have only one of "bootstrapToken" and "file"')];
  if (bootstrapToken !== undefined) return pinProblems(bootstrapToken);
  const location = discoveryLocation(file?.kubeConfigPath ?? '', os);
  return location.kind === 'invalid' ? [at('discovery.file.kubeConfigPath', location.message)] : [];
}

type TokenParts = NonNullable<DiscoveryParts['bootstrapToken']>;

function pinProblems({ caCertHashes = [], unsafeSkipCAVerification = false }: TokenParts): readonly FieldProblem[] {
  const path = 'discovery.bootstrapToken.caCertHashes';
  if (caCertHashes.length === 0 && !unsafeSkipCAVerification)
    return [at(path, 'must have the hash of the CA, unless "unsafeSkipCAVerification" is true')];
  return caCertHashes.flatMap((pin, index) => ifAny(`${path}[${index}]`, pinProblem(pin)));
}

function caPathProblem(path: string | undefined, os: NodeOs): string | undefined {
  if (path === undefined || path === '') return undefined;
  const isAbsolute = os === 'windows' ? /^([a-z]:)?[\\/]/i.test(path) : path.startsWith('/');
  return isAbsolute && path.endsWith('.crt') ? undefined : 'must be an absolute path that ends in ".crt"';
}

function registrationProblems(
  registration: NonNullable<Parts['nodeRegistration']>,
  os: NodeOs,
): readonly FieldProblem[] {
  const { name = '', criSocket = '', ignorePreflightErrors = [], kubeletExtraArgs } = registration;
  const override = nodeNameOf({ hostName: '', extraArgs: extraArgsOf(kubeletExtraArgs) });
  const path = 'nodeRegistration';
  return [
    ...ifAny(`${path}.name`, nameProblem(name)),
    ...ifAny(`${path}.criSocket`, endpointProblem(criSocket, os)),
    ...ifAny(`${path}.kubeletExtraArgs`, nameProblem(override)),
    ...ifAny(`${path}.ignorePreflightErrors`, waiverProblem(ignorePreflightErrors)),
  ];
}

function nameProblem(name: string): string | undefined {
  return name === '' ? undefined : nodeNameProblem(nodeNameOf({ hostName: name }));
}

function endpointProblem(criSocket: string, os: NodeOs): string | undefined {
  if (criSocket === '' || isCriEndpoint(criSocket, os)) return undefined;
  return `must be an endpoint of this system, such as "${defaultCriEndpoint(os)}"`;
}

function waiverProblem(checks: readonly string[]): string | undefined {
  const hasAll = checks.some((check) => check.toLowerCase() === 'all');
  return hasAll && checks.length > 1 ? 'must have "all" alone' : undefined;
}

function ifAny(path: string, message: string | undefined): readonly FieldProblem[] {
  return message === undefined ? [] : [at(path, message)];
}

function at(path: string, message: string): FieldProblem {
  return { path, message };
}
