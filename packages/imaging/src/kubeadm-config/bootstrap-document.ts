import { stringify } from 'yaml';
import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import { allBelow, type Entry, itemsOf, memberOf, scalarText } from '../cloudbase/cloud-config/entry.ts';
import type { PlacedText } from '../cloudbase/placed-text.ts';
import { commandLines, diskLines, fileLines, type MadeLine, timeLines, userLines } from './document-parts.ts';

/** The document that Cluster API's kubeadm provider makes for a worker, and what each of its lines is made of. */
export interface BootstrapDocument extends PlacedText {
  /** The field of the KubeadmConfig that a line of the document comes from. */
  readonly sourceAt: (line: number) => Entry;
}

/** Where kubeadm's configuration is written, with the token in it. */
const JOIN_FILE = '/run/kubeadm/kubeadm-join-config.yaml';
const PLACEHOLDER = '/run/cluster-api/placeholder';
/** As long as what the provider writes there, so that sizes are right. */
const PLACEHOLDER_CONTENT = '.'.repeat(185);
const SENTINEL = '/run/cluster-api/bootstrap-success.complete';

/** Makes the document of a `spec`, in the order and the spelling of the provider. */
export function bootstrapDocument(spec: Entry): BootstrapDocument {
  const join = memberOf(spec, 'joinConfiguration') ?? spec;
  const lines: readonly MadeLine[] = [
    ...made(spec, '## template: jinja', '#cloud-config', '', 'write_files:'),
    ...itemsOf(spec, 'files').flatMap(fileLines),
    ...joinFileLines(join),
    ...made(
      spec,
      `-   path: ${PLACEHOLDER}`,
      '    owner: root:root',
      "    permissions: '0640'",
      `    content: "${PLACEHOLDER_CONTENT}"`,
    ),
    ...bootLines(spec),
    ...made(spec, 'runcmd:'),
    ...commandLines(itemsOf(spec, 'preKubeadmCommands')),
    ...made(join, `  - kubeadm join --config ${JOIN_FILE} ${verbosity(spec)} && echo success > ${SENTINEL}`),
    ...commandLines(itemsOf(spec, 'postKubeadmCommands')),
    ...timeLines(memberOf(spec, 'ntp')),
    ...userLines(itemsOf(spec, 'users')),
    ...diskLines(memberOf(spec, 'diskSetup'), itemsOf(spec, 'mounts')),
  ];
  return placed(lines, spec);
}

function placed(lines: readonly MadeLine[], spec: Entry): BootstrapDocument {
  // A command or content can contain line ends.
  const flat = lines.flatMap(({ text, source }) => text.split('\n').map((line) => ({ text: line, source })));
  const sourceAt = (line: number): Entry => flat[line - 1]?.source ?? spec;
  return { text: `${flat.map(({ text }) => text).join('\n')}\n`, sourceAt, lineAt: (line) => sourceAt(line).line };
}

function made(source: Entry, ...texts: readonly string[]): readonly MadeLine[] {
  return texts.map((text) => ({ text, source }));
}

/** The fields that lines are assigned to; lines of a larger configuration get the line of the whole. */
const MOST_FIELDS = 1000;

function joinFileLines(join: Entry): readonly MadeLine[] {
  const fields = allBelow(join).slice(0, MOST_FIELDS);
  const text = stringify(joinObject(join), { lineWidth: 0 }).trimEnd();
  return [
    ...made(
      join,
      `-   path: ${JOIN_FILE}`,
      '    owner: root:root',
      "    permissions: '0640'",
      '    content: |',
      '      ---',
    ),
    ...text
      .split('\n')
      .map((line) => ({ text: `      ${line}`, source: fields.find((field) => says(line, field)) ?? join })),
  ];
}

/** Whether a line of the configuration is about a field. What the controller adds is about none. */
function says(line: string, { key, value }: Entry): boolean {
  const text = scalarText(value);
  return key !== '' && text !== '' && line.includes(`${key}: `) && line.includes(text);
}

function bootLines(spec: Entry): readonly MadeLine[] {
  const field = memberOf(spec, 'bootCommands');
  return field === undefined ? [] : [...made(field, 'bootcmd:'), ...commandLines(field.members)];
}

function verbosity(spec: Entry): string {
  const level = memberOf(spec, 'verbosity')?.value;
  return level === undefined || level === null ? '' : `--v ${scalarText(level)}`;
}

/** What the controller fills in, made up: it is known only when a machine is made. */
const FILLED_IN = {
  apiServerEndpoint: 'control-plane.example:6443',
  caCertHashes: [`sha256:${'0'.repeat(64)}`],
  token: 'abcdef.0123456789abcdef',
};
const TAINT = { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' };

const Loose = orElse(z.record(z.string(), z.unknown()), {});
const LooseList = orElse(z.array(z.unknown()), []);

function joinObject({ key, value }: Entry): Readonly<Record<string, unknown>> {
  const given = key === 'joinConfiguration' ? mapping(value) : {};
  const discovery = mapping(given['discovery']);
  const registration = mapping(given['nodeRegistration']);
  const taints = LooseList.parse(registration['taints']);
  return {
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'JoinConfiguration',
    ...given,
    discovery:
      'file' in discovery
        ? discovery
        : { ...discovery, bootstrapToken: { ...FILLED_IN, ...mapping(discovery['bootstrapToken']) } },
    nodeRegistration: { ...registration, taints: [...taints, TAINT] },
  };
}

function mapping(value: unknown): Readonly<Record<string, unknown>> {
  return Loose.parse(value);
}
