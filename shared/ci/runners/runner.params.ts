import {
  boolean,
  clearable,
  clearableText,
  integer,
  list,
  oneOf,
  optional,
  text,
} from '../../core/operations/fields.js';
import { RUNNER_ACCESS_LEVELS } from './runner.serializer.js';

/** What can be set of a runner on creation and changed later. */
export const runnerParams = {
  description: clearableText().describe('Description of the runner; at most 1,024 characters.'),
  paused: optional(boolean()).describe('If `true`, the runner gets no jobs.'),
  locked: optional(boolean()).describe('If `true`, the runner of a project is assigned to no further one.'),
  run_untagged: optional(boolean()).describe('If `true`, the runner also gets jobs without tags.'),
  tag_list: optional(list(text(), { commas: true })).describe('Tags of the runner: at most 50, of 255 characters.'),
  access_level: optional(oneOf(RUNNER_ACCESS_LEVELS)).describe(
    'Refs whose jobs the runner gets: all of them, or protected ones alone.',
  ),
  maximum_timeout: clearable(integer()).describe('Seconds that a job may run there: 600 or more.'),
  maintenance_note: clearableText().describe('Note for those who maintain the runner; at most 1,024 characters.'),
};

/** An older parameter for `paused`. */
export const activeParam = optional(boolean()).describe('The opposite of `paused`, of earlier versions.');

/** Attributes as they are stored, of those that were sent. */
export const withoutActive = <T extends { active?: boolean | undefined }>({ active, ...attributes }: T) => ({
  ...attributes,
  ...(active === undefined ? {} : { paused: !active }),
});
