import { machineOf } from '../machines/keadm-machine.ts';
import { killPointCases } from './kill-point-cases.ts';

killPointCases(machineOf('Linux with systemd'));
