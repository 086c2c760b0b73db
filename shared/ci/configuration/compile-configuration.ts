import { expandIncludes } from '../configuration-files/expand-includes.js';
import { readInputSpecs } from '../configuration-files/input-specs.js';
import { resolveInputs } from '../configuration-files/input-values.js';
import { interpolateInputs } from '../configuration-files/interpolate-inputs.js';
import { readConfigurationFile } from '../configuration-files/read-configuration-file.js';
import type { Locate } from '../configuration-files/read-configuration-file.js';
import { resolveExtends } from '../configuration-files/resolve-extends.js';
import { resolveYamlReferences } from '../configuration-files/resolve-references.js';
import { formatYaml } from '../configuration-files/write-yaml.js';
import { evaluateRules } from '../rules/evaluate-rules.js';
import { expandVariables } from '../rules/expand-variables.js';
import { checkNeeds, checkRemainingNeeds } from './check-needs.js';
import { checkStorable, toStorable } from './check-storable.js';
import { createCompileSources } from './compile-sources.js';
import type { FetchData, CompileSources } from './compile-sources.js';
import { createCompilation } from './compile.types.js';
import type { Compilation, CompiledJob, CompileRequest } from './compile.types.js';
import { ConfigurationError } from '../configuration-model/configuration.types.js';
import type {
  Hash,
  PipelineConfig,
  Problem,
  RuleConfig,
  Variables,
} from '../configuration-model/configuration.types.js';
import { expandParallel } from './expand-parallel.js';
import { createLookup, createVisibleLookup } from './job-variables.js';
import type { KeywordProblem } from './keyword-scope.js';
import { limitResult } from './limit-result.js';
import { readPipelineConfig } from './read-pipeline-config.js';
import { redactCompilation } from './redact-compilation.js';
import { choosePipelineJobs } from './select-jobs.js';

const MAX_PROBLEMS = 100;
const EDGE_STAGES = ['.pre', '.post'];

/**
 * Turns a configuration file into the jobs of a pipeline (ci-execution.md sections 2 to 6): YAML, inputs, includes,
 * `extends`, references, keywords, `parallel`, rules and needs, in this order. What is wrong is among the errors of
 * the result; values of masked variables are nowhere in it.
 * @param ask reads what is not in the file
 */
export async function compileConfiguration(request: CompileRequest, ask: FetchData): Promise<Compilation> {
  const compilation = createCompilation();
  try {
    await compileInto(compilation, request, createCompileSources(ask));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    compilation.errors = error.problems.slice(0, MAX_PROBLEMS).map(({ message, file, position }) => ({
      message: toStorable(message),
      file,
      position,
    }));
  }
  return limitResult(redactCompilation(compilation, request));
}

async function compileInto(compilation: Compilation, request: CompileRequest, sources: CompileSources): Promise<void> {
  const file = readConfigurationFile(request.text, undefined, request.blob_id);
  compilation.warnings.push(...file.warnings);
  const content = fillInputs(file, request.inputs, createVisibleLookup(request), {});
  const merged = await mergeFiles(compilation, content, request, sources);
  if (request.merged) compilation.merged_yaml = formatYaml(merged);
  const config = readKeywords(merged, request, file.locate);
  compilation.warnings = [...compilation.warnings, ...config.warnings].slice(0, MAX_PROBLEMS);
  compilation.stages = config.stages;
  const jobs = expandParallel(config.jobs);
  checkNeeds(jobs, config.stages);
  if (!request.evaluatesRules) {
    compilation.jobs = jobs.map((job) => ({ ...job, explanation: [] }));
    return;
  }
  const globals = await applyWorkflow(compilation, config, request, sources);
  if (globals === null) return;
  compilation.variables = globals;
  const selection = await choosePipelineJobs(jobs, request, config, sources, globals);
  compilation.excluded = selection.excluded;
  if (selection.jobs.every(({ stage }) => EDGE_STAGES.includes(stage))) {
    compilation.filtered = 'rules';
    const why = 'Only jobs of `.pre` and `.post` are left.';
    compilation.excluded.push(...selection.jobs.map(({ name, explanation }) => ({ name, why, explanation })));
    return;
  }
  checkRemainingNeeds(selection.jobs, request.limits.needs);
  checkSize(selection.jobs, request.limits.pipelineSize);
  checkStorable({ jobs: selection.jobs, stages: compilation.stages, workflow: compilation.workflow });
  compilation.jobs = selection.jobs;
}

interface ReadFile {
  header: Hash | null;
  content: Hash;
  locate: Locate;
  locateInHeader: Locate;
}

/** The content of a file with the values of its inputs. */
function fillInputs(
  { header, content, locate, locateInHeader }: ReadFile,
  inputs: Record<string, unknown>,
  lookup: (name: string) => string | undefined,
  { location }: { location?: string },
): Hash {
  const specs = readInputSpecs(header, { file: location, locate: locateInHeader });
  // Inputs of a pipeline whose file declares none are not read.
  const values = resolveInputs(specs, specs === null && location === undefined ? {} : inputs, location);
  return interpolateInputs(content, values, lookup, { file: location, locate });
}

/** Includes, `extends` and references. */
async function mergeFiles(
  compilation: Compilation,
  content: Hash,
  request: CompileRequest,
  sources: CompileSources,
): Promise<Hash> {
  const lookup = createLookup(request);
  const visible = lookup.visible ?? lookup;
  const { changedPaths, pathsInTree } = sources;
  const expanded = await expandIncludes(content, {
    from: request.origin,
    location: request.location,
    fetchFiles: sources.fetchFiles,
    readFile({ text, location, blob_id: blobId }, inputs) {
      const file = readConfigurationFile(text, location, blobId);
      return { content: fillInputs(file, inputs, visible, { location }), warnings: file.warnings };
    },
    expand: (text) => expandVariables(text, visible),
    async matchesRules(rules) {
      const { rule } = await evaluateRules(rules, { owner: { kind: 'include' }, lookup, changedPaths, pathsInTree });
      return rule !== null && rule.when !== 'never';
    },
  });
  compilation.includes = expanded.includes;
  compilation.warnings.push(...expanded.warnings);
  return resolveYamlReferences(resolveExtends(expanded.content));
}

/** The keywords of a merged file; problems get the positions of their keys. */
function readKeywords(merged: Hash, request: CompileRequest, locate: Locate): PipelineConfig {
  const locateProblem = (problem: Problem): Problem => {
    const { path = [] } = problem as Partial<KeywordProblem>;
    return path.length === 0 ? problem : { ...problem, position: problem.position ?? locate(path) };
  };
  try {
    const config = readPipelineConfig(merged, { needsLimit: request.limits.needs });
    return { ...config, warnings: config.warnings.map(locateProblem) };
  } catch (error) {
    if (error instanceof ConfigurationError) throw new ConfigurationError(error.problems.map(locateProblem));
    throw error;
  }
}

/** The global variables with those of the rule of `workflow` that matched; null if it allows no pipeline. */
async function applyWorkflow(
  compilation: Compilation,
  config: PipelineConfig,
  request: CompileRequest,
  sources: CompileSources,
): Promise<Variables | null> {
  const { workflow } = config;
  let globals = config.variables;
  let rule: RuleConfig | null = null;
  if (workflow.rules) {
    const { changedPaths, pathsInTree } = sources;
    const lookup = createLookup(request, [globals]);
    const outcome = await evaluateRules(workflow.rules, {
      owner: { kind: 'workflow' },
      lookup,
      changedPaths,
      pathsInTree,
    });
    compilation.workflow_explanation = outcome.explanation;
    if (!outcome.rule || outcome.rule.when === 'never') {
      compilation.filtered = 'workflow';
      return null;
    }
    rule = outcome.rule;
    globals = { ...globals, ...rule.variables };
  }
  const name = workflow.name === null ? null : expandVariables(workflow.name, createVisibleLookup(request, [globals]));
  compilation.workflow = { ...workflow, name, auto_cancel: { ...workflow.auto_cancel, ...rule?.auto_cancel } };
  return globals;
}

function checkSize(jobs: readonly CompiledJob[], limit: number): void {
  if (limit > 0 && jobs.length > limit)
    throw new ConfigurationError(
      `The number of jobs has exceeded the limit of ${limit}. Try splitting the configuration with parent-child-pipelines`,
    );
}
