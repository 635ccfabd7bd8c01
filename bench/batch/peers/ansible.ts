import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireMarks, shortCommand, type Delivery, type Taken } from '../methods.ts';
import { runController } from '../run-controller.ts';
import { sshOptions } from './openssh-tar.ts';

/**
 * Ansible with the leanest playbook: no facts, pipelining, as many forks as targets, no target waits for another, the
 * same cipher, the small files as one archive, and a command without a module.
 */
export async function ansible(delivery: Delivery): Promise<Taken> {
  const folder = mkdtempSync(join(delivery.site.folder, 'ansible-'));
  const [inventory, playbook] = [join(folder, 'hosts'), join(folder, 'play.yaml')];
  writeFileSync(inventory, inventoryText(delivery));
  writeFileSync(playbook, JSON.stringify(playbookOf(delivery)));
  const argv = ['ansible-playbook', '-v', '-i', inventory, '-f', String(delivery.targets.length), playbook];
  const { output, ...taken } = await runController(argv, {
    ...SETTINGS,
    ANSIBLE_CONFIG: emptyFile(folder),
    ANSIBLE_LOCAL_TEMP: join(folder, 'local'),
  });
  // As text, and as lines.
  requireMarks('Ansible', output, delivery, 2);
  return taken;
}

/** The machine's own settings are not to count. */
function emptyFile(folder: string): string {
  const file = join(folder, 'ansible.cfg');
  writeFileSync(file, '');
  return file;
}

const SETTINGS = {
  ANSIBLE_PIPELINING: 'True',
  ANSIBLE_HOST_KEY_CHECKING: 'False',
  ANSIBLE_TIMEOUT: '120',
  // On a busy machine it gives up on targets otherwise.
  ANSIBLE_SSH_RETRIES: '3',
  ANSIBLE_SSH_ARGS: '-o ControlMaster=auto -o ControlPersist=60s -o Ciphers=aes128-gcm@openssh.com',
};

function inventoryText(delivery: Delivery): string {
  const common = sshOptions(delivery).join(' ');
  const lines = delivery.targets.map(
    ({ name, host, port, home }) => `${name} ansible_host=${host} ansible_port=${port} home=${home}`,
  );
  return `${lines.join('\n')}
[all:vars]
ansible_user=${delivery.site.login.user}
ansible_python_interpreter=/usr/bin/python3
ansible_ssh_common_args=${common}
`;
}

function playbookOf(delivery: Delivery): unknown {
  const { payload } = delivery.site;
  return [
    {
      hosts: 'all',
      gather_facts: false,
      strategy: 'free',
      tasks: [
        { copy: { src: payload.program, dest: '{{ home }}/keadm', mode: '0755' } },
        { unarchive: { src: payload.smallArchive, dest: '{{ home }}' } },
        { raw: `cd {{ home }} && ${shortCommand(delivery)}` },
      ],
    },
  ];
}
