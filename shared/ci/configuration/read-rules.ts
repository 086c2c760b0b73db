import { isHash } from '../configuration-model/configuration.types.js';
import { checkExpression } from '../rules/evaluate-expression.js';
import { ExpressionError, INVALID_EXPRESSION } from '../rules/rule-errors.js';
import type { Hash, RuleConfig, Value, When } from '../configuration-model/configuration.types.js';
import { enterAttribute, enterItem, enterKey, isBlank, pickValue, reject, warn } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readAutoCancel } from './read-auto-cancel.js';
import { limitDuration, WEEK } from './read-duration.js';
import { readNeeds } from './read-needs.js';
import { readChanges, readExists } from './read-rule-files.js';
import { checkKeys, flattenItems, formatUnknown, readBoolean } from './read-shapes.js';
import type { Reader } from './read-shapes.js';
import { readPlainVariables } from './read-variables.js';

const COMMON_KEYS = ['if', 'changes', 'exists', 'when', 'start_in', 'allow_failure', 'variables', 'needs'];

/** What differs between the rules of jobs and of `workflow`. */
interface RuleKind {
  keys: readonly string[];
  when: readonly When[];
}
const JOB_RULES: RuleKind = {
  keys: [...COMMON_KEYS, 'interruptible'],
  when: ['on_success', 'on_failure', 'always', 'never', 'manual', 'delayed'],
};
const WORKFLOW_RULES: RuleKind = { keys: [...COMMON_KEYS, 'auto_cancel'], when: ['always', 'never'] };

const readStartIn = limitDuration(WEEK);

/** Reads `rules` of a job; nested lists become one. */
export function readJobRules(value: Value, at: KeywordScope): RuleConfig[] | undefined {
  return readRules(value, at, JOB_RULES);
}

/** Reads `workflow:rules`. */
export function readWorkflowRules(value: Value, at: KeywordScope): RuleConfig[] | undefined {
  return readRules(value, at, WORKFLOW_RULES);
}

/** Warns of rules whose last one starts the job in pipelines of branches and of merge requests alike. */
export function warnTwoPipelines(rules: RuleConfig[], job: KeywordScope): void {
  const last = rules.at(-1);
  if (last?.when === undefined || last.when === 'never' || Object.keys(last).length !== 1) return;
  const reason = 'due to `rules:when` clause with no `workflow:rules`';
  warn(job, `${job.label} may allow multiple pipelines to run for a single action ${reason}`);
}

/** Reads an expression of a rule or of `only:variables`. */
export function readExpression(value: Value, at: KeywordScope): string | undefined {
  if (typeof value !== 'string') return reject(at, INVALID_EXPRESSION);
  try {
    checkExpression(value);
    return value;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return reject(at, INVALID_EXPRESSION);
  }
}

function readRules(value: Value, at: KeywordScope, kind: RuleKind): RuleConfig[] | undefined {
  const items = Array.isArray(value) ? flattenItems(value, at) : undefined;
  if (!items || !items.every(isHash)) {
    const title = at.label.replace(/:rules$/, ' rules');
    return reject({ ...at, title }, 'should be an array containing hashes and arrays of hashes');
  }
  if (items.length === 0) return reject(at, "can't be blank");
  return items.map((item) => readRule(item, enterItem(at, 'rule'), kind));
}

function readRule(hash: Hash, at: KeywordScope, kind: RuleKind): RuleConfig {
  const rule: RuleConfig = {};
  if (isBlank(hash)) reject(at, "can't be blank");
  checkKeys(hash, at, kind.keys);
  const read = <K extends keyof RuleConfig>(
    key: K,
    reader: Reader<NonNullable<RuleConfig[K]>>,
    enter: (at: KeywordScope, key: string) => KeywordScope = enterAttribute,
  ): void => {
    const part = kind.keys.includes(key) ? pickValue(hash, key) : undefined;
    const result = part === undefined ? undefined : reader(part, enter(at, key));
    if (result !== undefined) rule[key] = result;
  };
  read('if', readExpression);
  read('changes', readChanges, enterKey);
  read('exists', readExists, enterKey);
  read('when', (value, inside) => readRuleWhen(value, inside, kind));
  readDelay(hash, at, rule);
  read('allow_failure', readBoolean);
  read('variables', readPlainVariables, enterKey);
  read('needs', readNeeds, enterKey);
  read('interruptible', readBoolean);
  read('auto_cancel', readAutoCancel, enterKey);
  return rule;
}

function readRuleWhen(value: Value, at: KeywordScope, kind: RuleKind): When | undefined {
  const when = kind.when.find((choice) => choice === value);
  return when ?? reject(at, `unknown value: ${formatUnknown(value)}`);
}

function readDelay(hash: Hash, at: KeywordScope, rule: RuleConfig): void {
  const startIn = pickValue(hash, 'start_in');
  if (rule.when !== 'delayed') {
    if (Object.hasOwn(hash, 'start_in')) reject(at, 'contains disallowed keys: start_in');
    return;
  }
  const inside = enterAttribute(at, 'start_in');
  if (startIn === undefined) reject(inside, "can't be blank");
  else rule.start_in = readStartIn(startIn, inside);
}
