import type { Rule } from '../rule.ts';

/** A cloud-config as a whole, and its plainer keys. */
export const CLOUD_CONFIG_RULES = {
  'yaml-invalid': {
    severity: 'error',
    title: 'The cloud-config cannot be loaded',
    why: 'A mistake of YAML is not caught: the plugin fails, nothing runs, and it fails again at every start; a part of a MIME message fails once, and the other parts continue. The same applies to keys that are not strings, to several documents and to control characters.',
    remedy: 'Correct the line.',
  },
  'cloud-config-empty': {
    severity: 'warning',
    title: 'The cloud-config is empty',
    why: 'An empty document, and one that is `0`, `false` or an empty list, is logged, and counts as done.',
    remedy: 'Add keys, or leave the document out.',
  },
  'key-dropped': {
    severity: 'error',
    title: 'A key that cloudbase-init does not have',
    why: 'It knows write_files, set_timezone, timezone, set_hostname, hostname, ntp, groups, users and runcmd. Every other key is ignored with one line in the log: bootcmd, mounts, disk_setup, packages and all the rest of cloud-init.',
    remedy: 'Do it by a command in "runcmd", or leave it out.',
  },
  'key-repeated': {
    severity: 'warning',
    title: 'A key is repeated',
    why: 'Of two keys alike the last one counts, and the first is lost without a word. In a KubeadmConfig, kubectl refuses both.',
    remedy: 'Put both together.',
  },
  'value-type': {
    severity: 'error',
    title: 'A key has a value of a wrong form',
    why: 'The key fails, with a trace in the log, and does nothing; a text where a list belongs is taken letter by letter, and of a mapping the keys are taken.',
    remedy: 'Give the value in the form that the key takes.',
  },
  'ntp-nothing': {
    severity: 'warning',
    title: 'No time server is set',
    why: '`ntp` sets the servers that `servers` and `pools` list, and does nothing else: without any, and with `enabled: false`, everything stays as it was.',
    remedy: 'List the servers, or leave "ntp" out.',
  },
  'path-escape': {
    severity: 'error',
    title: 'Double quotes have turned a path into something else',
    why: 'In double quotes of YAML a backslash is an escape: `"C:\\temp"` is a C, a colon, a tab and "emp", and `"C:\\run"` has a line end in it.',
    remedy: 'Put the value in single quotes, or write each backslash twice.',
  },
  'hostname-with-commands': {
    severity: 'error',
    title: 'A host name and commands: the commands run twice',
    why: 'A new name asks for a reboot, but the keys after it are still done: `runcmd` runs before the reboot and again after it. A join is then tried twice, the first time under the old name.',
    remedy: 'Leave the name to the metadata of the machine, or give it and the commands as parts of one MIME message.',
  },
  'hostname-reboot': {
    severity: 'warning',
    title: 'A host name makes the document run twice',
    why: 'A new name asks for a reboot, after which all keys are done again.',
    remedy: 'Leave the name to the metadata of the machine.',
  },
  'hostname-shortened': {
    severity: 'warning',
    title: 'A host name becomes another',
    why: 'Only the part before the first dot counts, at most 15 letters of it, and a dash at the end becomes a zero. A node name that is made from the long one then belongs to no host.',
    remedy: 'Give a name of at most 15 letters without a dot.',
  },
} as const satisfies Readonly<Record<string, Rule>>;
