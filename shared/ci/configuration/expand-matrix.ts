import { ConfigurationError } from '../configuration-model/configuration.types.js';

/** Jobs that `parallel` may make of one, with a number as with a matrix. */
export const MAX_PARTS = 200;

/** One value for each variable of a matrix. */
export type Combination = Record<string, string>;

/**
 * Each combination of the values of a matrix, the last variable changing fastest; none for a variable without values.
 * @param path of the keyword, for the message: `jobs:x:parallel:matrix`
 * @throws ConfigurationError for more than 200 combinations
 */
export function expandMatrix(matrix: readonly Record<string, string[]>[], path: string): Combination[] {
  const complete = matrix.filter((variables) => Object.values(variables).every((values) => values.length > 0));
  let total = 0;
  for (const variables of complete) {
    total += Object.values(variables).reduce((product, values) => product * values.length, 1);
    if (total > MAX_PARTS)
      throw new ConfigurationError(`${path} config generates too many jobs (maximum is ${MAX_PARTS})`);
  }
  return complete.flatMap(combineValues);
}

function combineValues(variables: Record<string, string[]>): Combination[] {
  let combinations = [createCombination()];
  for (const [name, values] of Object.entries(variables)) {
    combinations = combinations.flatMap((combination) =>
      values.map((value) => Object.assign(createCombination(), combination, { [name]: value })),
    );
  }
  return combinations;
}

const createCombination = () => Object.create(null) as Combination;

/** The name of the part of a job that has these values: `x: [a, b]`. */
export function formatPartName(job: string, combination: Combination): string {
  return `${job}: [${Object.values(combination).join(', ')}]`;
}

/** The same for two combinations that give the same values to the same variables, in whichever order. */
export function formatCombination(combination: Combination): string {
  return JSON.stringify(Object.entries(combination).sort(([a], [b]) => (a < b ? -1 : 1)));
}
