import type { AllowFailure, Hash, JobConfig, When } from '../configuration-model/configuration.types.js';
import { enterAttribute, enterKey, isBlank, pickValue } from './keyword-scope.js';
import { reject, rejectUnsupported, rejectWhole, warnPending } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { allowsName } from './read-inherit.js';
import type { InheritConfig } from './read-inherit.js';
import { readKeywords } from './read-keywords.js';
import type { KeywordDraft } from './read-keywords.js';
import { warnTwoPipelines } from './read-rules.js';

/** What jobs take from the rest of the file. */
export interface JobFrame {
  defaults: KeywordDraft;
  /** null when they are wrong themselves. */
  stages: readonly string[] | null;
  workflowRules: boolean;
}

const RULES_RIVALS = ['only', 'except', 'start_in'];
const INHERIT_ALL: InheritConfig = { default: true, variables: true };

/** Reads a job that has a `script`, checks it and applies defaults. */
export function readJobConfig(name: string, hash: Hash, at: KeywordScope, frame: JobFrame): JobConfig {
  const own = readKeywords(hash, at, 'job');
  checkScript(own, hash, at);
  checkRules(own, hash, at, frame);
  checkDelay(own, hash, at);
  checkDependencies(own, at);
  checkStage(name, own, at, frame);
  if (name === 'pages' && pickValue(hash, 'pages') === undefined) warnPending(enterKey(at, 'pages'));
  return completeJob(name, own, frame);
}

/** Refuses a job without `script`: as not supported where it has what could stand instead, else as no job. */
export function checkJobKind(name: string, hash: Hash, at: KeywordScope): boolean {
  if (Object.hasOwn(hash, 'script')) return true;
  const others = ['trigger', 'run'].filter((key) => pickValue(hash, key) !== undefined);
  for (const key of others) rejectUnsupported(enterKey(at, key));
  if (others.length === 0)
    rejectWhole(at, `jobs ${name} config should implement the script:, run:, or trigger: keyword`);
  return false;
}

function checkScript(own: KeywordDraft, hash: Hash, at: KeywordScope): void {
  const script = pickValue(hash, 'script');
  if (isBlank(script) || own.script?.length === 0) reject(enterAttribute(at, 'script'), "can't be blank");
}

function checkRules(own: KeywordDraft, hash: Hash, at: KeywordScope, frame: JobFrame): void {
  if (pickValue(hash, 'rules') === undefined) return;
  const rivals = Object.keys(hash).filter((key) => RULES_RIVALS.includes(key) && pickValue(hash, key) !== undefined);
  if (rivals.length > 0) reject(at, `key may not be used with \`rules\`: ${rivals.join(', ')}`);
  if (own.rules && !frame.workflowRules) warnTwoPipelines(own.rules, at);
}

function checkDelay(own: KeywordDraft, hash: Hash, at: KeywordScope): void {
  const written = pickValue(hash, 'start_in') !== undefined;
  const rules = pickValue(hash, 'rules') !== undefined;
  const inside = enterAttribute(at, 'start_in');
  if (own.when === 'delayed' && !written && !rules) reject(inside, 'should be a duration');
  if (own.when !== 'delayed' && written && !rules) reject(inside, 'must be blank');
}

function checkDependencies(own: KeywordDraft, at: KeywordScope): void {
  if (!own.dependencies?.length || !own.needs?.length) return;
  const needs = new Set(own.needs.map((need) => need.job));
  const others = own.dependencies.filter((job) => !needs.has(job));
  if (others.length > 0) reject(enterAttribute(at, 'dependencies'), `the ${others.join(', ')} should be part of needs`);
}

function checkStage(name: string, own: KeywordDraft, at: KeywordScope, { stages }: JobFrame): void {
  const stage = own.stage ?? 'test';
  if (!stages || stages.includes(stage)) return;
  const text = `chosen stage ${stage} does not exist; available stages are ${stages.join(', ')}`;
  rejectWhole(enterKey(at, 'stage'), `${name} job: ${text}`);
}

function completeJob(name: string, own: KeywordDraft, frame: JobFrame): JobConfig {
  const inherit = own.inherit ?? INHERIT_ALL;
  const draft: KeywordDraft = { ...pickDefaults(frame.defaults, inherit), ...own };
  return {
    name,
    stage: draft.stage ?? 'test',
    before_script: draft.before_script ?? [],
    script: draft.script ?? [],
    after_script: draft.after_script ?? [],
    hooks: draft.hooks ?? { pre_get_sources_script: [] },
    image: draft.image ?? null,
    services: draft.services ?? [],
    tags: draft.tags ?? [],
    cache: draft.cache ?? [],
    artifacts: draft.artifacts ?? null,
    variables: draft.variables ?? Object.create(null),
    inherit_variables: inherit.variables,
    rules: draft.rules ?? null,
    only: draft.only ?? null,
    except: draft.except ?? null,
    when: draft.when ?? 'on_success',
    start_in: draft.start_in ?? null,
    allow_failure: chooseAllowFailure(draft.allow_failure, draft.when),
    needs: draft.needs ?? null,
    dependencies: draft.dependencies ?? null,
    parallel: draft.parallel ?? null,
    retry: draft.retry ?? null,
    timeout: draft.timeout ?? null,
    interruptible: draft.interruptible ?? false,
    resource_group: draft.resource_group ?? null,
    coverage: draft.coverage ?? null,
    environment: draft.environment ?? null,
  };
}

function chooseAllowFailure(value: AllowFailure | undefined, when: When | undefined): AllowFailure {
  return value ?? when === 'manual';
}

function pickDefaults(defaults: KeywordDraft, inherit: InheritConfig): KeywordDraft {
  if (inherit.default === true) return defaults;
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => allowsName(inherit.default, name)));
}
