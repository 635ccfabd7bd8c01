import type { Rule } from '../rule.ts';

/** `users` and `groups`. */
export const USER_RULES = {
  'user-no-name': {
    severity: 'error',
    title: 'A user has no name',
    why: 'The entry is passed over.',
    remedy: 'Give it a "name".',
  },
  'user-password-long': {
    severity: 'error',
    title: 'A password is longer than 20 letters, as a hash is',
    why: '`passwd` is the password itself here, no hash of it. One of more than 20 letters keeps the user from being made at all.',
    remedy: 'Leave "passwd" out: a random one is made. Log in with a key.',
  },
  'user-password': {
    severity: 'warning',
    title: 'A password stands in the user-data',
    why: 'It is plain text, for everybody who can read the user-data, for as long as the machine is there.',
    remedy: 'Leave "passwd" out: a random one is made. Log in with a key.',
  },
  'user-inactive': {
    severity: 'warning',
    title: 'An inactive user is not made',
    why: 'A user that is to be inactive and to have a home or keys is refused.',
    remedy: 'Add "no_create_home: true", or leave "inactive" out.',
  },
  'user-groups': {
    severity: 'warning',
    title: 'Groups are taken for one',
    why: 'A text of groups is cut where a comma and one blank stand; without the blank it is one name.',
    remedy: 'Give the groups as a list.',
  },
  'user-administrator-keys': {
    severity: 'note',
    title: "An administrator's keys may not be looked at",
    why: "They are written into the user's profile, while Windows' OpenSSH reads those of administrators from `%ProgramData%\\ssh\\administrators_authorized_keys`.",
    remedy: 'Take the block "Match Group administrators" out of sshd_config in the image.',
  },
  'user-key-ignored': {
    severity: 'note',
    title: 'A key of a user does nothing',
    why: '`sudo`, `shell`, `homedir`, `lock_passwd`, `uid` and the like are passed over.',
    remedy: 'Leave the key out.',
  },
} as const satisfies Readonly<Record<string, Rule>>;
