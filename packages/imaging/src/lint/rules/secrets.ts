import type { Rule } from '../rule.ts';

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
