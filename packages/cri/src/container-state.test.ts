import { expect, test } from 'vitest';
import { containerStateOf } from './container-state.ts';
import { ContainerState } from './messages.ts';

test.each([
  [ContainerState.CONTAINER_CREATED, 'created'],
  [ContainerState.CONTAINER_RUNNING, 'running'],
  [ContainerState.CONTAINER_EXITED, 'exited'],
  [ContainerState.CONTAINER_UNKNOWN, 'unknown'],
  [9, 'unknown'],
])('the state %d is "%s"', (state, name) => {
  expect(containerStateOf({ state })).toBe(name);
});
