import type { FilePosition, Problem } from '../configuration-model/configuration.types.js';

/** One error or warning with its position. */
export interface LintProblem {
  severity: 'error' | 'warning';
  message: string;
  file: string | null;
  position: FilePosition | null;
}

const describe =
  (severity: LintProblem['severity']) =>
  ({ message, file, position }: Problem): LintProblem => ({
    severity,
    message,
    file: file ?? null,
    position: position ?? null,
  });

/** Errors and warnings as one list. */
export const describeProblems = (errors: readonly Problem[], warnings: readonly Problem[]): LintProblem[] => [
  ...errors.map(describe('error')),
  ...warnings.map(describe('warning')),
];
