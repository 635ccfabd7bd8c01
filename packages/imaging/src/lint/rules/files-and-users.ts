import type { Rule } from '../rules.ts';

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
    remedy: 'Remove the key; set rights with a command.',
  },
} as const satisfies Readonly<Record<string, Rule>>;

/** `users` and `groups`. */
export const USER_RULES = {
  'user-no-name': {
    severity: 'error',
    title: 'A user has no name',
    why: 'The entry is ignored.',
    remedy: 'Give it a "name".',
  },
  'user-password-long': {
    severity: 'error',
    title: 'A password is longer than 20 letters, as a hash is',
    why: '`passwd` is the password itself here, not its hash. With more than 20 characters, the user is not created.',
    remedy: 'Remove "passwd": a random password is set. Log in with a key.',
  },
  'user-password': {
    severity: 'warning',
    title: 'The user-data contains a password',
    why: 'It is plain text, for everybody who can read the user-data, for as long as the machine is there.',
    remedy: 'Remove "passwd": a random password is set. Log in with a key.',
  },
  'user-value': {
    severity: 'error',
    title: 'A value prevents the creation of a user',
    why: 'A name or a password that is not a string, such as a number without quotes, or an `expiredate` that is not a date, stops the creation of the user.',
    remedy: 'Put the value in quotes, and write a date as "2030-12-31".',
  },
  'user-expire-date': {
    severity: 'error',
    title: 'A user never expires',
    why: 'YAML reads `2030-12-31` as a date, and only a string counts: without quotes the date is ignored.',
    remedy: 'Put the date in quotes.',
  },
  'user-inactive': {
    severity: 'error',
    title: 'An inactive user is not created',
    why: 'A user that is to be inactive and to have a home or keys is refused.',
    remedy: 'Add "no_create_home: true", or leave "inactive" out.',
  },
  'user-groups': {
    severity: 'warning',
    title: 'Several groups are read as one',
    why: 'A list of groups is split at a comma and one space; without the space it is one name.',
    remedy: 'Give the groups as a list.',
  },
  'user-administrator-keys': {
    severity: 'note',
    title: 'The keys of an administrator may be ignored',
    why: "They are written into the user's profile, while Windows' OpenSSH reads those of administrators from `%ProgramData%\\ssh\\administrators_authorized_keys`.",
    remedy: 'Remove the block "Match Group administrators" from sshd_config in the image.',
  },
  'group-entry': {
    severity: 'error',
    title: 'A group is not created, or lacks its users',
    why: 'Entries are names, or a name with the list of its users. Of an entry with several names only the first counts; a mapping in place of the list makes the groups without their users; any other entry ends `groups` there.',
    remedy: 'Write each group as "- operators" or "- operators: [anna]".',
  },
  'group-user-missing': {
    severity: 'error',
    title: 'A group lists a user that does not exist yet',
    why: '`groups` is processed before `users`, in any order. A user that is created in the same document cannot be added to a group there: that fails, and later groups are not created.',
    remedy: 'Name the group in "groups" of the user instead.',
  },
  'user-key-ignored': {
    severity: 'note',
    title: 'A key of a user does nothing',
    why: '`sudo`, `shell`, `homedir`, `lock_passwd`, `uid` and the like are ignored.',
    remedy: 'Leave the key out.',
  },
} as const satisfies Readonly<Record<string, Rule>>;
