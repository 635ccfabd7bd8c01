import { machineOf } from '../../support/machines/keadm-machine.ts';
import { badUpgradeCases } from './bad-upgrade-cases.ts';

badUpgradeCases(machineOf('Linux with systemd'));
