import { AgentStatus } from '@fenestra/contracts';
import { parseJson } from '@fenestra/kernel';
import type { FarEndFacts } from '../../far-end/messages.ts';
import { BEGIN_MARK, OURS, quote } from './bootstrap.ts';

interface SurveyQuestion {
  /** The folder below which the node lives; `undefined` for the whole machine. */
  readonly root: string | undefined;
  /** The name of the run's folder on the machine. */
  readonly runName: string;
}

/** Asks a machine what it is, what its node is like and what it has for a delivery, with what every POSIX system has. */
export function surveyScript({ root, runName }: SurveyQuestion): string {
  return [
    `echo ${BEGIN_MARK}`,
    `root=${quote(root ?? '')}`,
    MACHINE,
    `[ -d "$base"/batch/runs/${quote(runName)} ] && say left yes`,
    NODE,
    AGENT,
    TOOLS,
    FREE_SPACE,
    STORE,
    `echo ${END_MARK}`,
  ].join('\n');
}

const END_MARK = 'fenestra-end';

/** How scripts answer: a word, an equals sign and a value. */
const SAY = `
say() { printf '%s=%s\\n' "$1" "$2"; }
`;

/** Everything of ours is below `base`: keadm's own memory where there are the rights for it. */
const MACHINE = `${OURS}${SAY}
if [ -n "$root" ]; then base=$root/var/lib/fenestra
elif [ "$uid" = 0 ]; then base=/var/lib/fenestra
else base=$HOME/.local/state/fenestra; fi
say system "$(uname -sm)"
say uid "$uid"
say base "$base"
say address "\${1%% *}"
say clock "$(date +%s)"
`;

const NODE = `
etc=$root/etc/kubeedge
if [ -f "$etc/version.txt" ]; then read -r version < "$etc/version.txt"; say version "$version"; fi
if [ -f "$etc/config/edgecore.yaml" ]; then
  say configured yes
  sed -n -e 's/^ *server: */server=/p' -e 's/^ *httpServer: */server=/p' "$etc/config/edgecore.yaml"
fi
`;

/** The agent says itself how it is; one of upstream's does not, and only its service manager knows whether it runs. */
const AGENT = `
status=$root/var/lib/kubeedge/agent-status.json
if [ -f "$status" ]; then
  { status=; while read -r line || [ -n "$line" ]; do status="$status $line"; done; } < "$status"
  say status "$status"
  pid=\${status#*'"pid":'}
  pid=\${pid%%,*}
  pid=\${pid# }
  if [ -r "/proc/$pid/cmdline" ]; then
    read -r words < "/proc/$pid/cmdline"
    case $words in *edgecore*) say running yes;; esac
  fi
elif [ -z "$root" ] && [ -d /run/systemd/system ]; then
  systemctl is-active --quiet edgecore 2>/dev/null && say running yes
fi
`;

const TOOLS = `
for tool in curl openssl sha256sum zstd gzip; do command -v $tool >/dev/null 2>&1 && say tool $tool; done
`;

const FREE_SPACE = `
near=$base
while [ ! -d "$near" ]; do near=\${near%/*}; [ -n "$near" ] || near=/; done
df -Pk "$near" 2>/dev/null | { read -r heading; read -r disk blocks used free rest; say free "$free"; }
`;

/** Folders, which end with a slash here, are listed before what is in them: one that is not ours ends the list. */
const STORE = `
if [ -d "$base/batch/store" ]; then
  ls -ldn "$base/" "$base/batch/" "$base/batch/store/" "$base"/batch/store/*/* 2>/dev/null | (
    while read -r mode links owner group size rest; do
      case $rest in
        */) ours "$mode" "$owner" || break ;;
        *) say have "$size \${rest##*/batch/store/}" ;;
      esac
    done
  )
fi
`;

interface Answers {
  readonly all: (key: string) => readonly string[];
  /** The first one; empty if there is none. */
  readonly one: (key: string) => string;
}

function readAnswers(output: string): Answers | undefined {
  const lines = output.split(/\r?\n/);
  if (!lines.includes(END_MARK)) return undefined;
  const answers = lines.flatMap((line) => {
    const [, key, value] = /^([a-z]+)=(.*)$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [{ key, value }];
  });
  const all = (wanted: string): readonly string[] =>
    answers.filter(({ key }) => key === wanted).map(({ value }) => value);
  return { all, one: (wanted) => all(wanted)[0] ?? '' };
}

interface SurveyAnswer {
  readonly facts: FarEndFacts;
  /** `Linux`, or what else it is. */
  readonly system: string;
  /** Where the machine sees us coming from; empty if it does not say. */
  readonly ownAddress: string;
  /** The folder that everything of ours is below. */
  readonly base: string;
  /** Whether this run has left something there already. */
  readonly left: boolean;
  /** Programs there that help with a delivery. */
  readonly tools: readonly string[];
  /** What is in the store, by size and name. */
  readonly store: readonly string[];
}

/** Reads the answer; `undefined` if it is not whole. */
export function readSurveyAnswer(output: string): SurveyAnswer | undefined {
  const answers = readAnswers(output);
  if (answers === undefined) return undefined;
  const { one, all } = answers;
  return {
    facts: factsOf(answers),
    system: one('system').split(' ')[0] ?? '',
    ownAddress: one('address'),
    base: one('base'),
    left: one('left') === 'yes',
    tools: all('tool'),
    store: all('have'),
  };
}

function factsOf({ one, all }: Answers): FarEndFacts {
  const status = AgentStatus.safeParse(parseJson(one('status')));
  const [, machine = ''] = one('system').split(' ');
  return {
    os: 'linux',
    arch: ARCHES[machine] ?? machine,
    // Given in whole seconds, of which half a one has gone by, on average.
    clock: one('clock') === '' ? Number.NaN : Number(one('clock')) + 0.5,
    elevated: one('uid') === '0',
    ...(/^\d+$/.test(one('free')) ? { freeBytes: Number(one('free')) * 1024 } : {}),
    ...(one('version') === '' ? {} : { version: one('version').trim() }),
    configured: one('configured') === 'yes',
    running: one('running') === 'yes',
    ...(status.success ? { status: status.data } : {}),
    servers: all('server').map((server) => server.replace(/^["']|["'].*$/g, '').trim()),
  };
}

const ARCHES: Readonly<Record<string, string>> = { x86_64: 'x64', amd64: 'x64', aarch64: 'arm64', arm64: 'arm64' };
