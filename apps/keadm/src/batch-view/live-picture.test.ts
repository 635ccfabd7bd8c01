import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { livePicture } from './live-picture.ts';

function screen(): { readonly writes: string[]; columns: number } & Parameters<typeof livePicture>[0] {
  const made = {
    writes: new Array<string>(),
    columns: 60,
    write: (text: string) => void made.writes.push(text),
    size: () => ({ columns: made.columns, rows: 10 }),
    colours: false,
  };
  return made;
}

const TIME = '2026-01-01T00:00:00.000Z';

test('many events at once are one picture, and the end leaves the terminal as it was', async () => {
  const terminal = screen();
  const show = livePicture(terminal, () => new Date(TIME));
  show.add({ type: 'run-begun', time: TIME, run: 'r1', nodes: 50, resumed: false });
  for (let index = 0; index < 50; index += 1) show.add({ type: 'node', time: TIME, node: `n${index}`, state: 'done' });
  await sleep(150);
  expect(terminal.writes).toHaveLength(1);
  expect(terminal.writes[0]).toContain('50 of 50  100 %');
  show.end();
  expect(terminal.writes.at(-1)?.replaceAll('\u001b', 'ESC')).toMatch(/^ESC\[\d+FESC\[JESC\[\?7hESC\[\?25h$/);
  await sleep(150);
  expect(terminal.writes).toHaveLength(2);
});

test('a line as long as the terminal is wide keeps its last character', async () => {
  const terminal = screen();
  const show = livePicture(terminal, () => new Date(TIME));
  show.add({ type: 'run-begun', time: TIME, run: 'r1', nodes: 1, resumed: false });
  await sleep(150);
  show.end();
  expect(terminal.writes[0]?.replaceAll('\u001b', 'ESC')).toMatch(/ESC\[2K\[\.+\] 0 of 1 {2}0 %\n/);
});

test('a terminal that changes its width is drawn again', async () => {
  const terminal = screen();
  const show = livePicture(terminal, () => new Date(TIME));
  show.add({ type: 'run-begun', time: TIME, run: 'r1', nodes: 1, resumed: false });
  await sleep(150);
  terminal.columns = 40;
  show.add({ type: 'node', time: TIME, node: 'a', state: 'done' });
  await sleep(150);
  show.end();
  expect(terminal.writes[1]).toContain('\u001b[H\u001b[2J');
});

test('where nothing was drawn there is nothing to remove', () => {
  const terminal = screen();
  livePicture(terminal, () => new Date(TIME)).end();
  expect(terminal.writes).toEqual([]);
});
