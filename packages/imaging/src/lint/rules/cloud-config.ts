import type { Rule } from '../rules.ts';

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
    remedy: 'Add keys, or remove the document.',
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

/** `runcmd`: one script for cmd.exe. */
export const COMMAND_RULES = {
  'runcmd-item': {
    severity: 'error',
    title: 'A command is neither a text nor a list',
    why: 'Then the script is not created: none of the commands runs.',
    remedy: 'Put the command in quotes.',
  },
  'runcmd-goes-on': {
    severity: 'warning',
    title: 'Commands continue after a failure',
    why: 'All commands become one script of cmd.exe. No failure stops it, and only the exit code of the last line is seen: a node whose preparation failed joins all the same.',
    remedy: 'Run one PowerShell script that stops at the first error, as "keadm capi userdata" makes it.',
  },
  'runcmd-call': {
    severity: 'error',
    title: 'A batch file ends the script',
    why: 'A .cmd or .bat that is started without `call` never comes back: the commands after it do not run.',
    remedy: 'Put "call" before it.',
  },
  'runcmd-exit': {
    severity: 'error',
    title: 'A command ends the script before the others',
    why: '`exit` ends the one script that all commands share.',
    remedy: 'Put it last, or into a separate script.',
  },
  'runcmd-exit-code': {
    severity: 'error',
    title: 'An exit code means something else here',
    why: 'From `runcmd`, 1001 does what 1003 does: reboot, and run everything again. 1002 is lost.',
    remedy: 'Use the exit codes in a script that is the user-data itself, or a part of a MIME message.',
  },
  'runcmd-percent': {
    severity: 'warning',
    title: 'cmd.exe takes a percent sign away',
    why: 'In a script `%name%` is the value of a variable and a single `%` vanishes.',
    remedy: 'Write "%%" for a percent sign.',
  },
  'runcmd-lines': {
    severity: 'warning',
    title: 'A command has several lines',
    why: 'Each of its lines becomes a line of the script: quotes and brackets do not reach beyond it.',
    remedy: 'Write the lines to a file, and run that.',
  },
  'runcmd-list': {
    severity: 'warning',
    title: 'The words of a list lose their bounds',
    why: 'A list is joined with blanks, and nothing is quoted: a word with a blank becomes two, and `&`, `|`, `<`, `>` and `^` do their work.',
    remedy: 'Write the command as one text with its quotes in it.',
  },
  'runcmd-word': {
    severity: 'warning',
    title: 'A word of a list becomes another',
    why: 'Without quotes `1.10` is a number and arrives as `1.1`, `0644` as `420`, and `yes` and `on` as `True`.',
    remedy: 'Put the word in quotes.',
  },
  'runcmd-caret': {
    severity: 'warning',
    title: 'A caret joins the next line',
    why: 'A `^` at the end of a line makes the next command a part of this one.',
    remedy: 'Leave the caret out.',
  },
  'runcmd-quotes': {
    severity: 'warning',
    title: 'Single quotes do not quote',
    why: 'cmd.exe knows double quotes only: blanks and signs between single ones do their work.',
    remedy: 'Use double quotes.',
  },
  'runcmd-non-ascii': {
    severity: 'warning',
    title: 'A command has letters beyond ASCII',
    why: 'The script is saved as UTF-8, and cmd.exe reads it in the code page of the machine: other letters arrive.',
    remedy: 'Keep such letters in a file that PowerShell reads as UTF-8.',
  },
  'runcmd-long-line': {
    severity: 'error',
    title: 'A command is longer than cmd.exe reads',
    why: 'A line of more than 8191 letters is not run.',
    remedy: 'Write a script with "write_files", and run that.',
  },
  'runcmd-posix': {
    severity: 'warning',
    title: 'A command of Linux',
    why: 'cmd.exe does not have it, logs an error and continues.',
    remedy: 'Write the command for cmd.exe or PowerShell.',
  },
} as const satisfies Readonly<Record<string, Rule>>;
