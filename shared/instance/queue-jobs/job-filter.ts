import { instant, list, oneOf, optional, presentText } from '../../core/operations/fields.js';
import { JOB_STATES } from '../pg-boss/tables.js';

/** Shorter texts are in no index of parts of texts. */
const SHORTEST_PART = 3;
const LONGEST = 255;

const short = (least = 1) =>
  presentText()
    .refine((value) => value.length <= LONGEST, 'is too long')
    .refine((value) => value.trim().length >= least, 'is too short');

/** What jobs are searched by; all must hold. */
export const jobFilterParams = {
  queue: short().optional().describe('Only jobs of this queue.'),
  state: optional(list(oneOf(JOB_STATES), { commas: true, max: JOB_STATES.length })).describe(
    'Only jobs in these states, as a list or separated by commas.',
  ),
  search: short().optional().describe('The id of a job, or a part of the name of its queue.'),
  user: short().optional().describe('Only jobs that this user asked for, by username.'),
  project: short().optional().describe('Only jobs about this project, by its full path at that time.'),
  created_after: optional(instant()).describe('Only jobs sent at or after this instant.'),
  created_before: optional(instant()).describe('Only jobs sent at or before this instant.'),
  error: short(SHORTEST_PART)
    .optional()
    .describe('Only jobs of which an attempt failed with this in the class or message of its error.'),
};
