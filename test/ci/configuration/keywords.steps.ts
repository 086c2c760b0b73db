import { ConfigurationError } from '../../../shared/ci/configuration-model/configuration.types.js';
import type { Hash, JobConfig, PipelineConfig } from '../../../shared/ci/configuration-model/configuration.types.js';
import type { KeywordOptions } from '../../../shared/ci/configuration/keyword-scope.js';
import { readPipelineConfig } from '../../../shared/ci/configuration/read-pipeline-config.js';

/** The messages of all errors of a file; none when it is valid. */
export function readErrors(content: Hash, options?: KeywordOptions): string[] {
  try {
    readPipelineConfig(content, options);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map((problem) => problem.message);
    throw error;
  }
}

/** The errors of a job `x` with these keywords. */
export function readJobErrors(keywords: Hash, options?: KeywordOptions): string[] {
  return readErrors({ x: { script: 'true', ...keywords } }, options);
}

/** A job `x` with these keywords. */
export function readJobX(keywords: Hash, globals: Hash = {}): JobConfig {
  return readPipelineConfig({ ...globals, x: { script: 'true', ...keywords } }).jobs[0]!;
}

export function readWarnings(content: Hash): string[] {
  return listMessages(readPipelineConfig(content));
}

function listMessages(config: PipelineConfig): string[] {
  return config.warnings.map((warning) => warning.message);
}
