import type { Rule } from '../rule.ts';

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
