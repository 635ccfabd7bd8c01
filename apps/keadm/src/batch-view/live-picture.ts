import type { BatchEvent } from '@fenestra/fleet';
import { renderPicture } from './picture.ts';
import { growingView } from './view-state.ts';

/** Ten pictures a second at most. */
const SHORTEST_MS = 100;
/** Time goes on even where nothing happens. */
const LONGEST_MS = 1000;

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
/** A line that is too long after all does not become two. */
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';
/** Before a line: after one that fills the width, the cursor still stands on its last character. */
const CLEAR_LINE = '\u001b[2K';
const CLEAR_BELOW = '\u001b[J';
const CLEAR_ALL = '\u001b[H\u001b[2J';

/** A terminal that can be drawn on. */
export interface Screen {
  readonly write: (text: string) => void;
  /** Asked before each picture: someone may have changed it. */
  readonly size: () => { readonly columns: number; readonly rows: number };
  readonly colours: boolean;
}

/** Something that shows a run while it goes on. */
export interface Show {
  readonly add: (event: BatchEvent) => void;
  /** The names of the waves, as soon as it is known which have nodes. */
  readonly plan: (waves: readonly string[]) => void;
  /** Removes the temporary lines. */
  readonly end: () => void;
}

/** Draws the run on a terminal, again and again at the same place. */
export function livePicture(screen: Screen, now: () => Date): Show {
  const growing = growingView();
  const painter = painterOn(screen);
  let due: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const { columns, rows } = screen.size();
    painter.paint(
      renderPicture(growing.view, { columns, rows: rows - 1, colours: screen.colours, now: now() }),
      columns,
    );
    due = undefined;
  };
  const ticking = setInterval(draw, LONGEST_MS);
  return {
    add(event) {
      growing.add(event);
      due ??= setTimeout(draw, SHORTEST_MS);
    },
    plan: (waves) => growing.plan(waves),
    end() {
      clearInterval(ticking);
      clearTimeout(due);
      painter.clear();
    },
  };
}

/** Puts lines where the lines before them were. */
function painterOn({ write }: Screen): { paint(lines: readonly string[], columns: number): void; clear(): void } {
  let shown = 0;
  let width: number | undefined;
  // A terminal that became narrower has broken the old lines: no one knows any more where they are.
  const back = (columns: number): string =>
    width !== undefined && width !== columns ? CLEAR_ALL : shown === 0 ? '' : `\u001b[${shown}F`;
  return {
    paint(lines, columns) {
      const text = lines.map((line) => `${CLEAR_LINE}${line}\n`).join('');
      write(`${HIDE_CURSOR}${NO_WRAP}${back(columns)}${text}${CLEAR_BELOW}`);
      shown = lines.length;
      width = columns;
    },
    clear() {
      if (width !== undefined) write(`${back(width)}${CLEAR_BELOW}${WRAP}${SHOW_CURSOR}`);
      shown = 0;
    },
  };
}
