import { createCompilation } from './compile.types.js';
import type { Compilation } from './compile.types.js';

/** Characters of a result as JSON: less than an answer may have. */
const MAX_CHARACTERS = 12 * 1024 * 1024;

/**
 * Refuses a compilation that is too large to be written out. Jobs share what they have from `default`, from aliases and
 * as parts of `parallel`, which costs nothing until each is written.
 */
export function limitResult(compilation: Compilation): Compilation {
  let left = MAX_CHARACTERS - (compilation.merged_yaml?.length ?? 0);
  for (const job of [...compilation.jobs, ...compilation.excluded]) {
    left -= JSON.stringify(job).length;
    if (left < 0) return { ...createCompilation(), errors: [{ message: 'The parsed YAML is too big' }] };
  }
  return compilation;
}
