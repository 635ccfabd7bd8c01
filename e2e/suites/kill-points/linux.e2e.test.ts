import { machineOf } from '../../support/machines/keadm-machine.ts';
import { AT_THE_END, killPointCases } from './kill-point-cases.ts';

killPointCases(machineOf('Linux with systemd'), AT_THE_END);
