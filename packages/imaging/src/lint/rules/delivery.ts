import type { Rule } from '../rules.ts';

/** How the document gets to the machine, and what it is taken for there. */
export const DELIVERY_RULES = {
  empty: {
    severity: 'warning',
    title: 'The user-data is empty',
    why: 'Nothing is done, and the plugin counts as done: the machine never becomes a node, and no log says why.',
    remedy: 'Give the machine user-data.',
  },
  'too-large': {
    severity: 'error',
    title: 'The user-data is larger than the platform takes',
    why: 'The platform refuses the machine, or delivers only the beginning: 65,535 bytes on Azure, 16,384 on EC2, 48 KiB where base64 is counted in 64 KiB.',
    remedy: 'Fetch large files by a command, or put them into the image.',
  },
  'gzip-not-unpacked': {
    severity: 'error',
    title: 'Packed with gzip for a service that does not unpack',
    why: 'The service of Azure delivers the bytes unchanged; they are not text, so the plugin fails at every start.',
    remedy: 'Give the document as it is, without gzip.',
  },
  'gzip-broken': {
    severity: 'error',
    title: 'It starts like gzip, and is not gzip',
    why: 'Unpacking fails, and with it the whole plugin, at every start.',
    remedy: 'Pack the document again, or give it unpacked.',
  },
  'not-text': {
    severity: 'error',
    title: 'It is not UTF-8',
    why: 'The document is decoded before anything else; that fails, and with it the whole plugin, at every start.',
    remedy: 'Save the file as UTF-8 without a byte order mark.',
  },
  'not-recognised': {
    severity: 'error',
    title: 'Its format is unknown',
    why: 'The document must start with its marker in the very first byte: `#cloud-config`, `#ps1_sysnative`, `rem cmd` and so on. A byte order mark, an empty line or another spelling before it, and everything is ignored as "unsupported", which counts as done.',
    remedy: 'Start the file with its marker, without anything before it.',
  },
  'certificate-ignored': {
    severity: 'warning',
    title: 'A certificate is not user-data',
    why: 'A document that starts with a PEM certificate is left to other plugins; nothing in it runs.',
    remedy: 'Leave the certificate out, or write it with "write_files".',
  },
  'needs-bash': {
    severity: 'warning',
    title: 'It is run by bash',
    why: 'Anything that starts with `#!` is run by bash, unless it is exactly `#!/usr/bin/env python`; a Windows machine rarely has bash.',
    remedy: 'Write the script in PowerShell, and start it with "#ps1_sysnative".',
  },
  'needs-python': {
    severity: 'warning',
    title: 'It is run by the python of the PATH',
    why: 'The Python of cloudbase-init is not in the PATH, so a plain image has no Python.',
    remedy: 'Write the script in PowerShell, and start it with "#ps1_sysnative".',
  },
  'ec2-block-open': {
    severity: 'error',
    title: 'A block of EC2 has no end',
    why: 'Only the text between `<powershell>` and `</powershell>`, or `<script>` and `</script>`, in lower case, is run. Without a complete block nothing runs, and that counts as done.',
    remedy: 'Close the block.',
  },
  'ec2-order': {
    severity: 'warning',
    title: 'Blocks of EC2 run in another order than written',
    why: 'Every `<script>` runs before every `<powershell>`, none stops the next one, and their exit codes are added: two harmless codes can cause a reboot.',
    remedy: 'Use one block, or one script with "#ps1_sysnative".',
  },
  'script-non-ascii': {
    severity: 'warning',
    title: 'A script has letters beyond ASCII',
    why: 'It is saved without a byte order mark, and Windows PowerShell and cmd.exe read such a file in the code page of the machine: other letters arrive.',
    remedy: 'Write such letters as numbers, or keep them in a file that is written in base64.',
  },
  'script-exit-ignored': {
    severity: 'note',
    title: "A script's failure is not noticed",
    why: 'Exit codes other than 1001 (reboot), 1002 (again at the next start) and 1003 (both) mean "done": a script that ends with 1 is not run again, and nothing shows it but the log.',
    remedy: 'Let the script write down how it ended, as "keadm capi userdata" does.',
  },
  'restart-inside': {
    severity: 'warning',
    title: 'The machine is restarted from within',
    why: 'That user-data was run is noted when all of it has ended. `Restart-Computer`, `Rename-Computer -Restart` and a `shutdown /r` within less than a minute, which is half of one without `/t`, may not leave the time for that: everything may run again at the next start, and what always restarts may never end.',
    remedy:
      'Let a script that is the user-data end with "exit 1001", which restarts, or "exit 1003", which also runs it again.',
  },
} as const satisfies Readonly<Record<string, Rule>>;

/** `## template: jinja`, as Cluster API's documents begin: the whole document is a template. */
export const TEMPLATE_RULES = {
  'template-engine': {
    severity: 'error',
    title: 'The template is for an engine that is not there',
    why: 'Only `## template: jinja` is rendered. With anything else the first line stays, so the document is not taken for a cloud-config either.',
    remedy: 'Write "## template: jinja", or remove the line.',
  },
  'template-syntax': {
    severity: 'error',
    title: 'Jinja cannot render the document',
    why: '`{{`, `{%` and `{#` are tags everywhere, in the contents of files and in commands too: `if ($x) {# note` starts a comment that is never closed. Then nothing runs, and the plugin fails at every start.',
    remedy:
      'Put a blank between the signs, enclose the part in {% raw %} and {% endraw %}, or give the file in base64.',
  },
  'template-variable-missing': {
    severity: 'error',
    title: 'A variable of the template does not exist in this release',
    why: 'It is replaced by `CI_MISSING_JINJA_VAR/` and its name, which then becomes a node name or a path. `local_hostname` and `instance_id` without a prefix exist since 1.1.7 only; before, there is nothing but `instance_id`, `local_hostname` and `public_ssh_keys` below `v1` and `ds.meta_data`, and `hostname` below the latter.',
    remedy: 'Write {{ ds.meta_data["local_hostname"] }} or {{ v1.local_hostname }}, which every release knows.',
  },
  'template-variable-unknown': {
    severity: 'warning',
    title: 'A variable of the template depends on the platform',
    why: 'What a service adds to its metadata differs; where it is missing, `CI_MISSING_JINJA_VAR/` and its name are inserted instead.',
    remedy: 'Use a name that every service has, such as {{ v1.local_hostname }} or {{ v1.instance_id }}.',
  },
  'template-text-lost': {
    severity: 'warning',
    title: 'A part of the document vanishes when it is rendered',
    why: 'The text between `{#` and `#}` is a Jinja comment, and an expression in quotes loses its braces and quotes: the script never receives it.',
    remedy: 'Enclose the part in {% raw %} and {% endraw %}, or give the file in base64.',
  },
  'template-undecided': {
    severity: 'note',
    title: 'The result is only known when Jinja renders it',
    why: 'Statements, filters and calculations depend on values of the machine. What follows is judged as if statements were not there.',
    remedy: 'Look at the rendered document on a machine, or do without.',
  },
  'template-not-rendered': {
    severity: 'warning',
    title: 'It looks like a template, and is not rendered',
    why: 'Without `## template: jinja` in the first line the braces stay in the text.',
    remedy: 'Start the file with "## template: jinja".',
  },
  'template-in-part': {
    severity: 'error',
    title: 'A part of a MIME message is not rendered',
    why: 'Jinja is applied to a document that is not a MIME message; in a part the first line is a comment, and the braces stay.',
    remedy: 'Ask the machine for the value in a script, or do without MIME.',
  },
} as const satisfies Readonly<Record<string, Rule>>;

/** Secrets where others can read them. */
export const SECRET_RULES = {
  'secret-in-user-data': {
    severity: 'warning',
    title: 'The user-data contains a secret',
    why: "Everybody who may look at the machine's settings can read it, and every program on the machine can ask the metadata service for it, for as long as the machine is there. Azure, AWS and vSphere have a place for secrets.",
    remedy:
      'Put it into the store of the platform and let the machine fetch it: "keadm capi userdata --secret-store …".',
  },
  'secret-left-behind': {
    severity: 'warning',
    title: 'A file with a secret stays on the machine',
    why: 'A file of `write_files` has the permissions of its folder, regardless of its mode: every user can read it. Nothing removes it after the join.',
    remedy: 'Let the script that joins write it with protected rights, and remove it: "keadm capi userdata".',
  },
} as const satisfies Readonly<Record<string, Rule>>;
