import type { Statement } from './driver/statement.js';

const PLANNED_EACH_TIME = '/* planned each time */ ';

/**
 * A statement that is planned for its values each time instead of once for all values. For statements whose values
 * decide how many rows match, so that one generic plan would suit few of them.
 */
export const planEachTime = ({ text, values }: Statement): Statement => ({ text: PLANNED_EACH_TIME + text, values });

/** Whether the text is that of a statement planned for its values each time. */
export const isPlannedEachTime = (text: string): boolean => text.startsWith(PLANNED_EACH_TIME);

/** The text of a statement, without the mark of those. */
export const plainText = (text: string): string =>
  isPlannedEachTime(text) ? text.slice(PLANNED_EACH_TIME.length) : text;
