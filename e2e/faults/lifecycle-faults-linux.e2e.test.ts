import { machineOf } from '../machines/keadm-machine.ts';
import { faultCases } from './fault-cases.ts';

faultCases(machineOf('Linux with systemd'));
