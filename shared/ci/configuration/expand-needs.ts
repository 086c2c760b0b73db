import { ConfigurationError, type NeedConfig } from '../configuration-model/configuration.types.js';
import { expandMatrix, formatCombination, formatPartName, type Combination } from './expand-matrix.js';

/** Of all jobs together, where a job's parts count each. */
const MAX_NEEDS = 500_000;

/** A job by its final name, as far as those that need it care. */
interface Part {
  name: string;
  node: unknown;
  matrix_variables: Combination;
}

/** Replaces the names of jobs with `parallel` by the names of their parts. */
export interface NeedsExpander {
  /**
   * @param job that has these needs, for messages
   * @param parts how many jobs will have the result
   * @throws ConfigurationError for a matrix that chooses more than 200 jobs, and for too many needs in all
   */
  expandNeeds(job: string, needs: readonly NeedConfig[], parts: number): NeedConfig[];
  /** @throws ConfigurationError for too many needs in all */
  expandDependencies(names: readonly string[], parts: number): string[];
}

/** @param parts the jobs that each name in the file stands for */
export function createNeedsExpander(parts: ReadonlyMap<string, readonly Part[]>): NeedsExpander {
  const partsByJob = new Map<string, Map<string, Part>>();
  let left = MAX_NEEDS;
  const count = (needs: number, times: number) => {
    left -= needs * times;
    if (left < 0) throw new ConfigurationError(`The jobs have too many needs (maximum is ${MAX_NEEDS}).`);
  };
  const findNames = (name: string) => {
    const found = parts.get(name) ?? [];
    return found[0]?.node ? found.map((part) => part.name) : [name];
  };
  const chooseNames = (job: string, need: NeedConfig) => {
    if (!need.matrix) return findNames(need.job);
    let byCombination = partsByJob.get(need.job);
    if (!byCombination) {
      byCombination = indexParts(parts.get(need.job) ?? []);
      partsByJob.set(need.job, byCombination);
    }
    const known = byCombination;
    return expandMatrix(need.matrix, `jobs:${job}:needs:need:parallel:matrix`).map(
      (combination) => known.get(formatCombination(combination))?.name ?? formatPartName(need.job, combination),
    );
  };
  return {
    expandNeeds(job, needs, times) {
      const result: NeedConfig[] = [];
      for (const need of needs) {
        const names = chooseNames(job, need);
        count(names.length, times);
        for (const name of names) result.push(createNeed(name, need));
      }
      return result;
    },
    expandDependencies(names, times) {
      const result: string[] = [];
      for (const name of names) {
        const found = findNames(name);
        count(found.length, times);
        for (const part of found) result.push(part);
      }
      return result;
    },
  };
}

function createNeed(job: string, { artifacts, optional }: NeedConfig): NeedConfig {
  return { job, artifacts, optional };
}

function indexParts(parts: readonly Part[]): Map<string, Part> {
  return new Map(parts.map((part) => [formatCombination(part.matrix_variables), part]));
}
