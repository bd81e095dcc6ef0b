/**
 * How a status looks: a shape and a word besides its colour, the same in pins and panel.
 * Plain data, so that a pin can draw it without a component.
 */
import type { Stage } from '../generated/Stage';
import type { Status } from '../generated/Status';

/** One status as people see it. */
export interface StatusLook {
  /** The word for people. */
  word: string;
  /** What it means, one sentence. */
  meaning: string;
  /** CSS colour of the shape and of the word. */
  color: string;
  /** SVG path in a 16 x 16 box, filled with the status colour, `fill-rule: evenodd`. */
  path: string;
}

export const statusLook: Record<Status, StatusLook> = {
  active: {
    word: 'Active',
    meaning: 'Waits for work; its element is as it was.',
    color: 'var(--otb-active)',
    // A filled circle.
    path: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z',
  },
  outdated: {
    word: 'Outdated',
    meaning: 'Waits for work, but its element has changed or is gone.',
    color: 'var(--otb-outdated)',
    // A triangle with an exclamation mark cut out.
    path: 'M6.9 2.15a1.27 1.27 0 0 1 2.2 0l5.72 10.1A1.17 1.17 0 0 1 13.72 14H2.28a1.17 1.17 0 0 1-1.1-1.75ZM7.2 6v4h1.6V6ZM7.2 11v1.6h1.6V11Z',
  },
  resolved: {
    word: 'Resolved',
    meaning: 'Done; kept with its history.',
    color: 'var(--otb-resolved)',
    // A check mark.
    path: 'M13.6 3.3l1.3 1.2-8.2 9-5.5-5.2 1.2-1.3 4.2 4Z',
  },
};

/** What differs came while an agent worked on the comment: a question, not a warning. */
export const askedLook: StatusLook = {
  word: 'Changed, as asked?',
  meaning: 'Its element changed while an agent worked on the comment.',
  color: 'var(--otb-active)',
  // A filled circle with a question mark cut out.
  path:
    'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2ZM5.7 6.5h1.5c0-.6.3-.9.8-.9s.8.3.8.7c0 .4-.2.6-.7 1-.7.5-.9 1-.9 2h1.4c0-.6.2-.8.7-1.2' +
    '.6-.5 1-1 1-1.9 0-1.2-.9-2-2.3-2S5.7 5.1 5.7 6.5ZM7.1 10h1.6v1.6H7.1Z',
};

/** The stages as words for people. */
export const stageWord: Record<Stage, string> = {
  open: 'Open',
  in_progress: 'In progress',
  review: 'Ready to review',
};
