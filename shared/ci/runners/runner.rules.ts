import { BadParams, Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';
import type { Runner, RunnerType } from './runner.entity.js';

const MAX_TEXT = 1024;
const MAX_TAG = 255;
const MAX_TAGS = 50;
const MIN_TIMEOUT = 600;
/** The most that its column holds. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** What callers set of a runner. */
export type RunnerAttributes = Pick<
  Runner,
  | 'description'
  | 'paused'
  | 'locked'
  | 'run_untagged'
  | 'tag_list'
  | 'access_level'
  | 'maximum_timeout'
  | 'maintenance_note'
>;

/** What a runner is where nothing else was sent. */
export const DEFAULT_ATTRIBUTES: RunnerAttributes = {
  description: null,
  paused: false,
  locked: false,
  run_untagged: true,
  tag_list: [],
  access_level: 'not_protected',
  maximum_timeout: null,
  maintenance_note: null,
};

const isTooLong = (value: string, most: number) => value.length > most && [...value].length > most;
const tooLong = (most: number) => `is too long (maximum is ${most} characters)`;

const textProblems = (text: string | null | undefined): string[] =>
  isTooLong(text ?? '', MAX_TEXT) ? [tooLong(MAX_TEXT)] : [];

function tagProblems({ tag_list: tags, run_untagged: runUntagged }: RunnerAttributes): string[] {
  if (tags.length > MAX_TAGS) return [`Too many tags specified. Please limit the number of tags to ${MAX_TAGS}`];
  if (tags.some((tag) => isTooLong(tag, MAX_TAG))) return [tooLong(MAX_TAG)];
  if (tags.length === 0 && !runUntagged) return ['can not be empty when runner is not allowed to pick untagged jobs'];
  return [];
}

function timeoutProblems(seconds: number): string[] {
  if (seconds < MIN_TIMEOUT) return ['needs to be at least 10 minutes'];
  return seconds > MAX_TIMEOUT ? [`must be less than or equal to ${MAX_TIMEOUT}`] : [];
}

function runnerProblems(attributes: RunnerAttributes): Problems {
  const { description, maintenance_note: note, maximum_timeout: timeout } = attributes;
  const found: [string, string[]][] = [
    ['description', textProblems(description)],
    ['maintenance_note', textProblems(note)],
    ['maximum_timeout', typeof timeout === 'number' ? timeoutProblems(timeout) : []],
    ['tags_list', tagProblems(attributes)],
  ];
  return Object.fromEntries(found.filter(([, problems]) => problems.length > 0));
}

/** @throws Invalid with every problem of a runner's values, by attribute (ci-execution.md section 9) */
export function requireValidRunner(attributes: RunnerAttributes): void {
  const problems = runnerProblems(attributes);
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/** Tags as they are stored: each once, without blanks around them. */
export const normalizeTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== '')),
];

/** @throws BadParams where it is not named what the runner serves */
export function requireTarget(input: {
  readonly runner_type: RunnerType;
  readonly group_id?: number | undefined;
  readonly project_id?: number | undefined;
}): void {
  if (input.runner_type === 'group_type' && input.group_id === undefined) throw new BadParams(['group_id is missing']);
  if (input.runner_type === 'project_type' && input.project_id === undefined)
    throw new BadParams(['project_id is missing']);
}
