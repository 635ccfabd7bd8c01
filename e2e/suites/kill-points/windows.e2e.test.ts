import { machineOf } from '../../support/machines/keadm-machine.ts';
import { IN_THE_MIDDLE, killPointCases } from './kill-point-cases.ts';

killPointCases(machineOf('Windows'), IN_THE_MIDDLE);
