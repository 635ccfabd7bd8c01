import type { Rule } from '../rule.ts';

/** `write_files`. */
export const FILE_RULES = {
  'file-incomplete': {
    severity: 'error',
    title: 'A file lacks its path or its content',
    why: 'The entry is ignored with a warning in the log.',
    remedy: 'Give both "path" and "content".',
  },
  'file-content-type': {
    severity: 'error',
    title: 'A file has a value that is not a string',
    why: 'A path, a content or an encoding that is a number, a mapping or nothing makes `write_files` fail there, and so does an entry that is not a mapping: this file and all after it are not written.',
    remedy: 'Put the value in quotes, or the content behind "|".',
  },
  'file-relative-path': {
    severity: 'warning',
    title: 'A file has no absolute path',
    why: 'It lands in the folder that the service happens to run in.',
    remedy: 'Give a path that starts with a drive, such as "C:\\etc\\file".',
  },
  'file-encoding': {
    severity: 'error',
    title: 'A file is not decoded',
    why: 'With an unknown encoding, or with content in another encoding, the content is written unchanged: base64 in place of the file. Where gzip is damaged or truncated, neither this file nor any after it is written.',
    remedy: 'Use base64, gzip or gzip+base64, and content that is so encoded.',
  },
  'file-read-only': {
    severity: 'warning',
    title: 'A file becomes read-only',
    why: 'Of a mode, Windows knows only whether the owner may write. Where not, a second run cannot write the file, and all files after it are not written either.',
    remedy: 'Give a mode in which the owner may write, such as "0600".',
  },
  'file-permissions': {
    severity: 'warning',
    title: "A file's permissions cannot be read",
    why: 'A value that is not octal counts as 0644.',
    remedy: 'Give an octal number in quotes, such as "0644".',
  },
  'file-key-ignored': {
    severity: 'note',
    title: 'A key of a file does nothing',
    why: '`owner`, `defer` and `source`, and unknown keys are ignored: files belong to SYSTEM and inherit the permissions of their folder.',
    remedy: 'Leave the key out; set rights by a command.',
  },
} as const satisfies Readonly<Record<string, Rule>>;
