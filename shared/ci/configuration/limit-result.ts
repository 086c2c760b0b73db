import { rejectCompilation } from './compile.types.js';
import type { Compilation } from './compile.types.js';
import { inheritVariables } from './job-variables.js';

/** Characters of a result as JSON: less than an answer may have. */
const MAX_CHARACTERS = 12 * 1024 * 1024;

const measure = (value: unknown): number => JSON.stringify(value).length;

/**
 * Refuses a compilation that is too large to be written out. Jobs share what they have from `default`, from aliases, as
 * parts of `parallel` and of global variables, which costs nothing until each is written.
 */
export function limitResult(compilation: Compilation): Compilation {
  const { jobs, excluded, variables, merged_yaml: merged, ...rest } = compilation;
  const all = measure(variables);
  let left = MAX_CHARACTERS - (merged?.length ?? 0) - measure(rest) - all;
  for (const job of jobs) {
    // Each stored job has a copy of the global variables that it takes.
    left -= measure(job) + (job.inherit_variables === true ? all : measure(inheritVariables(variables, job)));
    if (left < 0) break;
  }
  for (const job of excluded) {
    if (left < 0) break;
    left -= measure(job);
  }
  return left < 0 ? rejectCompilation('The parsed YAML is too big') : compilation;
}
