import { END_MARK, SAY } from './answers.ts';
import { BEGIN_MARK, OURS, quote } from './bootstrap.ts';

/** What a survey asks for. */
export interface SurveyQuestion {
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
