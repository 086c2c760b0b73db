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
  queue: short().optional().describe('Filter by name of the queue.'),
  state: optional(list(oneOf(JOB_STATES), { commas: true, max: JOB_STATES.length })).describe(
    'Filter by state of the job, as a list or separated by commas.',
  ),
  search: short().optional().describe('Search by job ID, or by part of the name of the queue.'),
  user: short().optional().describe('Filter by username of the user who requested the job.'),
  project: short().optional().describe('Filter by full path of the project, as of the time the job was sent.'),
  created_after: optional(instant()).describe('Return jobs created at or after this time.'),
  created_before: optional(instant()).describe('Return jobs created at or before this time.'),
  error: short(SHORTEST_PART)
    .optional()
    .describe('Filter by text in the class or message of the error of a failed attempt.'),
};
