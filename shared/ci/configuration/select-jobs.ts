import { evaluateOnlyExcept } from '../rules/evaluate-only-except.js';
import { evaluateRules } from '../rules/evaluate-rules.js';
import { expandVariables } from '../rules/expand-variables.js';
import type { Lookup, RuleExplanation } from '../rules/rules.types.js';
import type { CompileSources } from './compile-sources.js';
import type { CompiledJob, CompileRequest, ExcludedJob } from './compile.types.js';
import { ConfigurationError } from '../configuration-model/configuration.types.js';
import type {
  AllowFailure,
  PipelineConfig,
  Problem,
  RuleConfig,
  Variables,
} from '../configuration-model/configuration.types.js';
import type { ExpandedJob } from './expand-parallel.js';
import { createLookup, inheritVariables } from './job-variables.js';

const MAX_PROBLEMS = 100;

/** The jobs of a pipeline, and those that are not in it. */
export interface Selection {
  jobs: CompiledJob[];
  excluded: ExcludedJob[];
}

interface Selecting {
  request: CompileRequest;
  config: PipelineConfig;
  sources: CompileSources;
  /** Variables of the rule of `workflow` that matched, over the global ones. */
  globals: Variables;
  /** For jobs without variables of their own. */
  lookup: Lookup;
}

/**
 * Decides for each job whether it is in the pipeline, and applies the rule that matched.
 * @param globals global variables, with those of the matching rule of `workflow`
 * @throws ConfigurationError for rules that cannot be evaluated, 100 problems at most
 */
export async function choosePipelineJobs(
  jobs: readonly ExpandedJob[],
  request: CompileRequest,
  config: PipelineConfig,
  sources: CompileSources,
  globals: Variables,
): Promise<Selection> {
  const selecting: Selecting = { request, config, sources, globals, lookup: createLookup(request, [globals]) };
  const selection: Selection = { jobs: [], excluded: [] };
  const problems: Problem[] = [];
  for (const job of jobs) {
    try {
      const found = await selectJob(job, selecting);
      if ('why' in found) selection.excluded.push(found);
      else selection.jobs.push(found);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...error.problems);
      if (problems.length >= MAX_PROBLEMS) break;
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems.slice(0, MAX_PROBLEMS));
  return selection;
}

async function selectJob(job: ExpandedJob, selecting: Selecting): Promise<CompiledJob | ExcludedJob> {
  const lookup = lookupFor(job, selecting, job.variables);
  if (job.rules === null) return selectByPolicy(job, selecting, lookup);
  const { changedPaths, pathsInTree } = selecting.sources;
  const owner = { kind: 'job', name: job.base_name } as const;
  const outcome = await evaluateRules(job.rules, { owner, lookup, changedPaths, pathsInTree });
  const { rule, matched, explanation } = outcome;
  if (!rule) return { name: job.name, why: 'No rule matched.', explanation };
  const applied = applyRule(job, rule);
  if (applied.when === 'never')
    return { name: job.name, why: `Rule ${(matched ?? 0) + 1} matched, which says "when: never".`, explanation };
  return finishJob(applied, explanation, rule.variables ? lookupFor(job, selecting, applied.variables) : lookup);
}

async function selectByPolicy(job: ExpandedJob, { request, config, sources }: Selecting, lookup: Lookup) {
  const { ref, isTag, source, projectPath } = request;
  const workflowRules = config.workflow.rules !== null;
  const { changedPaths } = sources;
  const context = { job: job.base_name, ref, isTag, source, projectPath, workflowRules, lookup, changedPaths };
  const { included, explanation } = await evaluateOnlyExcept(job.only, job.except, context);
  if (!included) return { name: job.name, why: '`only` and `except` leave it out.', explanation };
  return finishJob(job, explanation, lookup);
}

function lookupFor(job: ExpandedJob, { request, globals, lookup }: Selecting, own: Variables): Lookup {
  if (job.inherit_variables === true && Object.keys(own).length === 0) return lookup;
  return createLookup(request, [inheritVariables(globals, job), own]);
}

/** `manual` at a job lets it fail; in a rule it does not unless the rule says so. */
function allowsFailure(job: ExpandedJob, rule: RuleConfig): AllowFailure {
  if (rule.allow_failure !== undefined) return rule.allow_failure;
  return rule.when === undefined || job.when !== 'manual' ? job.allow_failure : false;
}

function applyRule(job: ExpandedJob, rule: RuleConfig): ExpandedJob {
  return {
    ...job,
    when: rule.when ?? job.when,
    start_in: rule.start_in ?? job.start_in,
    allow_failure: allowsFailure(job, rule),
    needs: rule.needs ?? job.needs,
    interruptible: rule.interruptible ?? job.interruptible,
    variables: rule.variables ? { ...job.variables, ...rule.variables } : job.variables,
  };
}

/** Expands what the server itself has to know of a job. */
function finishJob(job: ExpandedJob, explanation: RuleExplanation[], lookup: Lookup): CompiledJob {
  const expand = (text: string) => expandVariables(text, lookup.visible ?? lookup);
  const { environment } = job;
  return {
    ...job,
    explanation,
    tags: job.tags.map(expand),
    resource_group: job.resource_group === null ? null : expand(job.resource_group),
    environment: environment && { ...environment, name: expand(environment.name) },
  };
}
