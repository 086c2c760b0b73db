import type { Problems } from '../../core/values/errors.js';
import type { z } from 'zod';
import { Expression } from '../../core/expressions/expressions.js';
import { boolean, clearable, clearableText, integer, oneOf, optional } from '../../core/operations/fields.js';
import type { object } from '../../core/operations/fields.js';
import type { ContainerExpiration } from './project-settings.entity.js';

/** Parameters of a cleanup policy, which selects container registry images to keep. */
export const containerExpirationParam = {
  cadence: optional(oneOf(['1d', '7d', '14d', '1month', '3month'])).describe('Interval at which tags are removed.'),
  enabled: optional(boolean()).describe('If `true`, tags are removed by the policy.'),
  keep_n: clearable(integer()).describe('Number of the newest tags of each image to keep: 1, 5, 10, 25, 50 or 100.'),
  older_than: clearable(oneOf(['7d', '14d', '30d', '60d', '90d'])).describe('Age above which tags are removed.'),
  name_regex: clearableText().describe('Deprecated: use `name_regex_delete`.'),
  name_regex_delete: clearableText().describe('Regular expression, in the syntax of RE2, for the tags to remove.'),
  name_regex_keep: clearableText().describe('Regular expression, in the syntax of RE2, for tags to always keep.'),
};

export type ContainerExpirationInput = z.output<ReturnType<typeof object<typeof containerExpirationParam>>>;

const KEEP = [1, 5, 10, 25, 50, 100];

const DAY_MS = 86_400_000;
/** Between two runs, in days. */
const CADENCES: Record<string, number> = { '1d': 1, '7d': 7, '14d': 14, '1month': 30, '3month': 90 };

/** The policy with what was sent of it. `name_regex` is the older name of `name_regex_delete`. */
export function changedExpiration(before: ContainerExpiration, input: ContainerExpirationInput): ContainerExpiration {
  const { name_regex_delete: newer, ...rest } = input;
  const sent = Object.entries({ ...rest, ...(newer === undefined ? {} : { name_regex: newer }) });
  return { ...before, ...Object.fromEntries(sent.filter(([, value]) => value !== undefined)) };
}

/** When a policy of this cadence runs next. */
export function nextExpiration(policy: Pick<ContainerExpiration, 'cadence'>, now: Date): Date {
  return new Date(now.getTime() + (CADENCES[policy.cadence] ?? 1) * DAY_MS);
}

function regexProblem(pattern: string | null): string | null {
  if (!pattern) return null;
  if (pattern.length > 255) return 'is too long (maximum is 255 characters)';
  return Expression.read(pattern) instanceof Expression ? null : 'not valid RE2 syntax';
}

/** Problems of a policy, by the keys of the public API. */
export function expirationProblems(policy: ContainerExpiration): Problems {
  const problems: Problems = {};
  const note = (key: string, problem: string | null) => {
    if (problem) problems[`container_expiration_policy.${key}`] = [problem];
  };
  if (policy.keep_n !== null && !KEEP.includes(policy.keep_n)) note('keep_n', 'is not included in the list');
  note('name_regex', policy.enabled && !policy.name_regex ? "can't be blank" : regexProblem(policy.name_regex));
  note('name_regex_keep', regexProblem(policy.name_regex_keep));
  return problems;
}
