import {
  edgeRequest,
  makeUserData,
  parseSecretStore,
  requireService,
  SERVICE_NAMES,
  STORE_KINDS,
  USER_DATA_FORMS,
  workerRequest,
  type MadeUserData,
  type UserDataForm,
  type UserDataRequest,
} from '@fenestra/imaging';
import { OperatorError } from '@fenestra/kernel';
import { Command, Option } from 'commander';
import { append } from '../lifecycle-options.ts';
import { readGivenText, writeNewFile } from '../given-files.ts';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { readToken } from '../join-flags.ts';
import { noteLines } from '../../cli/findings-text.ts';
import { InputOption } from '../input-option.ts';
import { edgeJoinWords, edgeOptions, type EdgeFlags } from './edge-options.ts';

interface UserDataFlags extends EdgeFlags {
  readonly form?: UserDataForm;
  readonly service?: string;
  readonly secretStore?: string;
  readonly keepSecret: boolean;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly endpoint?: string;
  readonly discoveryTokenCaCertHash: readonly string[];
  readonly joinWith: 'keadm' | 'kubeadm';
  readonly preCommand: readonly string[];
  readonly postCommand: readonly string[];
  readonly to?: string;
}

/** `keadm capi userdata [FILE]`: user-data that makes a Windows machine a node, checked before it is printed. */
export function userdataCommand({ environment, deliver }: CommandContext): Command {
  const command = new Command('userdata')
    .description(
      'Generate user-data that joins a Windows machine with cloudbase-init; its script stops at the first error and reports the result',
    )
    .argument(
      '[file]',
      'KubeadmConfig, KubeadmConfigTemplate or JoinConfiguration; leave it out for an edge node ("--cloudcore-ip")',
    )
    .addOption(
      new Option('--form <form>', 'format of the user-data (default: chosen from the input)').choices(USER_DATA_FORMS),
    )
    .option('--service <name>', `metadata service that delivers the user-data: ${SERVICE_NAMES.join(', ')}`)
    .option('--secret-store <store>', `secret store that holds the token: ${STORE_KINDS.join(', ')}, ":" and a name`)
    .option('--keep-secret', 'keep the token in the store after the join, for other machines', false)
    .option('-t, --token <token>', 'token, if it is not in a store; "-" reads it from standard input')
    .addOption(new InputOption('--token-file <file>', 'file that contains the token'))
    .option('--endpoint <host:port>', 'API server endpoint; overrides the file')
    .option('--discovery-token-ca-cert-hash <hash>', 'hash of the cluster CA; overrides the file', append, [])
    .addOption(
      new Option('--join-with <program>', 'program that joins a worker').choices(['keadm', 'kubeadm']).default('keadm'),
    )
    .option('--pre-command <command>', 'command for cmd.exe before the join; can be given several times', append, [])
    .option('--post-command <command>', 'command for cmd.exe after the join; can be given several times', append, [])
    .option('--to <file>', 'write to a new file that only its owner can read');
  return edgeOptions(command).action(async (file: string | undefined, flags: UserDataFlags) =>
    deliver(await userData(environment, file, flags)),
  );
}

async function userData(
  environment: KeadmEnvironment,
  file: string | undefined,
  flags: UserDataFlags,
): Promise<CommandResult> {
  const { request, notes } = await requestOf(environment, file, flags);
  const made = makeUserData(request);
  if (flags.to !== undefined) await writeNewFile(flags.to, made.text);
  environment.terminal.err(noteLines([...notes, ...made.notes]));
  if (flags.to === undefined) return success(dataOf(made), made.text.trimEnd());
  const { text: _, ...data } = dataOf(made);
  return success({ ...data, file: flags.to }, `Wrote "${flags.to}": ${made.form}, ${data.bytes} bytes`);
}

function dataOf({ form, text, notes }: MadeUserData): {
  form: string;
  bytes: number;
  notes: readonly string[];
  text: string;
} {
  return { form, bytes: Buffer.byteLength(text), notes, text };
}

interface Request {
  readonly request: UserDataRequest;
  readonly notes: readonly string[];
}

async function requestOf(
  environment: KeadmEnvironment,
  file: string | undefined,
  flags: UserDataFlags,
): Promise<Request> {
  requireSense(file, flags);
  const { secretStore, keepSecret, preCommand, postCommand } = flags;
  const common = {
    form: flags.form,
    service: flags.service === undefined ? undefined : requireService(flags.service),
    store: secretStore === undefined ? undefined : parseSecretStore(secretStore, { keep: keepSecret }),
    token: secretStore === undefined ? await readToken(environment, flags) : undefined,
    commandsBefore: preCommand,
    commandsAfter: postCommand,
  };
  if (file === undefined) return edgeRequest({ ...common, words: edgeJoinWords(flags), now: environment.now() });
  return workerRequest({
    ...common,
    source: file,
    text: await readGivenText(environment, file),
    endpoint: flags.endpoint,
    caHashes: flags.discoveryTokenCaCertHash,
    program: flags.joinWith,
  });
}

/** What contradicts itself is refused before anything is read. */
function requireSense(file: string | undefined, flags: UserDataFlags): void {
  requireOneToken(flags);
  requireStore(flags);
  if (file === undefined) refuseWorkerOptions(flags);
  else refuseEdgeOptions(flags);
}

function requireOneToken({ secretStore, token, tokenFile }: UserDataFlags): void {
  if (secretStore === undefined || (token === undefined && tokenFile === undefined)) return;
  throw new OperatorError('USAGE', 'Cannot use a token from a secret store and from an option', {
    hint: 'Store the token with the tools of the platform, and remove "--token" and "--token-file".',
  });
}

/** Options of an edge node mean nothing to a worker, and would be lost without a word. */
function refuseEdgeOptions({
  cloudcoreIp,
  hubPort,
  certport,
  labels,
  remoteRuntimeEndpoint,
  set,
}: UserDataFlags): void {
  const given = { cloudcoreIp, hubPort, certport, labels, remoteRuntimeEndpoint, set: set[0] };
  if (Object.values(given).every((value) => value === undefined)) return;
  throw new OperatorError('USAGE', 'Cannot generate user-data for a worker and an edge node together', {
    hint: 'Give either a file, or "--cloudcore-ip" and the other options of an edge node.',
  });
}

/** The same for those of a worker. */
function refuseWorkerOptions({ endpoint, discoveryTokenCaCertHash, joinWith }: UserDataFlags): void {
  if (endpoint === undefined && discoveryTokenCaCertHash.length === 0 && joinWith === 'keadm') return;
  throw new OperatorError('USAGE', 'Cannot use "--endpoint", "--discovery-token-ca-cert-hash" or "--join-with" here', {
    hint: 'They are for a worker: also give its file.',
  });
}

function requireStore({ secretStore, keepSecret }: UserDataFlags): void {
  if (!keepSecret || secretStore !== undefined) return;
  throw new OperatorError('USAGE', 'Cannot use "--keep-secret" without "--secret-store"', {
    hint: 'Add "--secret-store", or remove "--keep-secret".',
  });
}
