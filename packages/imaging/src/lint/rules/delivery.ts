import type { Rule } from '../rule.ts';

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
