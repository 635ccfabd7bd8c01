import { END_MARK, SAY } from './answers.ts';
import { BEGIN_MARK, OURS, quote } from './bootstrap.ts';
import { STOCK } from './stock-script.ts';

/** What a survey asks for. */
export interface SurveyQuestion {
  /** The folder below which the node lives; `undefined` for the whole machine. */
  readonly root: string | undefined;
  /** The name of the run's folder on the machine. */
  readonly runName: string;
}

/**
 * Asks a machine what it is and what its node is like, with nothing but what every POSIX system has, and with few
 * processes: it is all that a run costs on nodes that are as wanted.
 */
export function surveyScript({ root, runName }: SurveyQuestion): string {
  return [
    `echo ${BEGIN_MARK}`,
    `root=${quote(root ?? '')}`,
    FIND_BASE,
    MACHINE,
    `[ -d "$base"/batch/runs/${quote(runName)} ] && say left yes`,
    NODE,
    AGENT,
    CLOCK,
    NEW,
    `echo ${END_MARK}`,
  ].join('\n');
}

/** Everything of ours is below `base`: keadm's own memory where there are the rights for it. */
const FIND_BASE = `${OURS}${SAY}
if [ -n "$root" ]; then base=$root/var/lib/fenestra
elif [ "$uid" = 0 ]; then base=/var/lib/fenestra
else base=$HOME/.local/state/fenestra; fi
`;

const MACHINE = `
if [ -r /proc/sys/kernel/arch ]; then
  read -r system < /proc/sys/kernel/ostype
  read -r arch < /proc/sys/kernel/arch
  say system "$system $arch"
else say system "$(uname -sm)"; fi
say uid "$uid"
say base "$base"
say address "\${1%% *}"
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
running=
status=$root/var/lib/kubeedge/agent-status.json
if [ -f "$status" ]; then
  { status=; while read -r line || [ -n "$line" ]; do status="$status $line"; done; } < "$status"
  say status "$status"
  pid=\${status#*'"pid":'}
  pid=\${pid%%,*}
  pid=\${pid# }
  if [ -r "/proc/$pid/cmdline" ]; then
    read -r words < "/proc/$pid/cmdline"
    case $words in *edgecore*) running=yes; say running yes;; esac
  fi
elif [ -z "$root" ] && [ -d /run/systemd/system ]; then
  systemctl is-active --quiet edgecore 2>/dev/null && say running yes
fi
`;

/** Where the agent is connected, certificates are believed, and nobody has to ask another program. */
const CLOCK = `
case $running$status in
  yes*'"connected":true'* | yes*'"connected": true'*) ;;
  *) say clock "$(date +%s)" ;;
esac
`;

/** A machine without a node is to get one, most likely: what that needs is told at once. */
const NEW = `
if [ ! -f "$etc/version.txt" ] && [ ! -f "$etc/config/edgecore.yaml" ]; then
${STOCK}
fi
`;
