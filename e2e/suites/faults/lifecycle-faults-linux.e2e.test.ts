import { machineOf } from '../../support/machines/keadm-machine.ts';
import { faultCases } from './fault-cases.ts';

faultCases(machineOf('Linux with systemd'));
